internal import Synchronization

/// The wish that one operation ends now. It may come at any time and from any thread, also long after the operation.
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
