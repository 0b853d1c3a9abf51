package import CensusStore

extension NightlyJob {
    /// What a night did for one app.
    package struct Night: Hashable, Sendable {
        package var appID: String
        /// Nil when nothing was ever heard, so that there was no day to close, and when it failed.
        package var closed: ClosedDays?
        /// Why its days could not be closed, not even by counting its ledger again.
        package var failure: StoreError?
    }

    /// A part of the night that failed for all apps, while the others were done.
    package struct Failure: Hashable, Sendable {
        package var step: NightStep
        package var error: StoreError
    }

    package struct Summary: Sendable {
        package var reconciled = ReconciledBatch()
        package var nights: [Night] = []
        package var failures: [Failure] = []
        /// Mass losses by an update that were found this night.
        package var incidents: [(appID: String, incident: LossIncident)] = []
        /// The verdicts on every kind that is legacy or retired.
        package var verdicts: [(appID: String, verdict: KindVerdict)] = []
        /// Devices that are set aside when the night ends, whichever run did it.
        package var setAside = 0
        /// Further devices, whose reports are more than a phone can have.
        package var implausible = 0
        package var partitionsMade: Int?
        package var partitionsDropped: Int?
        /// Partitions that the next night must make or drop, because another session held the table.
        package var partitionsPutOff: Int?
        /// What the check found; nil unless it was asked for.
        package var verification: Verification?
        /// How long each part took; parts that were not reached are absent.
        package var durations: [NightStep: Duration] = [:]
    }
}

extension NightlyJob.Summary {
    /// Days that were closed for the first time, of all apps.
    package var daysClosed: Int { nights.reduce(0) { $0 + ($1.closed?.daysClosed ?? 0) } }

    /// Days closed before with some number that is now different, of all apps.
    package var daysRestated: Int { nights.reduce(0) { $0 + ($1.closed?.daysRestated ?? 0) } }

    /// Apps whose days could not be closed.
    package var appsFailed: [NightlyJob.Night] { nights.filter { $0.failure != nil } }

    /// Apps whose ledger was counted again from the spans.
    package var ledgersRecounted: Int { nights.count { $0.closed?.isRecounted == true } }

    /// Whether everything that failed did so because the store was away: running again may work.
    package var isStoreAway: Bool {
        let faults = appsFailed.compactMap { $0.failure?.fault } + failures.map(\.error.fault)
        return !faults.isEmpty && faults.allSatisfy { $0 == StoreError.Fault.away }
    }

    /// Everything that failed, a sentence each.
    package var failed: [String] {
        failures.map { "\($0.step.rawValue): \($0.error)" }
            + appsFailed.map { "\($0.appID) could not be closed: \($0.failure?.description ?? "")" }
    }

    var failure: String? { failed.isEmpty ? nil : failed.joined(separator: "; ") }

    package func seconds(_ step: NightStep) -> Double? { durations[step].map { $0 / .seconds(1) } }

    var record: NightRecord {
        var record = NightRecord()
        record.devices = reconciled.devices
        record.observations = reconciled.observations
        record.spansChanged = reconciled.spansChanged
        record.daysClosed = daysClosed
        record.daysRestated = daysRestated
        record.appsFailed = nights.isEmpty ? nil : appsFailed.count
        record.ledgersRecounted = nights.isEmpty ? nil : ledgersRecounted
        record.partitionsMade = partitionsMade
        record.partitionsDropped = partitionsDropped
        record.reconcileSeconds = seconds(.reconciling)
        record.closeSeconds = seconds(.closing)
        record.keepSeconds = seconds(.keeping)
        record.verifySeconds = seconds(.verifying)
        return record
    }
}

/// What a check of the ledger and all reports found.
package struct Verification: Sendable {
    /// Cells of an app's ledger that a new count from the spans contradicts.
    package var differences: [(appID: String, difference: LedgerDifference)] = []
    /// Claims about reports that do not hold; those of severity `warn` are worth knowing, but not faults.
    package var broken: [ReportCheck] = []

    package init() {}

    /// Whether every number is right.
    package var holds: Bool { differences.isEmpty && broken.allSatisfy { $0.severity == .warn } }
}
