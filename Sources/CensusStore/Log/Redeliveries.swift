internal import Synchronization

/// Whether the next append is likely to meet events that are stored already.
///
/// They come in waves: after an outage every client sends again. So each append in a row that met some doubles the number of
/// appends after it that expect them.
final class Redeliveries: Sendable {
    private struct State {
        var expected = 0
        var next = 1
    }

    /// The most appends in a row that expect some, before one is tried that does not.
    private static let most = 64
    private let state = Mutex(State())

    /// Asked once before each append.
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
