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

    static let width = 8
}

extension KindCell {
    /// A row of `DeviceStore.cohorts`.
    init(cohort row: Row) throws {
        guard let surface = Surface(rawValue: try row.decode("surface", as: String.self)) else {
            throw StoreError(.ours, "a cohort has a surface that this program does not know")
        }
        self.init(surface: surface, kind: try row.decode("kind", as: String.self))
    }

    /// A row of `DeviceStore.insertCohorts`.
    func encode(_ joined: Cohorts.Joined, into row: inout CopyRows.Row, device: Pseudonym, appNumber: Int32) {
        row.value(device)
        row.value(appNumber)
        row.value(surface.rawValue)
        row.value(kind)
        row.value(joined.heldFrom)
        row.value(joined.week)
    }

    static let cohortWidth = 6
}

extension Cohorts.Joined {
    /// A row of `DeviceStore.cohorts`.
    init(_ row: Row) throws {
        self.init(
            heldFrom: try row.decode("held_from", as: Timestamp.self), week: try row.decode("week", as: Day?.self))
    }
}
