package import CensusCore
internal import Postgres

/// For how long observations are kept.
package struct Retention: Hashable, Sendable {
    package var days: Int
    /// The first day, in UTC, of which every observation is kept; nil when none was dropped yet.
    package var keptFrom: Day?

    package init(days: Int, keptFrom: Day? = nil) {
        self.days = days
        self.keptFrom = keptFrom
    }

    /// How old an event may be when it is received: when they are kept for longer than they were, what was dropped stays
    /// dropped. At least a day, whatever the server's clock says.
    package func accepted(at received: Timestamp) -> Duration {
        let all: Duration = .days(Int64(days))
        guard let keptFrom else { return all }
        return min(all, max(.days(1), received - ReportingZone.utc.start(of: keptFrom)))
    }
}

/// What became of a partition that was to be dropped.
package enum PartitionDrop: Hashable, Sendable {
    case dropped
    /// Something is in it that must stay.
    case holdsMore
    /// Somebody holds the table: a backup does, for as long as it takes.
    case putOff
}

extension Store {
    package func retention() async throws(StoreError) -> Retention {
        do {
            guard let row = try await query(SQL.`Retention.read`).first else {
                throw StoreError(.ours, "the database has no row in census.retention: run `widget-census migrate`")
            }
            return Retention(days: try row.decode(Int.self, at: 0), keptFrom: try row.decode(Day?.self, at: 1))
        } catch {
            throw StoreError(error)
        }
    }

    /// - Parameter days: 1 to 3650, and no more than the server has locks for, unless they are fewer than they were.
    package func setRetention(days: Int) async throws(StoreError) {
        guard (1...3_650).contains(days) else {
            throw StoreError(.request, "observations can be kept for 1 to 3650 days, not \(days)")
        }
        if days > (try await retention().days) {
            let locks = try await locks()
            guard days <= locks.days else { throw locks.tooFew(for: days) }
        }
        _ = try await query(SQL.`Retention.set`, Int32(days))
    }

    private func locks() async throws(StoreError) -> LockTable {
        do {
            guard let row = try await query(SQL.`Retention.locks`).first else { throw LockTable.unknown }
            return LockTable(
                perSession: try row.decode(Int.self, at: 0), sessions: try row.decode(Int.self, at: 1))
        } catch {
            throw StoreError(error)
        }
    }

    /// The days that have a partition of observations.
    package func partitions() async throws(StoreError) -> [Day] {
        do {
            return try await query(SQL.`Retention.partitions`).map { try $0.decode(Day.self, at: 0) }
        } catch {
            throw StoreError(error)
        }
    }

    /// Through when the bases of devices hold what was heard of them: earlier observations change nothing any more. Devices that
    /// have no base are absent.
    package func foldedThrough(of devices: [Pseudonym]) async throws(StoreError) -> [Pseudonym: Timestamp] {
        do {
            var folded: [Pseudonym: Timestamp] = [:]
            for row in try await query(SQL.`Retention.foldedThrough`, devices) {
                folded[try row.decode(Pseudonym.self, at: 0)] = try row.decode(Timestamp.self, at: 1)
            }
            return folded
        } catch {
            throw StoreError(error)
        }
    }

    /// Whether some device's clock ever said that it was this day, in UTC.
    package func hasObservations(on day: Day) async throws(StoreError) -> Bool {
        do {
            let (from, to) = (ReportingZone.utc.start(of: day), ReportingZone.utc.start(of: day + 1))
            return try await query(SQL.`Retention.newest`, from, to).first?.decode(Bool.self, at: 0) ?? false
        } catch {
            throw StoreError(error)
        }
    }

    /// Folds onto the bases of some devices what is about to be dropped of them.
    ///
    /// - Parameters:
    ///   - previous: where the sweep is: the step takes devices after it.
    ///   - end: all observations before it are folded.
    /// - Returns: the last device of the step, how many there were, and how many were set aside because something of theirs
    ///   can't be read: they keep the base that they have, and their observations. Nil when the sweep is at its end.
    package func advanceBases(
        after previous: Pseudonym, through end: Timestamp, limit: Int
    ) async throws(StoreError) -> (last: Pseudonym, devices: Int, unreadable: Int)? {
        do {
            return try await pool.transaction("Retention.advanceBases") { connection in
                let devices = try await connection.query(
                    SQL.`Retention.devices`, [previous, end, limit], deadline: .seconds(600)
                ).map { row in try row.decode(Pseudonym.self, at: 0) }
                guard let last = devices.last else { return nil }
                _ = try await connection.query(SQL.`DeviceStore.lock`, [devices])
                // Before it is asked who waits to be folded anew: the others were folded by these.
                let folds = try await connection.folds()
                let unreadable = try await connection.advanceBases(of: devices, through: end, room: readRoom) {
                    folds[$0] ?? DeviceFold()
                }
                return (last, devices.count, unreadable)
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Drops the partition of a day before `end`, when the bases hold all of it that lies before. Rows of later times, which
    /// clocks that were behind have put there, stay, and so do those of devices that are set aside.
    ///
    /// Safe in several processes at once: who comes second finds it dropped.
    package func dropPartition(_ day: Day, before end: Timestamp) async throws(StoreError) -> PartitionDrop {
        try await drop(day) { connection in
            let uncovered = try await connection.query(PartitionKeeper.uncovered(day), [end], deadline: .seconds(600))
            guard try uncovered.first?.decode(Bool.self, at: 0) == false else { return false }
            try await connection.execute(script: PartitionKeeper.makeNeeded)
            _ = try await connection.query(PartitionKeeper.takeNeeded(day), [end], deadline: .seconds(600))
            try await connection.execute(script: PartitionKeeper.detach(day))
            _ = try await connection.query(PartitionKeeper.moveNeeded, [], deadline: .seconds(600))
            return true
        }
    }

    /// Drops the partition of a day that holds nothing: for that nothing has to be folded before.
    package func dropEmptyPartition(_ day: Day) async throws(StoreError) -> PartitionDrop {
        try await drop(day) { connection in
            guard try await connection.query(PartitionKeeper.isEmpty(day)).first?.decode(Bool.self, at: 0) == true
            else {
                return false
            }
            try await connection.execute(script: PartitionKeeper.detach(day))
            return true
        }
    }

    /// - Parameter detach: takes the day's partition, into which nobody can write, out of the table, or answers that it may not.
    private func drop(
        _ day: Day, detach: @escaping @Sendable (Connection) async throws -> Bool
    ) async throws(StoreError) -> PartitionDrop {
        do {
            return try await PartitionKeeper.withBriefLocks {
                try await pool.transaction("Retention.drop") { connection in
                    _ = try await connection.query(SQL.`PartitionKeeper.turn`, [], deadline: .seconds(600))
                    // Another night may have dropped it meanwhile.
                    let days = try await connection.query(SQL.`Retention.partitions`)
                    guard try days.contains(where: { try $0.decode(Day.self, at: 0) == day }) else { return .dropped }
                    try await connection.execute(script: PartitionKeeper.lock(day))
                    guard try await detach(connection) else { return .holdsMore }
                    try await connection.execute(script: PartitionKeeper.drop(day))
                    return .dropped
                }
            } ?? .putOff
        } catch {
            throw StoreError(error)
        }
    }

    /// Deletes what lies in no partition and was refused, and remembers from which day on everything is kept. Devices that
    /// were forgotten before are remembered no longer.
    package func sweep(keptFrom day: Day) async throws(StoreError) {
        _ = try await query(SQL.`Retention.sweepOther`, ReportingZone.utc.start(of: day))
        _ = try await query(SQL.`Retention.sweepForgotten`, ReportingZone.utc.start(of: day))
        _ = try await query(SQL.`Retention.sweepRefused`, day)
        _ = try await query(SQL.`Retention.keptFrom`, day)
    }
}

extension Connection {
    fileprivate func advanceBases(
        of devices: [Pseudonym], through end: Timestamp, room: ReadRoom, fold: @Sendable (Int32) -> DeviceFold
    ) async throws -> Int {
        var histories = DeviceHistories()
        for row in try await query(SQL.`Retention.bases`, [devices, end]) {
            let device = try row.decode(Pseudonym.self, at: 0)
            let claim = DeviceClaims.Claim(appNumber: try row.decode(Int32.self, at: 1))
            var stored = StoredDevice(lastOrdinal: 0)
            stored.base = try StoredDevice.Checkpoint(row, through: 2, bytes: 3)
            stored.lacksPast = try row.decode(Bool.self, at: 4)
            histories.byDevice[device] = DeviceHistory(
                device, claim, before: stored, fold: fold(claim.appNumber), plausibility: room.plausibility)
        }
        var left = Int.max
        _ = try await foldPages(of: ObservationRange(devices: devices), into: &histories, left: &left) {
            try await observationPage($0, before: end, from: $1, room: room)
        }
        // A past that can't be read stays as it is: it may be read one day.
        let folded = histories.all.filter { $0.failure == nil }
        let failed = histories.all.compactMap { history in history.failure.map { SetAside(history, $0) } }
        try await setAside(failed)
        _ = try await query(
            SQL.`Retention.saveBases`,
            [
                folded.map(\.device), folded.map(\.appNumber), end - .microseconds(1),
                folded.map { ByteArray($0.fold.checkpoint(of: $0.state)) },
            ])
        return failed.count
    }
}
