internal import NIOCore
internal import Synchronization

/// Whether one connection's client takes its answers: until it has taken most of one, the next request is not worked on.
///
/// ``HeadWatch`` tells it what passes; the handler waits for it.
final class AnswerFlow: Sendable {
    private struct State {
        /// Answers that were made and have not been written to the channel yet.
        var made = 0
        /// Whether the channel holds more than the upper of ``AnswerFlow/marks`` that the client does not take.
        var isBlocked = false
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        var isClear: Bool { hasEnded || (made == 0 && !isBlocked) }

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            guard isClear else { return [] }
            defer { waiting = [] }
            return waiting
        }
    }

    /// Bytes that a channel may hold before its connection counts as blocked, and after which it no longer does.
    static let marks = ChannelOptions.Types.WriteBufferWaterMark(low: 8 << 10, high: 16 << 10)
    /// What the system may keep of a connection's answers, which it takes twice for its own purposes. Left to itself it keeps megabytes.
    static let systemBytes: SocketOptionValue = 64 << 10
    /// A larger answer is written in pieces of this size, each when there is room for it.
    static let piece = 8 << 10

    private let state = Mutex(State())

    /// Waits until what was answered before has been taken, or the connection has ended.
    func clear() async {
        await withCheckedContinuation { continuation in
            let isClear = state.withLock { state in
                if !state.isClear { state.waiting.append(continuation) }
                return state.isClear
            }
            if isClear { continuation.resume() }
        }
    }

    /// An answer was made, and will be written.
    func made() { state.withLock { $0.made += 1 } }

    /// The end of an answer was written to the channel.
    func written() { change { $0.made = max($0.made - 1, 0) } }

    func block(_ isBlocked: Bool) { change { $0.isBlocked = isBlocked } }

    func end() { change { $0.hasEnded = true } }

    private func change(_ change: (inout State) -> Void) {
        let clear = state.withLock { state in
            change(&state)
            return state.takeWaiting()
        }
        for continuation in clear { continuation.resume() }
    }
}
