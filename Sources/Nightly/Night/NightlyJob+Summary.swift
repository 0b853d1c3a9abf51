package import CensusStore

extension NightlyJob {
    /// The result of a night for one app.
    package struct Night: Hashable, Sendable {
        package var appID: String
        /// Nil if it failed, or if the app never had an observation, so there was no day to close.
        package var closed: ClosedDays?
        /// Why its days could not be closed, even by recounting its ledger.
        package var failure: StoreError?
    }

    /// A part of the night that failed. Other parts were done.
    package struct Failure: Hashable, Sendable {
        package var step: NightStep
        /// Nil: for all apps.
        package var appID: String?
        package var error: StoreError
    }

    package struct Summary: Sendable {
        package var reconciled = ReconciledBatch()
        package var nights: [Night] = []
        package var failures: [Failure] = []
        /// Mass losses by an update that this night found.
        package var incidents: [(appID: String, incident: LossIncident)] = []
        /// The verdicts on all kinds that are legacy or retired.
        package var verdicts: [(appID: String, verdict: KindVerdict)] = []
        /// Devices that are set aside when the night ends, by this run or an earlier one.
        package var setAside = 0
        /// Further devices, which claim more than any phone can.
        package var implausible = 0
        package var partitionsMade: Int?
        package var partitionsDropped: Int?
        /// Partitions that the next night must create or drop, because another session locked the table.
        package var partitionsPutOff: Int?
        /// The result of `--verify`; nil without it.
        package var verification: Verification?
        /// How long each part took, without parts that were not reached.
        package var durations: [NightStep: Duration] = [:]
    }
}

extension NightlyJob.Summary {
    /// Days closed for the first time, of all apps.
    package var daysClosed: Int { nights.reduce(0) { $0 + ($1.closed?.daysClosed ?? 0) } }

    /// Days closed earlier with a number that is different now, of all apps.
    package var daysRestated: Int { nights.reduce(0) { $0 + ($1.closed?.daysRestated ?? 0) } }

    /// Apps whose days could not be closed.
    package var appsFailed: [NightlyJob.Night] { nights.filter { $0.failure != nil } }

    /// How many apps had their ledger recounted from the spans.
    package var ledgersRecounted: Int { nights.count { $0.closed?.isRecounted == true } }

    /// Whether all failures happened because the store was away, so that another run might succeed.
    package var isStoreAway: Bool {
        let faults = appsFailed.compactMap { $0.failure?.fault } + failures.map(\.error.fault)
        return !faults.isEmpty && faults.allSatisfy { $0 == StoreError.Fault.away }
    }

    /// All failures, one sentence each.
    package var failed: [String] {
        failures.map { "\($0.step.rawValue): \($0.error)" }
            + appsFailed.map { "\($0.appID) could not be closed: \($0.failure?.description ?? "")" }
    }

    /// The same for webhooks.
    var reported: [NightFailure] {
        failures.map { NightFailure(appID: $0.appID, reason: "\($0.step.rawValue): \($0.error)") }
            + appsFailed.map {
                NightFailure(appID: $0.appID, reason: "its days could not be closed: \($0.failure?.description ?? "")")
            }
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

/// The result of checking the ledger and all reports.
package struct Verification: Sendable {
    /// Cells of an app's ledger that differ from a new count from the spans.
    package var differences: [(appID: String, difference: LedgerDifference)] = []
    /// Checks of reports that failed. Those of severity `warn` are worth knowing, but not faults.
    package var broken: [ReportCheck] = []

    package init() {}

    /// Whether every number is right.
    package var holds: Bool { differences.isEmpty && broken.allSatisfy { $0.severity == .warn } }
}
