internal import Foundation
internal import Synchronization

/// Standard output, in pieces: a signal ends a command that waits for a slow reader, too, so that its private PostgreSQL is
/// stopped.
final class AnswerStream: Sendable {
    /// The process has one.
    static let shared = AnswerStream()

    private static let piece = 64 << 10

    private struct State {
        var waiting: [UInt8] = []
        /// Why nothing more is written.
        var failure: Failure?
    }

    enum Failure: Hashable {
        /// errno.
        case system(Int32)
        /// A signal came while nobody read.
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

    /// - Returns: what kept it, or an earlier part of the answer, from being written.
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
            // A pipe that is ready takes this much without waiting.
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, min($0.count, 4_096)) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR, errno != EAGAIN {
                return state.failure = .system(errno)
            }
        }
    }
}
