package import CensusCore
internal import Postgres

/// Erasure: forgets a device, while its past stays counted without identity (docs/decisions/0019-erasure.md).
package struct Forgetting: Sendable {
    let database: Database
    let apps: AppRegistry
    let devices: DeviceStore

    /// Delete a device's rows from tables whose events need not be counted.
    fileprivate static let deletions = [
        "warned", "pending_device", "set_aside", "device_base", "span", "phase", "device_use", "device_cohort",
        "device",
    ].map { Statement("Forgetting.delete \($0)", "delete from census.\($0) where device_id = $1") }

    /// Deletes everything stored about a device, and makes sure that nothing more is stored until retention ends.
    ///
    /// Its past stays counted without identity (docs/decisions/0019-erasure.md). Safe to run again, several times at once, and
    /// next to all other work. If it is killed, the next run or the next night completes it.
    ///
    /// - Parameters:
    ///   - time: when the erasure was requested.
    ///   - patience: how long to wait for transactions that are storing events now and might not see the request.
    /// - Throws: ``StoreError`` with fault `away` if such a transaction takes longer. Events that arrive from now on are
    ///   dropped anyway.
    package func forget(
        _ device: Pseudonym, of app: App, at time: Timestamp = .now, patience: Duration = .seconds(10)
    ) async throws(StoreError) -> Erasure {
        return try await StoreError.wrapping {
            _ = try await database.query(SQL.Forgetting.begin, [device, app.number, time])
            return try await erase(device, of: app, at: time, patience: patience)
        }
    }

    /// The result of completing erasures.
    package struct Finished: Sendable {
        /// How many devices are now erased completely, and how many are not.
        package var (done, left) = (0, 0)
        /// Why one of them is not; nil if the only reason is sessions that store events for too long.
        package var failure: StoreError?
    }

    /// Completes unfinished erasures. One that can't be completed doesn't stop the others.
    ///
    /// - Parameter patience: how long to wait for sessions that are storing events, for all erasures together.
    package func finish(patience: Duration = .seconds(10)) async throws(StoreError) -> Finished {
        return try await StoreError.wrapping {
            let apps = Dictionary(uniqueKeysWithValues: try await apps.all().map { (Text($0.id), $0) })
            let deadline = ContinuousClock.now + patience
            var finished = Finished()
            for erasure in try await database.rows(SQL.Forgetting.unfinished, as: UnfinishedErasure.self) {
                guard let app = apps[erasure.appID] else { continue }
                do {
                    _ = try await erase(
                        erasure.device, of: app, at: erasure.forgottenAt, patience: deadline - .now,
                        deleteDeadline: .seconds(3_600))
                    finished.done += 1
                } catch {
                    if error is CancellationError { throw error }
                    finished.left += 1
                    if !(error is WritersGoOn) { finished.failure = StoreError(error) }
                }
            }
            return finished
        }
    }

    /// Which of these devices were forgotten.
    package func forgotten(among devices: [Pseudonym]) async throws(StoreError) -> [Pseudonym] {
        try await database.rows(SQL.Forgetting.among, [devices])
    }

    /// - Parameter device: remembered as forgotten in a committed transaction.
    private func erase(
        _ device: Pseudonym, of app: App, at time: Timestamp, patience: Duration,
        deleteDeadline: Duration = .seconds(60)
    ) async throws -> Erasure {
        try await waitForWriters(patience)
        // Acknowledged events count on past days even if they are not folded yet. No more events arrive now.
        _ = try await devices.reconcile(.waitingFor(device))
        return try await database.rawTransaction("Forgetting.erase") { transaction in
            try await transaction.erase(device, of: app, at: time, deadline: deleteDeadline)
        }
    }

    /// Waits for transactions that might have begun to store events before the device was marked as forgotten.
    private func waitForWriters(_ patience: Duration) async throws {
        let deadline = ContinuousClock.now + patience
        var pause: Duration = .milliseconds(2)
        var writers = try await writers(nil)
        while !writers.isEmpty {
            guard ContinuousClock.now < deadline else { throw WritersGoOn() }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(100))
            writers = try await self.writers(writers)
        }
    }

    private func writers(_ known: [String]?) async throws -> [String] {
        try await database.rows(SQL.Forgetting.writers, [known])
    }
}

private struct UnfinishedErasure: Decodable {
    var device: Pseudonym
    var appID: Text
    var forgottenAt: Timestamp
}

/// A transaction that stores events has not ended in time.
struct WritersGoOn: Error {}

extension Transaction {
    /// - Parameter deadline: for deleting its events, which can be many if phones share one id.
    fileprivate func erase(
        _ device: Pseudonym, of app: App, at time: Timestamp, deadline: Duration
    ) async throws -> Erasure {
        try await lock([device])
        try await run(SQL.Forgetting.holdPartitions)
        var erasure = Erasure()
        erasure.wasCounted = try await leavePast(of: device, of: app, at: time)
        for statement in [SQL.Forgetting.deleteObservations, SQL.Forgetting.deleteRefused] {
            erasure.events += try await rows(statement, [device], deadline: deadline, as: Int.self).first ?? 0
        }
        for statement in Forgetting.deletions { try await run(statement, [device]) }
        try await run(SQL.Forgetting.end, [device])
        return erasure
    }

    /// Moves what a device was counted for to a new device without identity, and enters the changes in the ledger.
    ///
    /// - Returns: false if it was never counted.
    private func leavePast(of device: Pseudonym, of app: App, at time: Timestamp) async throws -> Bool {
        guard let row = try await query(SQL.Forgetting.device, [device]).first else { return false }
        let appNumber: Int32 = try row["app_number"]
        let stored = try await storedRows([(device, endingFrom: nil)]).byDevice[device] ?? StoredRows()
        let counted = try StoredDevice.Counted(row)
        var reading = try DeviceReading(
            spans: Array(stored.spans.values), phases: stored.phases, silentAt: row["silent_at"],
            reportingUntil: row["reporting_until"], dueAt: row["due_at"], zone: counted?.zone ?? app.window.zone)
        reading.uses = stored.uses
        reading.cohorts = stored.cohorts
        reading.firstHeard = try DeviceReading.FirstHeard(at: row["first_heard_at"], platform: row["platform"])
        let past = reading.forgotten(at: time)
        var entries = LedgerEntries()
        // A device without a zone was not counted yet.
        entries.add(past, insteadOf: counted == nil ? nil : reading, appNumber: appNumber)
        try await enter(entries)

        guard let from = (past.phases.map(\.from) + past.spans.map(\.from)).min() else { return true }
        let nobody = Pseudonym.random()
        func owned<Value>(_ value: Value) -> OwnedRow<Value> {
            OwnedRow(device: nobody, appNumber: appNumber, value: value)
        }
        var spans = OwnedRows(StoredSpan.table)
        spans.insert(past.spans.enumerated().map { owned(StoredSpan(ordinal: Int32($0 + 1), span: $1)) })
        var phases = OwnedRows(Phase.table)
        phases.insert(past.phases.map(owned))
        var months = OwnedRows(DeviceUses.Month.table)
        months.insert(past.uses.months.map(owned))
        var cohorts = OwnedRows(CohortRow.table)
        cohorts.insert(past.cohorts.rows.map(owned))
        try await run(
            SQL.Forgetting.leave,
            [
                nobody, appNumber, Pseudonym.random(), try row["is_cloned"] as Bool,
                try row["platform"] as String, past.firstHeard?.at ?? from, past.silentAt, past.zone.identifier,
                Int32(past.spans.count),
            ])
        try await spans.save(in: self)
        try await phases.save(in: self)
        try await months.save(in: self)
        try await cohorts.save(in: self)
        return true
    }
}

extension Pseudonym {
    /// A pseudonym that stands for nobody.
    fileprivate static func random() -> Pseudonym {
        Pseudonym(high: .random(in: 0...UInt64.max), low: .random(in: 0...UInt64.max))
    }
}

/// What an erasure deleted.
package struct Erasure: Hashable, Sendable {
    /// Accepted and refused events.
    package var events = 0
    /// Whether the device was counted.
    package var wasCounted = false
}
