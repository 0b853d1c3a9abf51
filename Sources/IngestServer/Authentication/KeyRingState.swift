internal import CensusStore

/// Every decision of ``KeyRing``, as a value: which query's keys count, when the next query begins, and which request waits for
/// which query.
///
/// Queries are numbered as they begin. Scheduled ones begin by themselves. Those for unknown keys run one at a time, however
/// slow the store is, so that guesses don't use up its connections.
struct KeyRingState<Waiter> {
    typealias Instant = ContinuousClock.Instant

    enum Action {
        /// Call ``beginForWaiters(at:)`` at that time, or at once if nil.
        case schedule(Instant?)
        /// Resume the waiter: with its query's failure, or nil if ``keys`` are from that query or a newer one.
        case answer(Waiter, StoreError?)
    }

    /// The shortest time between two queries for unknown keys, because somebody might be guessing.
    static var spacing: Duration { .milliseconds(100) }

    private(set) var keys: [KeyHash: KeyRecord] = [:]
    /// The number of the query that ``keys`` came from.
    private var held = 0
    private var begun = 0
    private var begunAt: Instant?
    /// Requests with an unknown key that came after the running query began. It might have missed the key, so they wait for the
    /// next.
    private var waiting: [Waiter] = []
    /// Requests that wait for the running query.
    private var served: [Waiter] = []
    /// Whether a query for unknown keys is scheduled or running.
    private var isBusy = false

    /// A request has an unknown key, which might have been made a moment ago.
    mutating func wait(_ waiter: Waiter) -> [Action] {
        waiting.append(waiter)
        return isBusy ? [] : schedule()
    }

    /// A scheduled query begins, for which no request waits.
    ///
    /// - Returns: its number.
    mutating func begin(at now: Instant) -> Int {
        begun += 1
        begunAt = now
        return begun
    }

    /// The query for unknown keys begins.
    ///
    /// - Returns: its number.
    mutating func beginForWaiters(at now: Instant) -> Int {
        served = waiting
        waiting = []
        return begin(at: now)
    }

    /// A query has succeeded.
    mutating func took(_ found: [KeyHash: KeyRecord], of reading: Int) {
        // A query that began earlier must not overwrite a later one's keys.
        guard reading > held else { return }
        held = reading
        keys = found
    }

    /// The query for unknown keys has ended.
    mutating func endForWaiters(_ failure: StoreError?) -> [Action] {
        let answers = served.map { Action.answer($0, failure) }
        served = []
        isBusy = false
        return waiting.isEmpty ? answers : answers + schedule()
    }

    private mutating func schedule() -> [Action] {
        isBusy = true
        return [.schedule(begunAt.map { $0 + KeyRingState.spacing })]
    }
}
