package import CensusCore
internal import Postgres

/// How long observations are kept.
package struct Retention: Hashable, Sendable, Decodable {
    /// The range of days for which they can be kept.
    package static let bounds = 1...3_650

    package var days: Int
    /// The first day, in UTC, for which every observation is kept; nil when none was dropped yet.
    package var keptFrom: Day?

    package init(days: Int, keptFrom: Day? = nil) {
        self.days = days
        self.keptFrom = keptFrom
    }

    /// The greatest age at which an event is accepted: at least a day, whatever the server's clock says. Extending retention
    /// does not bring back dropped days.
    package func accepted(at received: Timestamp) -> Duration {
        let all: Duration = .days(Int64(days))
        guard let keptFrom else { return all }
        return min(all, max(.days(1), received - ReportingZone.utc.start(of: keptFrom)))
    }
}

/// The result of an attempt to drop a partition.
package enum PartitionDrop: Hashable, Sendable {
    case dropped
    /// It has rows that must stay.
    case holdsMore
    /// Another session, such as a backup, has held a lock on the table for too long.
    case putOff
}

/// How long observations are kept, and how old days are dropped. Their observations are folded onto bases first.
package struct Upkeep: Sendable {
    let database: Database
    let limits: ReadLimits

    package func retention() async throws(StoreError) -> Retention {
        guard let retention = try await database.rows(SQL.Upkeep.read, as: Retention.self).first else {
            throw StoreError(.ours, "the database has no row in census.retention: run `widget-census migrate`")
        }
        return retention
    }

    /// - Parameter days: 1 to 3650, and no more than the server and the workers have locks for, unless retention gets shorter.
    package func setRetention(days: Int) async throws(StoreError) {
        guard Retention.bounds.contains(days) else {
            throw StoreError(.request, "observations can be kept for 1 to 3650 days, not \(days)")
        }
        if days > (try await retention().days) {
            for locks in try await [locks()] + Deployment(database: database).locksOfWorkers() {
                guard days <= locks.days else { throw locks.tooFew(for: days) }
            }
        }
        try await database.run(SQL.Upkeep.set, [Int32(days)])
    }

    private func locks() async throws(StoreError) -> LockTable {
        guard let locks = try await database.rows(SQL.Upkeep.locks, as: LockTable.self).first else {
            throw LockTable.unknown
        }
        return locks
    }

    /// The days that have a partition of observations.
    package func partitions() async throws(StoreError) -> [Day] {
        try await database.rows(SQL.Upkeep.partitions)
    }

    /// The time from which on events of some devices are stored. Older events are in the device's base, or might belong to a
    /// forgotten device whose hash is gone. Devices without such a limit are absent.
    package func takenFrom(of devices: [Pseudonym: Int32]) async throws(StoreError) -> [Pseudonym: Timestamp] {
        return try await StoreError.wrapping {
            var takenFrom: [Pseudonym: Timestamp] = [:]
            for row in try await database.query(SQL.Upkeep.takenFrom, [Array(devices.keys), Array(devices.values)]) {
                takenFrom[try row["device_id"] as Pseudonym] =
                    try row["taken_from"]
            }
            return takenFrom
        }
    }

    /// The last of some days, in UTC, that any device's clock ever showed; nil if none did.
    ///
    /// Usually that is the last day. If not, looks at twice as many days each time, and then within those where it found some.
    package func newest(of days: [Day]) async throws(StoreError) -> Day? {
        var left = days.sorted()[...]
        var next = 1
        while let last = left.last {
            let some = left.suffix(next)
            if try await database.isHeard(from: some.first ?? last, through: last) {
                if some.count == 1 { return last }
                // Nil when it was between two of the days.
                if let day = try await newest(of: Array(some)) { return day }
            }
            left.removeLast(some.count)
            next *= 2
        }
        return nil
    }

    /// The next devices with observations that are about to be dropped, by id; empty when there are no more.
    ///
    /// - Parameters:
    ///   - previous: the devices follow this one.
    ///   - last: the last device of the sweep.
    ///   - end: all observations before it are dropped.
    package func dueBases(
        after previous: Pseudonym, through last: Pseudonym, before end: Timestamp, limit: Int
    ) async throws(StoreError) -> [DueBase] {
        try await database.rows(
            SQL.Upkeep.devices, [previous, last, end, limit], deadline: .seconds(600), as: DueBase.init)
    }

    /// Folds onto the bases of some devices the observations about to be dropped.
    ///
    /// - Parameters:
    ///   - due: no more than the server has locks for: each device takes one.
    ///   - end: all observations before it are folded.
    /// - Returns: how many devices were set aside because a stored row can't be read; they keep their base and their
    ///   observations.
    package func advanceBases(of due: some Collection<DueBase> & Sendable, before end: Timestamp)
        async throws(StoreError) -> Int
    {
        return try await database.transaction("Upkeep.advanceBases") { transaction in
            try await transaction.execute(script: SQL.Upkeep.begin)
            try await transaction.lock(due.map(\.device))
            // Before the query for devices that wait to be folded again: the others were folded by these.
            let folds = try await transaction.folds()
            return try await transaction.advanceBases(of: due, before: end, limits: limits) {
                folds[$0] ?? DeviceFold()
            }
        }
    }

    /// Drops the partition of a day before the day `end`, once the bases have everything in it from before then. Rows of later
    /// times, which clocks that were behind put there, stay, and so do those of devices that are set aside.
    ///
    /// Safe in several processes at once: the second one finds the partition dropped.
    package func dropPartition(_ day: Day, before end: Day) async throws(StoreError) -> PartitionDrop {
        try await drop(day) { transaction in
            try await transaction.execute(
                script: PartitionKeeper.takeNeeded(day, before: end), deadline: .seconds(600))
            let isUncovered = try await transaction.rows(
                PartitionKeeper.uncovered, [ReportingZone.utc.start(of: end)], deadline: .seconds(600), as: Bool.self)
            guard isUncovered == [false] else { return false }
            try await transaction.execute(script: PartitionKeeper.detach(day))
            try await transaction.run(PartitionKeeper.moveNeeded, [], deadline: .seconds(600))
            return true
        }
    }

    /// Drops the partition of a day if it is empty, so that nothing must be folded first.
    package func dropEmptyPartition(_ day: Day) async throws(StoreError) -> PartitionDrop {
        try await drop(day) { transaction in
            guard try await transaction.value(PartitionKeeper.isEmpty(day)) == true else { return false }
            try await transaction.execute(script: PartitionKeeper.detach(day))
            return true
        }
    }

    /// - Parameter detach: detaches the day's partition, which is locked against writes, or returns false if it must stay.
    private func drop(
        _ day: Day, detach: @escaping @Sendable (Transaction) async throws -> Bool
    ) async throws(StoreError) -> PartitionDrop {
        return try await StoreError.wrapping {
            return try await PartitionKeeper.withBriefLocks {
                try await database.rawTransaction("Upkeep.drop") { transaction in
                    try await transaction.run(SQL.PartitionKeeper.turn, [], deadline: .seconds(600))
                    // Another night might have dropped it in the meantime.
                    guard try await transaction.value(PartitionKeeper.isThere(day)) == true else { return .dropped }
                    try await transaction.execute(script: PartitionKeeper.lock(day))
                    guard try await detach(transaction) else { return .holdsMore }
                    try await transaction.execute(script: PartitionKeeper.drop(day))
                    return .dropped
                }
            } ?? .putOff
        }
    }

    /// Deletes old rows outside all partitions and old refused events and warnings, and stores the day from which on everything
    /// is kept. Of devices forgotten more than a day before that day, only the fact that their app had some stays.
    package func sweep(keptFrom day: Day) async throws(StoreError) {
        // Retried after a deadlock: on Citus another node might be creating a day, which takes rows from the same table.
        try await database.transaction("Upkeep.sweepOther") { transaction in
            try await transaction.run(SQL.Upkeep.sweepOther, [ReportingZone.utc.start(of: day)])
        }
        try await database.run(SQL.Upkeep.sweepRefused, [day])
        try await database.run(SQL.Upkeep.sweepWarned, [day])
        try await database.run(SQL.Upkeep.keepFrom, [day])
    }
}

/// A device with observations that are about to be dropped.
package struct DueBase: Sendable {
    package let device: Pseudonym
    /// Whether some of them are in partitions that stay, because a clock was ahead.
    fileprivate let isAhead: Bool

    fileprivate init(_ row: Row) throws {
        device = try row["device_id"]
        isAhead = try row["is_ahead"]
    }
}

extension Transaction {
    fileprivate func advanceBases(
        of due: some Collection<DueBase>, before end: Timestamp, limits: ReadLimits,
        fold: @Sendable (Int32) -> DeviceFold
    ) async throws -> Int {
        var histories = try await histories(of: due, before: end, limits: limits, fold: fold)
        for isAhead in [false, true] {
            // For nearly all devices it is enough to read the days that are dropped.
            let range = ObservationRange(
                devices: due.filter { $0.isAhead == isAhead }.map(\.device),
                occurredBefore: isAhead ? .distantFuture : end, before: end)
            var left = Int.max
            _ = try await foldPages(of: range, into: &histories, left: &left) {
                try await observationPage($0, from: $1, limits: limits, deadline: .seconds(600))
            }
        }
        // Keep an unreadable past: a later program might read it.
        var failed: [SetAside] = []
        var (devices, apps, states): ([Pseudonym], [Int32], [ByteArray]) = ([], [], [])
        // By id, as the index has them.
        for history in histories.keys.sorted().lazy.compactMap({ histories[$0] }) {
            if let failure = history.failure {
                failed.append(SetAside(history, failure))
            } else {
                devices.append(history.device)
                apps.append(history.appNumber)
                states.append(ByteArray(history.fold.checkpoint(of: history.state)))
            }
        }
        try await setAside(failed)
        try await run(SQL.Upkeep.saveBases, [devices, apps, end - .microseconds(1), states])
        return failed.count
    }

    /// Starts from the bases of those devices that are reconciled through `end`.
    private func histories(
        of due: some Collection<DueBase>, before end: Timestamp, limits: ReadLimits,
        fold: @Sendable (Int32) -> DeviceFold
    ) async throws -> [Pseudonym: DeviceHistory] {
        var bases: [Pseudonym: StoredDevice] = [:]
        var appNumbers: [Pseudonym: Int32] = [:]
        for row in try await query(SQL.Upkeep.bases, [due.map(\.device), end]) {
            let device: Pseudonym = try row["device_id"]
            appNumbers[device] = try row["app_number"]
            var stored = StoredDevice(lastOrdinal: 0)
            stored.base = try StoredDevice.Checkpoint(row, through: "folded_through", bytes: "state")
            bases[device] = stored
        }
        var doubtful: [Pseudonym] = []
        let baseless = bases.keys.filter { bases[$0]?.base == nil }
        if !baseless.isEmpty {
            for row in try await query(SQL.Upkeep.counted, [baseless.sorted()]) {
                let device: Pseudonym = try row["device_id"]
                appNumbers[device] = try row["app_number"]
                if try row["is_early"] { doubtful.append(device) }
            }
        }
        for device in try await lackingPast(doubtful, deadline: .seconds(600)) { bases[device]?.lacksPast = true }
        // Their events are stored but never counted.
        let uncounted = bases.keys.filter { appNumbers[$0] == nil }
        if !uncounted.isEmpty {
            let until = due.contains(where: \.isAhead) ? .distantFuture : end
            for row in try await query(SQL.Upkeep.apps, [uncounted, until], deadline: .seconds(600)) {
                let device: Pseudonym = try row["device_id"]
                appNumbers[device] = try row["app_number"]
            }
        }
        var histories: [Pseudonym: DeviceHistory] = [:]
        for (device, stored) in bases {
            guard let appNumber = appNumbers[device] else { continue }
            histories[device] = DeviceHistory(
                device, QueuedDevices.Entry(appNumber: appNumber), before: stored, fold: fold(appNumber),
                plausibility: limits.plausibility, pairsReports: false)
        }
        return histories
    }
}

extension Database {
    /// Whether any device's clock ever showed one of these days, in UTC.
    func isHeard(from first: Day, through last: Day) async throws(StoreError) -> Bool {
        let (start, end) = (ReportingZone.utc.start(of: first), ReportingZone.utc.start(of: last + 1))
        return try await value(SQL.Upkeep.isHeard, [start, end], as: Bool.self) == true
    }
}
