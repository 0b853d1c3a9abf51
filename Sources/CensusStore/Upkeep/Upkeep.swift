package import CensusCore
internal import Postgres

/// How long observations are kept.
package struct Retention: Hashable, Sendable {
    /// For how many days they can be.
    package static let bounds = 1...3_650

    package var days: Int
    /// The first day, in UTC, of which every observation is kept; nil when none was dropped yet.
    package var keptFrom: Day?

    package init(days: Int, keptFrom: Day? = nil) {
        self.days = days
        self.keptFrom = keptFrom
    }

    /// How old an event may be when it is received. When retention is extended, what was dropped stays dropped. At least a
    /// day, whatever the server's clock says.
    package func accepted(at received: Timestamp) -> Duration {
        let all: Duration = .days(Int64(days))
        guard let keptFrom else { return all }
        return min(all, max(.days(1), received - ReportingZone.utc.start(of: keptFrom)))
    }
}

/// What happened to a partition that was to be dropped.
package enum PartitionDrop: Hashable, Sendable {
    case dropped
    /// It holds something that must stay.
    case holdsMore
    /// Somebody, such as a backup, holds the table for long.
    case putOff
}

/// How long observations are kept, and how old days are dropped: their observations are folded onto bases first.
package struct Upkeep: Sendable {
    let database: Database
    let room: ReadRoom

    package func retention() async throws(StoreError) -> Retention {
        return try await StoreError.wrapping {
            guard let row = try await database.query(SQL.`Upkeep.read`).first else {
                throw StoreError(.ours, "the database has no row in census.retention: run `widget-census migrate`")
            }
            return Retention(
                days: try row.decode("days", as: Int.self), keptFrom: try row.decode("kept_from", as: Day?.self))
        }
    }

    /// - Parameter days: 1 to 3650, and no more than the server has locks for, unless retention gets shorter.
    package func setRetention(days: Int) async throws(StoreError) {
        guard Retention.bounds.contains(days) else {
            throw StoreError(.request, "observations can be kept for 1 to 3650 days, not \(days)")
        }
        if days > (try await retention().days) {
            let locks = try await locks()
            guard days <= locks.days else { throw locks.tooFew(for: days) }
        }
        try await database.run(SQL.`Upkeep.set`, [Int32(days)])
    }

    private func locks() async throws(StoreError) -> LockTable {
        return try await StoreError.wrapping {
            guard let row = try await database.query(SQL.`Upkeep.locks`).first else { throw LockTable.unknown }
            return LockTable(
                perSession: try row.decode("per_session", as: Int.self),
                sessions: try row.decode("sessions", as: Int.self))
        }
    }

    /// The days that have a partition of observations.
    package func partitions() async throws(StoreError) -> [Day] {
        try await database.rows(SQL.`Upkeep.partitions`) { try $0.decode("day", as: Day.self) }
    }

    /// The time through which each device's base holds everything heard from it; earlier observations change nothing any
    /// more. Devices without a base are absent.
    package func foldedThrough(of devices: [Pseudonym]) async throws(StoreError) -> [Pseudonym: Timestamp] {
        return try await StoreError.wrapping {
            var folded: [Pseudonym: Timestamp] = [:]
            for row in try await database.query(SQL.`Upkeep.foldedThrough`, [devices]) {
                folded[try row.decode("device_id", as: Pseudonym.self)] =
                    try row.decode("folded_through", as: Timestamp.self)
            }
            return folded
        }
    }

    /// The last of some days, in UTC, that any device's clock ever showed; nil when none did.
    package func newest(of days: [Day]) async throws(StoreError) -> Day? {
        try await database.value(
            SQL.`Upkeep.newest`, [days, days.map(ReportingZone.utc.start(of:))], as: Day.self)
    }

    /// Folds onto the bases of some devices the observations about to be dropped.
    ///
    /// - Parameters:
    ///   - previous: the sweep's position; the step takes devices after it.
    ///   - end: all observations before it are folded.
    /// - Returns: the last device of the step, how many there were, and how many were set aside because a stored row can't be
    ///   read; those keep their base and their observations. Nil at the end of the sweep.
    package func advanceBases(
        after previous: Pseudonym, through end: Timestamp, limit: Int
    ) async throws(StoreError) -> (last: Pseudonym, devices: Int, unreadable: Int)? {
        return try await database.transaction("Retention.advanceBases") { transaction in
            let devices = try await transaction.query(
                SQL.`Upkeep.devices`, [previous, end, limit], deadline: .seconds(600)
            ).map { try $0.decode("device_id", as: Pseudonym.self) }
            guard let last = devices.last else { return nil }
            _ = try await transaction.query(SQL.`DeviceStore.lock`, [devices])
            // Before asking which devices wait to be folded again: the others were folded by these.
            let folds = try await transaction.folds()
            let unreadable = try await transaction.advanceBases(of: devices, through: end, room: room) {
                folds[$0] ?? DeviceFold()
            }
            return (last, devices.count, unreadable)
        }
    }

    /// Drops the partition of a day before `end`, once the bases hold everything in it from before then. Rows of later times,
    /// put there by clocks that were behind, stay, and so do those of devices that are set aside.
    ///
    /// Safe in several processes at once: the second one finds it dropped.
    package func dropPartition(_ day: Day, before end: Timestamp) async throws(StoreError) -> PartitionDrop {
        try await drop(day) { transaction in
            let uncovered = try await transaction.query(PartitionKeeper.uncovered(day), [end], deadline: .seconds(600))
            guard try uncovered.first?.decode("is_uncovered", as: Bool.self) == false else { return false }
            try await transaction.execute(script: PartitionKeeper.makeNeeded)
            _ = try await transaction.query(PartitionKeeper.takeNeeded(day), [end], deadline: .seconds(600))
            try await transaction.execute(script: PartitionKeeper.detach(day))
            _ = try await transaction.query(PartitionKeeper.moveNeeded, [], deadline: .seconds(600))
            return true
        }
    }

    /// Drops the partition of a day when it is empty, so that nothing has to be folded first.
    package func dropEmptyPartition(_ day: Day) async throws(StoreError) -> PartitionDrop {
        try await drop(day) { transaction in
            let isEmpty = try await transaction.query(PartitionKeeper.isEmpty(day)).first
            guard try isEmpty?.decode("is_empty", as: Bool.self) == true else { return false }
            try await transaction.execute(script: PartitionKeeper.detach(day))
            return true
        }
    }

    /// - Parameter detach: takes the day's partition, locked against writes, out of the table, or answers that it may not.
    private func drop(
        _ day: Day, detach: @escaping @Sendable (Transaction) async throws -> Bool
    ) async throws(StoreError) -> PartitionDrop {
        return try await StoreError.wrapping {
            return try await PartitionKeeper.withBriefLocks {
                try await database.rawTransaction("Upkeep.drop") { transaction in
                    _ = try await transaction.query(SQL.`PartitionKeeper.turn`, [], deadline: .seconds(600))
                    // Another night may have dropped it meanwhile.
                    let days = try await transaction.query(SQL.`Upkeep.partitions`)
                    guard try days.contains(where: { try $0.decode("day", as: Day.self) == day }) else {
                        return .dropped
                    }
                    try await transaction.execute(script: PartitionKeeper.lock(day))
                    guard try await detach(transaction) else { return .holdsMore }
                    try await transaction.execute(script: PartitionKeeper.drop(day))
                    return .dropped
                }
            } ?? .putOff
        }
    }

    /// Deletes old rows outside all partitions and old refused events and warnings, and remembers the day from which on everything is
    /// kept. Devices forgotten before that day are remembered no longer.
    package func sweep(keptFrom day: Day) async throws(StoreError) {
        try await database.run(SQL.`Upkeep.sweepOther`, [ReportingZone.utc.start(of: day)])
        try await database.run(SQL.`Upkeep.sweepForgotten`, [ReportingZone.utc.start(of: day)])
        try await database.run(SQL.`Upkeep.sweepRefused`, [day])
        try await database.run(SQL.`Upkeep.sweepWarned`, [day])
        try await database.run(SQL.`Upkeep.keptFrom`, [day])
    }
}

extension Transaction {
    fileprivate func advanceBases(
        of devices: [Pseudonym], through end: Timestamp, room: ReadRoom, fold: @Sendable (Int32) -> DeviceFold
    ) async throws -> Int {
        var histories = DeviceHistories()
        for row in try await query(SQL.`Upkeep.bases`, [devices, end]) {
            let device = try row.decode("device_id", as: Pseudonym.self)
            let claim = DeviceClaims.Claim(appNumber: try row.decode("app_number", as: Int32.self))
            var stored = StoredDevice(lastOrdinal: 0)
            stored.base = try StoredDevice.Checkpoint(row, through: "folded_through", bytes: "state")
            stored.lacksPast = try row.decode("lacks_past", as: Bool.self)
            histories.byDevice[device] = DeviceHistory(
                device, claim, before: stored, fold: fold(claim.appNumber), plausibility: room.plausibility)
        }
        var left = Int.max
        _ = try await foldPages(of: ObservationRange(devices: devices), into: &histories, left: &left) {
            try await observationPage($0, before: end, from: $1, room: room)
        }
        // Keep a past that can't be read: one day it may be.
        let all = histories.devices.compactMap { histories.byDevice[$0] }
        let folded = all.filter { $0.failure == nil }
        let failed = all.compactMap { history in history.failure.map { SetAside(history, $0) } }
        try await setAside(failed)
        _ = try await query(
            SQL.`Upkeep.saveBases`,
            [
                folded.map(\.device), folded.map(\.appNumber), end - .microseconds(1),
                folded.map { ByteArray($0.fold.checkpoint(of: $0.state)) },
            ])
        return failed.count
    }
}
