/// What may end one wait for the server: a deadline, and an interruption from outside.
struct Watch {
    var deadline: ContinuousClock.Instant
    /// Nil for work that must be carried through, such as a ROLLBACK.
    var interruption: Interruption?

    init(_ limit: Duration, _ interruption: Interruption?) {
        // A hundred years is forever, and far from overflow.
        deadline = .now + min(limit, .seconds(3_000_000_000))
        self.interruption = interruption
    }

    var isOver: Bool { ContinuousClock.now >= deadline }
    var isInterrupted: Bool { interruption?.isRequested == true }
}
