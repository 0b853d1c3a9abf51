internal import Foundation
internal import Synchronization

/// Writes standard output in pieces, so that a signal can end a command that waits for a slow reader and stop its private
/// PostgreSQL.
final class AnswerStream: Sendable {
    /// The only one in the process.
    static let shared = AnswerStream()

    private static let piece = 64 << 10

    private struct State {
        var waiting: [UInt8] = []
        /// Why it stopped writing.
        var failure: Failure?
    }

    enum Failure: Hashable {
        /// The errno of a failed write.
        case system(Int32)
        /// A signal arrived while no reader took anything.
        case interrupted
    }

    private let state = Mutex(State())

    var failure: Failure? { state.withLock { $0.failure } }

    func write(_ bytes: some Sequence<UInt8>) {
        state.withLock { state in
            guard state.failure == nil else { return }
            state.waiting += bytes
            let isScreen = isatty(STDOUT_FILENO) == 1
            if isScreen || state.waiting.count >= AnswerStream.piece { AnswerStream.flush(&state) }
        }
    }

    /// - Returns: why this or an earlier part of the output could not be written; nil if all of it was.
    func flush() -> Failure? {
        state.withLock { state in
            AnswerStream.flush(&state)
            return state.failure
        }
    }

    private static func flush(_ state: inout State) {
        guard state.failure == nil else { return }
        var rest = state.waiting[...]
        defer { state.waiting = [] }
        while !rest.isEmpty {
            var wanted = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&wanted, 1, 100) != 0 else {
                if Interruption.shared.hasCome { return state.failure = .interrupted }
                continue
            }
            // A ready pipe takes this much without blocking.
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, min($0.count, 4_096)) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR, errno != EAGAIN {
                return state.failure = .system(errno)
            }
        }
    }
}
