internal import CensusCore
internal import Postgres

extension DeviceUses.Month {
    /// A row of `DeviceStore.uses`.
    init(_ row: Row) throws {
        guard let use = Use(rawValue: try row.decode("use", as: String.self)) else {
            throw StoreError(.ours, "a device has a use that this program does not know")
        }
        let surface = Surface(rawValue: try row.decode("surface", as: String.self))
        guard surface != nil || use == .heard else {
            throw StoreError(.ours, "a use has a surface that this program does not know")
        }
        self.init(
            key: DeviceUses.Key(use, surface: surface, kind: try row.decode("kind", as: String.self)),
            month: try row.decode("month", as: Day.self),
            days: try row.decode("days", as: [Int16].self),
            events: try row.decode("events", as: [Int64].self))
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
        guard let surface = Surface(rawValue: try row.decode("surface", as: String.self)) else {
            throw StoreError(.ours, "a cohort has a surface that this program does not know")
        }
        let kind = try row.decode("kind", as: String.self)
        let heldFrom = try row.decode("held_from", as: Timestamp.self)
        guard !kind.isEmpty else { return note(surface, listedAt: heldFrom) }
        joined[KindCell(surface: surface, kind: kind)] = Joined(
            heldFrom: heldFrom, week: try row.decode("week", as: Day?.self))
    }
}
