/// The pool's decisions as a value: events go in, actions come out. It knows no sockets, tasks or clocks.
///
/// A connection is always in exactly one of `opening`, `idle`, `busy` and `closing`, and a waiter in `waiters`, until an action
/// removes it. Nobody waits while a connection is idle, or while another one can be opened.
struct PoolState {
    typealias Instant = ContinuousClock.Instant
    /// Ids are never reused, so a late event has no effect.
    typealias ConnectionID = Int
    typealias WaiterID = Int

    enum Action: Hashable {
        /// Open a connection, then report ``opened(_:at:)`` or ``openFailed(_:isSaturated:at:)``.
        case open(ConnectionID)
        /// Close it, then report ``closed(_:)``.
        case close(ConnectionID)
        case hand(ConnectionID, to: WaiterID)
        case refuse(WaiterID, Refusal)
        /// Cancel the statement of a busy connection, so that it is released soon.
        case interrupt(ConnectionID)
        /// Nothing is left to wait for.
        case finishShutdown
    }

    enum Refusal: Hashable {
        case overdue, tooManyWaiters, cancelled, poolClosed, cannotOpen
    }

    struct Waiter {
        var id: WaiterID
        var deadline: Instant
    }

    struct Idle {
        var id: ConnectionID
        var since: Instant
    }

    let limits: Pool.Limits
    /// First come, first served.
    var waiters: [Waiter] = []
    /// By last use, oldest first.
    var idle: [Idle] = []
    var busy: Set<ConnectionID> = []
    var opening: Set<ConnectionID> = []
    var closing: Set<ConnectionID> = []
    /// Set by ``shutDown(graceEnds:)``.
    var graceEnds: Instant?
    var isGraceOver = false
    /// Set while the server accepts no more connections and ours are in use. Callers then get released ones.
    var saturatedUntil: Instant?
    var counts = (opened: 0, openFailures: 0, refused: 0)
    private var lastID = 0

    /// How long to wait before connecting again to a server that accepts no more connections.
    static let saturationPause = Duration.seconds(1)

    init(limits: Pool.Limits) {
        self.limits = limits
    }

    /// - Parameter isReturning: whether the caller already got a dead connection. It then goes to the front of the queue.
    mutating func acquire(_ waiter: WaiterID, deadline: Instant, isReturning: Bool = false) -> [Action] {
        guard graceEnds == nil else { return [.refuse(waiter, .poolClosed)] }
        if let connection = idle.popLast() {
            busy.insert(connection.id)
            return [.hand(connection.id, to: waiter)]
        }
        guard waiters.count < limits.maximumWaiters || isReturning || canOpen else {
            counts.refused += 1
            return [.refuse(waiter, .tooManyWaiters)]
        }
        waiters.insert(Waiter(id: waiter, deadline: deadline), at: isReturning ? 0 : waiters.count)
        return openForWaiters()
    }

    /// Removes a caller that no longer waits. If it already got a connection, it releases that as always.
    mutating func cancel(_ waiter: WaiterID) -> [Action] {
        guard let index = waiters.firstIndex(where: { $0.id == waiter }) else { return [] }
        waiters.remove(at: index)
        return [.refuse(waiter, .cancelled)]
    }

    mutating func opened(_ connection: ConnectionID, at now: Instant) -> [Action] {
        guard opening.remove(connection) != nil else { return [] }
        counts.opened += 1
        return place(connection, at: now)
    }

    /// - Parameter isSaturated: whether the server rejected the connection because it has too many.
    mutating func openFailed(_ connection: ConnectionID, isSaturated: Bool, at now: Instant) -> [Action] {
        guard opening.remove(connection) != nil else { return [] }
        counts.openFailures += 1
        if isSaturated, !busy.isEmpty {
            saturatedUntil = now.advanced(by: Self.saturationPause)
            return []
        }
        // Each failed attempt refuses one caller, the one that has waited longest. The others get attempts of their own.
        guard !waiters.isEmpty else { return finishIfDone() }
        return [.refuse(waiters.removeFirst().id, .cannotOpen)] + openForWaiters() + finishIfDone()
    }

    mutating func release(_ connection: ConnectionID, _ condition: Connection.Condition, at now: Instant) -> [Action] {
        guard busy.remove(connection) != nil else { return [] }
        switch condition {
        case .clean: return place(connection, at: now)
        case .lost, .inTransaction: return [close(connection)]
        case .unanswered:
            // Probably the network is down. Each idle connection would cost its next caller a whole deadline.
            let suspects = idle.map(\.id)
            idle = []
            return ([connection] + suspects).map { close($0) }
        }
    }

    mutating func closed(_ connection: ConnectionID) -> [Action] {
        guard closing.remove(connection) != nil else { return [] }
        // The server can accept another connection now.
        saturatedUntil = nil
        return openForWaiters() + finishIfDone()
    }

    private mutating func place(_ connection: ConnectionID, at now: Instant) -> [Action] {
        guard graceEnds == nil else { return [close(connection)] }
        guard !waiters.isEmpty else {
            idle.append(Idle(id: connection, since: now))
            return []
        }
        busy.insert(connection)
        return [.hand(connection, to: waiters.removeFirst().id)]
    }

    mutating func close(_ connection: ConnectionID) -> Action {
        closing.insert(connection)
        return .close(connection)
    }

    var total: Int { idle.count + busy.count + opening.count + closing.count }

    private var canOpen: Bool { total < limits.maximumConnections && saturatedUntil == nil }

    mutating func openForWaiters() -> [Action] {
        var actions: [Action] = []
        while canOpen, opening.count < waiters.count {
            lastID += 1
            opening.insert(lastID)
            actions.append(.open(lastID))
        }
        return actions
    }
}
