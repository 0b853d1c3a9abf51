package import CensusCore

/// The state of a census: what an operator wants to see first.
package struct StoreStatus: Hashable, Sendable {
    /// One night: the last one, in ``StoreStatus``.
    package struct Night: Hashable, Sendable, Codable {
        package var startedAt: Timestamp
        /// Nil: it is still running, or was killed.
        package var finishedAt: Timestamp?
        /// Nil: nothing failed.
        package var failure: String?
        package var devices: Int?
        package var daysClosed: Int?
        package var daysRestated: Int?
        package var appsFailed: Int?
        package var seconds: Double

        /// Only when it ran: its failures name apps, and what it did concerns all of them.
        var withoutApps: Night { Night(startedAt: startedAt, finishedAt: finishedAt, seconds: seconds) }
    }

    package struct App: Hashable, Sendable, Encodable {
        package var id: String
        package var zone: String
        /// The last day that has ended, in its zone.
        package var lastEnded: Day
        /// Nil: none was ever closed.
        package var lastClosed: Day?
        /// Whether its ledger was found to be wrong; a night recounts it.
        package var isDoubted: Bool
        /// Time of its last reconciled event; nil: there is none.
        package var lastEventAt: Timestamp?
        /// When its first event was accepted, counted or not; nil: none was.
        package var firstSeenAt: Timestamp?
        /// Why its days could not be closed, and the kind of fault; nil if they were closed.
        package var failure: String?
        package var fault: NightFault?
        /// At the end of the last closed day; nil: none was closed.
        package var devicesActive: Int?
        /// How often apps read the widget list on the app's current day, and how often that failed.
        package var reads: Int
        package var readsFailed: Int
        /// Today and yesterday, in UTC.
        package var eventsRefused: Int
        /// Kinds that an update took away and that nobody has acknowledged, the newest first.
        package var openLosses: [String]
        package var devicesSetAside: Int
        /// The reason for one of them.
        package var setAsideReason: String?
        package var webhooksFailing: Int
        /// In the last week.
        package var messagesGivenUp: Int
        package var hasWriteKey: Bool

        private enum CodingKeys: String, CodingKey {
            case id = "app_id"
            case zone, lastEventAt, lastClosed, lastEnded, failure, devicesActive
            case reads = "reads_today"
            case readsFailed = "reads_failed_today"
            case eventsRefused, openLosses, devicesSetAside, webhooksFailing, messagesGivenUp
        }
    }

    /// Where the setting comes from that makes every transaction read-only.
    package struct ReadOnly: Hashable, Sendable, Decodable {
        /// `pg_settings.source`: where the setting was made.
        package var source: String
        package var role: String
        package var database: String
    }

    /// A session that isn't ours. We don't read its query.
    package struct BlockingSession: Hashable, Sendable, Decodable {
        package var pid: Int
        package var role: String
        /// When its transaction began, or ours began to wait for it; nil: our role may not see that.
        package var since: Timestamp?
        /// How many of our sessions wait for it; 0: it was left idle in a transaction.
        package var waiting: Int
    }

    /// Counting stops here, because the exact length of such a long queue does not matter.
    package static let countLimit = 100_000

    /// On PostgreSQL's clock.
    package var askedAt: Timestamp
    package var postgresVersion: String
    package var isStandby: Bool
    /// Nil for a single PostgreSQL.
    package var distribution: Distribution?
    /// Workers of a Citus cluster over which no table is distributed yet; 0 elsewhere.
    package var idleWorkers: Int
    /// Where `default_transaction_read_only` was switched on; nil: it is off.
    package var readOnly: ReadOnly?
    /// Collations that changed under indexes.
    package var staleCollations: [Deployment.StaleCollation] = []
    /// Other people's sessions that block ours, the one that blocks most first.
    package var blockers: [BlockingSession] = []
    /// Settings under which a crash can lose committed data.
    package var unsafeSettings: [Deployment.UnsafeSetting]
    /// Entries of the reconciler's queue, up to ``countLimit``.
    package var devicesPending: Int
    /// When the oldest of these entries was queued; nil: none waits.
    package var pendingSince: Timestamp?
    /// Nil: there was none yet.
    package var night: Night?
    package var apps: [App]

    /// The time of the last reconciled event of any app.
    package var lastEventAt: Timestamp? { apps.compactMap(\.lastEventAt).max() }
}
