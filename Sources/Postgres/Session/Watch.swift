internal import Synchronization

/// The limits of one wait for the server: a deadline, and an interruption from outside.
struct Watch {
    var deadline: ContinuousClock.Instant
    /// Nil for work that must be completed, like a ROLLBACK.
    var interruption: Interruption?
    /// How long to wait after an interruption for work that should not be cancelled, like a COMMIT. Nil: an interruption sends
    /// a cancel request at once.
    var grace: Duration?

    init(_ limit: Duration, _ interruption: Interruption?, grace: Duration? = nil) {
        // A hundred years is forever, and far from overflow.
        deadline = .now + min(limit, .seconds(3_000_000_000))
        self.interruption = interruption
        self.grace = grace
    }

    var isOver: Bool { ContinuousClock.now >= deadline }
    var isInterrupted: Bool { interruption?.isRequested == true }

    /// The watch after an interruption with a grace. It can't be interrupted again.
    func hurried(by grace: Duration) -> Watch {
        var watch = self
        watch.deadline = min(deadline, .now + grace)
        watch.interruption = nil
        return watch
    }
}

/// A request to end one operation now. It can come at any time and from any thread, even long after the operation.
final class Interruption: Sendable {
    private let requested = Atomic(false)
    private let wakeUp: WakeUp

    init(_ wakeUp: WakeUp) {
        self.wakeUp = wakeUp
    }

    var isRequested: Bool { requested.load(ordering: .acquiring) }

    func request() {
        requested.store(true, ordering: .releasing)
        wakeUp.signal()
    }
}
