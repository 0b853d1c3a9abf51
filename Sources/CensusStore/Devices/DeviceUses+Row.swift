internal import CensusCore
internal import Postgres

extension DeviceUses.Month {
    /// A row of `DeviceStore.uses`.
    init(_ row: Row) throws {
        guard let use = Use(rawValue: try row["use"]) else {
            throw StoreError(.ours, "a device has a use that this program does not know")
        }
        // Empty for the device as a whole.
        let surface = Surface(rawValue: try row["surface"])
        guard surface != nil || use == .heard else {
            throw StoreError(.ours, "a use has a surface that this program does not know")
        }
        try self.init(
            key: DeviceUses.Key(use, surface: surface, kind: row["kind"]), month: row["month"], days: row["days"],
            events: row["events"])
    }

    /// A row of `DeviceStore.insertUses`.
    func encode(into row: inout CopyRows.Row, device: Pseudonym, appNumber: Int32) {
        row.value(device)
        row.value(appNumber)
        row.value(month)
        row.value(key.use.rawValue)
        row.value(key.surface?.rawValue ?? "")
        row.value(key.kind)
        row.value(days)
        row.value(events)
    }
}

/// A row of `census.device_cohort`: a kind and when it was placed, or a surface and when its first list arrived.
struct CohortRow: Hashable, Sendable {
    var surface: Surface
    /// Empty for the surface.
    @Bytewise var kind: String
    var heldFrom: Timestamp
    var week: Day?

    /// A row of `DeviceStore.insertCohorts`.
    func encode(into row: inout CopyRows.Row, device: Pseudonym, appNumber: Int32) {
        row.value(device)
        row.value(appNumber)
        row.value(surface.rawValue)
        row.value(kind)
        row.value(heldFrom)
        row.value(week)
    }
}

extension Cohorts {
    var rows: Set<CohortRow> {
        let kinds = joined.map { kind, joined in
            CohortRow(surface: kind.surface, kind: kind.kind, heldFrom: joined.heldFrom, week: joined.week)
        }
        return Set(kinds).union(firstLists.map { CohortRow(surface: $0, kind: "", heldFrom: $1) })
    }

    /// Adds a row of `DeviceStore.cohorts`.
    mutating func add(_ row: Row) throws {
        let surface: Surface = try row["surface"]
        let kind: String = try row["kind"]
        let heldFrom: Timestamp = try row["held_from"]
        guard !kind.isEmpty else { return note(surface, listedAt: heldFrom) }
        joined[KindCell(surface: surface, kind: kind)] = try Joined(
            heldFrom: heldFrom, week: row["week"])
    }
}
