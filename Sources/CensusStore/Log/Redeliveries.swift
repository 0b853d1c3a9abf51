internal import Synchronization

/// Whether the next append is likely to meet events that are stored already.
///
/// They come in crowds: after an outage every client sends again. So each append in a row that met some makes twice as many
/// after it expect them.
final class Redeliveries: Sendable {
    private struct State {
        var expected = 0
        var next = 1
    }

    /// How many appends may go by before it is tried again without expecting any.
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

    /// - Parameter met: what came of an append that expected none.
    func note(met: Bool) {
        state.withLock { state in
            state.expected = met ? state.next : 0
            state.next = met ? min(2 * state.next, Redeliveries.most) : max(state.next / 2, 1)
        }
    }
}
