internal import Synchronization

/// A result that several callers can deliver and one task awaits. The first one counts.
final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Result<Value, PostgresError>, Never>)
        case finished(Result<Value, PostgresError>)
    }

    private let state = Mutex(State.open)

    func finish(_ result: Result<Value, PostgresError>) {
        let continuation = state.withLock { state -> CheckedContinuation<Result<Value, PostgresError>, Never>? in
            switch state {
            case .open:
                state = .finished(result)
                return nil
            case .awaited(let continuation):
                state = .finished(result)
                return continuation
            case .finished:
                return nil
            }
        }
        continuation?.resume(returning: result)
    }

    /// - Precondition: only one task awaits it, once.
    var value: Result<Value, PostgresError> {
        get async {
            await withCheckedContinuation { continuation in
                let early = state.withLock { state -> Result<Value, PostgresError>? in
                    if case .finished(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        }
    }
}
