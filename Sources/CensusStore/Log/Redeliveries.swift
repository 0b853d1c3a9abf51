internal import Synchronization

/// Whether the next append is likely to meet events that are stored already.
///
/// Redeliveries come in waves, because every client resends after an outage. So each consecutive append that met some doubles
/// the number of following appends that expect them.
final class Redeliveries: Sendable {
    private struct State {
        var expected = 0
        var next = 1
    }

    /// The most consecutive appends that expect some, before one that does not.
    private static let most = 64
    private let state = Mutex(State())

    /// Called once before each append.
    func areExpected() -> Bool {
        state.withLock { state in
            guard state.expected > 0 else { return false }
            state.expected -= 1
            return true
        }
    }

    /// - Parameter met: whether an append that expected none met some.
    func note(met: Bool) {
        state.withLock { state in
            state.expected = met ? state.next : 0
            state.next = met ? min(2 * state.next, Redeliveries.most) : max(state.next / 2, 1)
        }
    }
}
