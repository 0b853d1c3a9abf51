internal import Spool

/// Whether the spool stands in for the store, and what to log about it: once each for every spell, however many requests
/// are affected. A spell lasts from the first batch in the spool until the store has all of it.
///
/// A pure value: ``Failover`` owns it and acts on what it says.
struct FailoverState {
    typealias Instant = ContinuousClock.Instant

    enum Line: Hashable {
        case takesOver(reason: String)
        case takesNothing(reason: String)
        case isFull(limit: Int)
        /// - Parameters:
        ///   - seconds: how long the spell lasted.
        ///   - setAside, lost: what the store does not have.
        case hasDrained(batches: Int, seconds: Int64, setAside: Int, lost: Int)
    }

    private enum Complaint: Hashable {
        case full, failing
    }

    /// Whether the store was away when it was last tried.
    private(set) var isOn = false
    private var since: Instant?
    private var drained = 0
    private var complaints: Set<Complaint> = []

    /// - Parameter held: batches that the spool holds from before.
    init(held: Int, at now: Instant) { since = held > 0 ? now : nil }

    mutating func storeWasAway(_ reason: String, at now: Instant) -> [Line] {
        isOn = true
        return beginSpell(reason, at: now)
    }

    mutating func storeAnswered() { isOn = false }

    /// The spool took some of the batches that it was given.
    mutating func spoolTook(_ count: Int, of all: Int, limit: Int, at now: Instant) -> [Line] {
        // Outside a spell the store was not away, only too slow.
        var lines = count > 0 ? beginSpell("requests waited too long for their turn", at: now) : []
        if count < all {
            if complaints.insert(.full).inserted { lines.append(.isFull(limit: limit)) }
        } else {
            complaints.remove(.failing)
        }
        return lines
    }

    mutating func spoolFailed(_ reason: String) -> [Line] {
        complaints.insert(.failing).inserted ? [.takesNothing(reason: reason)] : []
    }

    mutating func storeTook(_ batches: Int) { drained += batches }

    /// The drainer has nothing left to deliver.
    ///
    /// - Parameter level: the spool's; more may have arrived meanwhile.
    mutating func hasDrained(_ level: SpoolLevel, at now: Instant) -> [Line] {
        guard !isOn, level.batches == 0 else { return [] }
        defer { (since, drained, complaints) = (nil, 0, []) }
        guard let since else { return [] }
        return [
            .hasDrained(
                batches: drained, seconds: (now - since).components.seconds, setAside: level.setAside, lost: level.lost)
        ]
    }

    private mutating func beginSpell(_ reason: String, at now: Instant) -> [Line] {
        guard since == nil else { return [] }
        since = now
        return [.takesOver(reason: reason)]
    }
}
