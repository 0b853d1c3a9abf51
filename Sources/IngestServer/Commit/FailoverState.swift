internal import Spool

/// Whether batches go to the spool instead of the store, and what to log about it: each line once per spell, however many
/// requests are affected. A spell lasts from the first batch in the spool until the store has every batch.
///
/// A pure value: ``Failover`` owns it and carries out its decisions.
struct FailoverState {
    typealias Instant = ContinuousClock.Instant

    enum Line: Hashable {
        case takesOver(reason: String)
        case takesNothing(reason: String)
        case isFull(limit: Int)
        /// - Parameters:
        ///   - seconds: how long the spell lasted.
        ///   - setAside, lost: batches that the store does not have.
        case hasDrained(batches: Int, seconds: Int64, setAside: Int, lost: Int)
    }

    private enum Complaint: Hashable {
        case full, failing
    }

    /// Whether the store was unavailable at the last try.
    private(set) var isOn = false
    private var since: Instant?
    private var drained = 0
    private var complaints: Set<Complaint> = []

    /// - Parameter held: batches in the spool from an earlier run.
    init(held: Int, at now: Instant) { since = held > 0 ? now : nil }

    mutating func storeWasAway(_ reason: String, at now: Instant) -> [Line] {
        isOn = true
        return beginSpell(reason, at: now)
    }

    mutating func storeAnswered() { isOn = false }

    /// The spool stored some of the batches that it was given.
    mutating func spoolTook(_ count: Int, of all: Int, limit: Int, at now: Instant) -> [Line] {
        // If this begins a spell, the store was not unavailable, only too slow.
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
    /// - Parameter level: the spool's, in which more batches might have arrived since.
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
