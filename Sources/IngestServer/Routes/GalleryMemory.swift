internal import CensusCore
internal import CensusStore

/// What this node last read of the apps' decisions, and whether the store is worth asking: what
/// ``GalleryPolicyEndpoint`` goes by while the store is away.
struct GalleryMemory {
    typealias Instant = ContinuousClock.Instant

    /// What was decided about an app's kinds.
    struct Decisions: Sendable {
        var gallery: GalleryKinds
        /// By the server's clock, which may jump: only for display.
        var readAt: Timestamp
        /// When the reading began.
        var begun: Instant

        /// Whether they may still be served as the general answer.
        func isGood(at now: Instant) -> Bool { now <= begun + GalleryMemory.goodFor }
    }

    static let goodFor: Duration = .hours(24)

    /// The outage of reading decisions.
    var decisionsOutage = Outage()
    /// The outage of reading what devices sent: a lock on the log stops this, but not the other.
    var devicesOutage = Outage()
    private var byApp: [Int32: Decisions] = [:]

    /// A reading that began earlier must not undo a later one.
    mutating func keep(_ decisions: Decisions, of appNumber: Int32) {
        if let known = byApp[appNumber], known.begun > decisions.begun { return }
        byApp[appNumber] = decisions
    }

    /// - Returns: however old; nil when they were never read here.
    func decisions(of appNumber: Int32) -> Decisions? { byApp[appNumber] }
}

/// Whether a store that stopped answering is worth asking: after a few failures one caller a second finds out whether it is
/// back, and the others need not wait for that.
struct Outage {
    typealias Instant = ContinuousClock.Instant

    /// Fewer failures in a row may be the doing of one device whose history is too long to read.
    static let failures = 3
    static let interval: Duration = .seconds(1)

    private var failures = 0
    /// Nil: as far as is known, the store answers.
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
