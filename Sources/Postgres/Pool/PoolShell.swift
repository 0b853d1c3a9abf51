/// Holds the objects behind ``PoolState``'s ids: connections, waiting continuations and the timer.
///
/// It turns actions into effects under the pool's lock. The pool performs the effects after releasing the lock.
struct PoolShell {
    struct Lease: Sendable {
        let id: PoolState.ConnectionID
        let connection: Connection
    }

    typealias Waiting = CheckedContinuation<Result<Lease, PostgresError>, Never>

    enum Effect {
        case open(PoolState.ConnectionID)
        case close(PoolState.ConnectionID, Connection)
        case answer(Waiting, Result<Lease, PostgresError>)
        case interrupt(Connection)
        case finishShutdown([CheckedContinuation<Void, Never>])
        case wake(ContinuousClock.Instant)
    }

    private var state: PoolState
    private var connections: [PoolState.ConnectionID: Connection] = [:]
    private var waiting: [PoolState.WaiterID: Waiting] = [:]
    private var shutdowns: [CheckedContinuation<Void, Never>] = []
    private var timer: (deadline: ContinuousClock.Instant, task: Task<Void, any Error>?)?
    private var lastWaiter = 0
    /// The error of the last failed attempt to connect, while the resulting actions are resolved.
    private var openError: PostgresError?

    init(limits: Pool.Limits) {
        state = PoolState(limits: limits)
    }

    mutating func nextWaiter() -> PoolState.WaiterID {
        lastWaiter += 1
        return lastWaiter
    }

    mutating func awaitLease(_ waiter: PoolState.WaiterID, _ continuation: Waiting) {
        waiting[waiter] = continuation
    }

    mutating func awaitShutdown(_ continuation: CheckedContinuation<Void, Never>) {
        shutdowns.append(continuation)
    }

    mutating func opened(_ id: PoolState.ConnectionID, _ connection: Connection) -> [Effect] {
        connections[id] = connection
        return apply { $0.opened(id, at: .now) }
    }

    mutating func openFailed(_ id: PoolState.ConnectionID, _ error: PostgresError) -> [Effect] {
        openError = error
        defer { openError = nil }
        return apply { $0.openFailed(id, isSaturated: error.sqlState == .tooManyConnections, at: .now) }
    }

    mutating func timerFired(_ deadline: ContinuousClock.Instant) -> [Effect] {
        if timer?.deadline == deadline { timer = nil }
        return apply { $0.tick(.now) }
    }

    mutating func keep(_ task: Task<Void, any Error>, for deadline: ContinuousClock.Instant) {
        // The timer might have fired already, or been replaced by an earlier one.
        if timer?.deadline == deadline { timer?.task = task }
    }

    mutating func apply(_ change: (inout PoolState) -> [PoolState.Action]) -> [Effect] {
        var effects = change(&state).compactMap { resolve($0) }
        if let next = state.nextDeadline, timer.map({ next < $0.deadline }) ?? true {
            timer?.task?.cancel()
            timer = (next, nil)
            effects.append(.wake(next))
        }
        return effects
    }

    private mutating func resolve(_ action: PoolState.Action) -> Effect? {
        switch action {
        case .open(let id):
            return .open(id)
        case .close(let id):
            return connections.removeValue(forKey: id).map { .close(id, $0) }
        case .interrupt(let id):
            return connections[id].map { .interrupt($0) }
        case .hand(let id, let waiter):
            guard let connection = connections[id], let waiting = waiting.removeValue(forKey: waiter) else {
                return nil
            }
            return .answer(waiting, .success(Lease(id: id, connection: connection)))
        case .refuse(let waiter, let refusal):
            return waiting.removeValue(forKey: waiter).map { .answer($0, .failure(error(refusal))) }
        case .finishShutdown:
            defer { shutdowns = [] }
            return .finishShutdown(shutdowns)
        }
    }

    private func error(_ refusal: PoolState.Refusal) -> PostgresError {
        switch refusal {
        case .overdue: PostgresError(.poolExhausted)
        case .tooManyWaiters:
            PostgresError(.poolExhausted, statement: nil, explanation: "too many callers wait for a connection")
        case .cancelled: PostgresError(.cancelled)
        case .poolClosed: PostgresError(.poolClosed)
        case .cannotOpen: openError ?? PostgresError(.connectFailed)
        }
    }

    var statistics: Pool.Statistics {
        Pool.Statistics(
            idle: state.idle.count, busy: state.busy.count, opening: state.opening.count, waiting: state.waiters.count,
            maximum: state.limits.maximumConnections, opened: state.counts.opened,
            openFailures: state.counts.openFailures, refused: state.counts.refused)
    }
}
