internal import CensusStore

/// Every decision of ``KeyRing``, as a value: which reading of the keys counts, when the next one begins, and who waits for
/// which.
///
/// Readings are numbered as they begin. Scheduled ones begin by themselves; those that unknown keys ask for
/// run one at a time, however slow the store is: guesses must not take its connections from the others.
struct KeyRingState<Waiter> {
    typealias Instant = ContinuousClock.Instant

    enum Action {
        /// Call ``beginForWaiters(at:)`` then; nil: at once.
        case schedule(Instant?)
        /// With the failure of the reading that the waiter waited for; nil: its keys are there, or newer ones.
        case answer(Waiter, StoreError?)
    }

    /// The shortest time between two questions to the store about unknown keys: somebody may be guessing.
    static var spacing: Duration { .milliseconds(100) }

    private(set) var keys: [KeyHash: KeyRecord] = [:]
    /// The reading that ``keys`` came from.
    private var held = 0
    private var begun = 0
    private var begunAt: Instant?
    /// They met an unknown key after the reading under way began, which may have missed it: they wait for the next one.
    private var waiting: [Waiter] = []
    /// Those who wait for the reading that is under way on behalf of unknown keys.
    private var served: [Waiter] = []
    /// Whether such a reading is scheduled or under way.
    private var isBusy = false

    /// Somebody met an unknown key: it may have been made a moment ago.
    mutating func wait(_ waiter: Waiter) -> [Action] {
        waiting.append(waiter)
        return isBusy ? [] : schedule()
    }

    /// A reading begins that nobody waits for.
    ///
    /// - Returns: its number.
    mutating func begin(at now: Instant) -> Int {
        begun += 1
        begunAt = now
        return begun
    }

    /// The reading begins that was scheduled.
    ///
    /// - Returns: its number.
    mutating func beginForWaiters(at now: Instant) -> Int {
        served = waiting
        waiting = []
        return begin(at: now)
    }

    /// A reading has ended.
    mutating func took(_ found: [KeyHash: KeyRecord], of reading: Int) {
        // One that began earlier must not undo a later one.
        guard reading > held else { return }
        held = reading
        keys = found
    }

    /// The reading that was scheduled has ended.
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
