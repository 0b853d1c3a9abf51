internal import CensusCore
internal import Postgres

extension DeviceUses.Month {
    /// A row of ``table``.
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

    static let table = OwnedTable<DeviceUses.Month>(
        "device_use",
        key: [
            RowColumn("month") { $0.value.month },
            RowColumn("use") { $0.value.key.use.rawValue },
            RowColumn("surface") { $0.value.key.surface?.rawValue ?? "" },
            RowColumn("kind") { $0.value.key.kind },
        ],
        [RowColumn("days") { $0.value.days }, RowColumn("events") { $0.value.events }],
        from: ("date", "month >= wanted.start"))

    /// The parameters of `DeviceStore.growUses`: months with one more day, or with more events on their last day.
    static let grown: [RowColumn<OwnedRow<DeviceUses.Month>>] =
        table.key + [
            RowColumn("day") { $0.value.days.last ?? 0 }, RowColumn("events") { $0.value.events.last ?? 0 },
        ]

    /// Whether only its last day is new, or has another number of events, since `before`.
    func grew(since before: DeviceUses.Month) -> Bool {
        guard key == before.key, month == before.month, let last = before.days.last else { return false }
        let kept = days.last == last ? before.days.count - 1 : before.days.count
        return days.count == kept + 1 && days.prefix(kept) == before.days.prefix(kept)
            && events.prefix(kept) == before.events.prefix(kept)
    }
}

/// A row of `census.device_cohort`: a kind and when it was placed, or a surface and when its first list arrived.
struct CohortRow: Hashable, Sendable {
    var surface: Surface
    /// Empty for the surface.
    @Bytewise var kind: String
    var heldFrom: Timestamp
    var week: Day?
    var ended: Cohorts.End?

    static let table = OwnedTable<CohortRow>(
        "device_cohort",
        key: [RowColumn("surface") { $0.value.surface }, RowColumn("kind") { $0.value.kind }],
        [
            RowColumn("held_from") { $0.value.heldFrom }, RowColumn("week") { $0.value.week },
            RowColumn("ended_at") { $0.value.ended?.at }, RowColumn("ended_cause") { $0.value.ended?.cause },
        ])
}

extension Cohorts {
    var rows: Set<CohortRow> {
        let kinds = joined.map { kind, joined in
            CohortRow(
                surface: kind.surface, kind: kind.kind, heldFrom: joined.heldFrom, week: joined.week,
                ended: joined.ended)
        }
        return Set(kinds).union(firstLists.map { CohortRow(surface: $0, kind: "", heldFrom: $1) })
    }

    /// Adds a row of ``CohortRow/table``.
    mutating func add(_ row: Row) throws {
        let surface: Surface = try row["surface"]
        let kind: String = try row["kind"]
        let heldFrom: Timestamp = try row["held_from"]
        guard !kind.isEmpty else { return note(surface, listedAt: heldFrom) }
        let cause: Cause? = try row["ended_cause"]
        joined[KindCell(surface: surface, kind: kind)] = try Joined(
            heldFrom: heldFrom, week: row["week"], ended: cause.map { Cohorts.End(at: try row["ended_at"], cause: $0) })
    }
}
