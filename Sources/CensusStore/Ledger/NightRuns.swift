package import CensusCore
internal import Postgres

/// What a night did, for later inspection; nil if it did not get that far.
package struct NightRecord: Hashable, Sendable {
    package var devices = 0
    package var observations = 0
    package var spansChanged = 0
    package var daysClosed: Int?
    package var daysRestated: Int?
    /// Apps whose days could not be closed.
    package var appsFailed: Int?
    package var ledgersRecounted: Int?
    package var partitionsMade: Int?
    package var partitionsDropped: Int?
    package var reconcileSeconds: Double?
    package var closeSeconds: Double?
    package var keepSeconds: Double?
    package var verifySeconds: Double?

    package init() {}
}

/// The records of what nights did.
package struct NightRuns: Sendable {
    let database: Database

    /// Records that a night begins. A night that is killed never gets an end.
    ///
    /// - Returns: the run's number.
    package func begin() async throws(StoreError) -> Int64 {
        guard let number = try await database.value(SQL.NightRuns.begin, as: Int64.self) else {
            throw StoreError(.ours, "the night could not be recorded")
        }
        return number
    }

    /// When a night last ended without a failure; nil if none ever did.
    package func lastWhole() async throws(StoreError) -> Timestamp? {
        try await database.value(SQL.NightRuns.lastWhole, as: Timestamp.self)
    }

    /// Records how a night ended, and queues messages for webhooks that expected something else.
    ///
    /// - Parameters:
    ///   - failure: what failed and why, without data; nil when nothing did.
    ///   - failures: the same for webhooks; nil: they get no message, because the night was interrupted.
    ///   - app: the only app of the night; nil: all apps.
    package func end(
        _ number: Int64, _ record: NightRecord, failure: String? = nil, failures: [NightFailure]? = nil,
        app: App? = nil
    ) async throws(StoreError) {
        let counts = [
            record.devices, record.observations, record.spansChanged, record.daysClosed, record.daysRestated,
            record.partitionsMade, record.partitionsDropped,
        ].map { $0.map(Int64.init) }
        let seconds = [record.reconcileSeconds, record.closeSeconds, record.keepSeconds, record.verifySeconds]
        let apps = [record.appsFailed, record.ledgersRecounted].map { $0.map(Int64.init) }
        try await database.transaction("NightRuns.end") { transaction in
            try await transaction.run(SQL.NightRuns.end, [number, failure] + counts + seconds + apps)
            if let failures { try await transaction.report(failures, appNumber: app?.number) }
        }
    }
}
