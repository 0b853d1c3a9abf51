/// What may end one wait for the server: a deadline, and an interruption from outside.
struct Watch {
    var deadline: ContinuousClock.Instant
    /// Nil for work that must be carried through, such as a ROLLBACK.
    var interruption: Interruption?
    /// For work that is not cancelled but not waited for without end, such as a COMMIT: how long it may take from the
    /// interruption on. Nil: the server is asked to cancel it.
    var grace: Duration?

    init(_ limit: Duration, _ interruption: Interruption?, grace: Duration? = nil) {
        // A hundred years is forever, and far from overflow.
        deadline = .now + min(limit, .seconds(3_000_000_000))
        self.interruption = interruption
        self.grace = grace
    }

    var isOver: Bool { ContinuousClock.now >= deadline }
    var isInterrupted: Bool { interruption?.isRequested == true }

    /// The same after an interruption for which there is a grace: not to be interrupted again.
    func hurried(by grace: Duration) -> Watch {
        var watch = self
        watch.deadline = min(deadline, .now + grace)
        watch.interruption = nil
        return watch
    }
}
