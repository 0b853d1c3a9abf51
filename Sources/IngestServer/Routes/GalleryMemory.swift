internal import CensusCore
internal import CensusStore

/// The apps' decisions as this node last read them, and whether to query the store. ``GalleryPolicyEndpoint`` uses it while the
/// store is unavailable.
struct GalleryMemory {
    typealias Instant = ContinuousClock.Instant

    /// The decisions about an app's kinds.
    struct Decisions: Sendable {
        var gallery: GalleryKinds
        /// By the server's clock, which can jump, so only for display.
        var readAt: Timestamp
        /// When the query began.
        var begun: Instant

        /// Whether they can still be served as the general response.
        func isGood(at now: Instant) -> Bool { now <= begun + GalleryMemory.goodFor }
    }

    static let goodFor: Duration = .hours(24)

    /// For queries of decisions.
    var decisionsOutage = Outage()
    /// For queries of devices' observations. Separate, because a lock on the observations blocks only these.
    var devicesOutage = Outage()
    private var byApp: [Int32: Decisions] = [:]

    /// Stores the result of a query, unless a query that began later has stored its own.
    mutating func keep(_ decisions: Decisions, of appNumber: Int32) {
        if let known = byApp[appNumber], known.begun > decisions.begun { return }
        byApp[appNumber] = decisions
    }

    /// - Returns: the last decisions, however old; nil if this node has never read them.
    func decisions(of appNumber: Int32) -> Decisions? { byApp[appNumber] }
}

/// Whether to query a store that stopped answering. After a few failures, one caller a second tries it, and the others don't
/// wait.
struct Outage {
    typealias Instant = ContinuousClock.Instant

    /// Fewer failures in a row might be caused by one device whose history is too long to read.
    static let failures = 3
    static let interval: Duration = .seconds(1)

    private var failures = 0
    /// When to try the store again; nil while it answers.
    private var nextQuestion: Instant?

    mutating func mayAsk(at now: Instant) -> Bool {
        guard let nextQuestion else { return true }
        guard nextQuestion <= now else { return false }
        self.nextQuestion = now + Outage.interval
        return true
    }

    mutating func answered() { self = Outage() }

    mutating func failed(at now: Instant) {
        failures += 1
        if failures >= Outage.failures { nextQuestion = now + Outage.interval }
    }
}
