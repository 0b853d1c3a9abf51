extension PoolState {
    /// When to call ``tick(_:)`` next; nil if there is nothing to wait for.
    var nextDeadline: Instant? {
        let events = [
            waiters.lazy.map(\.deadline).min(), idle.first?.since.advanced(by: limits.idleTimeout),
            isGraceOver ? nil : graceEnds, saturatedUntil,
        ]
        return events.compactMap { $0 }.min()
    }

    /// Refuses overdue waiters, closes connections idle for too long, and ends grace periods.
    mutating func tick(_ now: Instant) -> [Action] {
        let overdue = waiters.filter { $0.deadline <= now }.map(\.id)
        waiters.removeAll { $0.deadline <= now }
        counts.refused += overdue.count
        let stale = idle.prefix { $0.since.advanced(by: limits.idleTimeout) <= now }.map(\.id)
        idle.removeFirst(stale.count)
        if let saturatedUntil, saturatedUntil <= now { self.saturatedUntil = nil }
        return overdue.map { .refuse($0, .overdue) } + stale.map { close($0) } + openForWaiters() + endGrace(now)
    }

    /// Refuses all callers from now on, including waiting ones. Connections in use can finish until the grace ends.
    mutating func shutDown(graceEnds: Instant) -> [Action] {
        guard self.graceEnds == nil else { return finishIfDone() }
        self.graceEnds = graceEnds
        let refused = waiters.map(\.id)
        let unused = idle.map(\.id)
        waiters = []
        idle = []
        return refused.map { .refuse($0, .poolClosed) } + unused.map { close($0) } + finishIfDone()
    }

    private mutating func endGrace(_ now: Instant) -> [Action] {
        guard let graceEnds, graceEnds <= now, !isGraceOver else { return [] }
        isGraceOver = true
        // Connections still in use are closed when they are released.
        return busy.sorted().map { .interrupt($0) } + [.finishShutdown]
    }

    func finishIfDone() -> [Action] {
        graceEnds != nil && total == 0 ? [.finishShutdown] : []
    }
}
