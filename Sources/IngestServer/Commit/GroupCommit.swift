internal import CensusStore
internal import Logging
internal import NIOCore
internal import Synchronization

/// Lets concurrent requests share commits: while one group is being committed, the next one gathers.
///
/// A single request is committed at once. Under load the groups grow until the store keeps up. ``CommitState`` decides; this
/// class commits, spools and answers.
///
/// It uses a lock, not an actor: with an actor each request would wait for its turn twice more, each time on another thread.
final class GroupCommit: Sendable {
    typealias State = CommitState<Sender>

    /// A request that waits for its answer.
    struct Sender: Sendable {
        let rows: BatchRows
        let waiter: Waiter
    }

    enum Waiter: Sendable {
        case task(CheckedContinuation<Result<Void, StoreError>, Never>)
        /// Called on the event loop of its connection.
        case connection(any EventLoop, @Sendable (Result<Void, StoreError>) -> Void)
    }

    enum Failure: Error {
        /// Too much is waiting already.
        case full
        case store(StoreError)
    }

    private let store: Store
    private let failover: Failover?
    private let patience: Patience
    private let metrics: IngestMetrics
    private let faults: FaultLog
    private let logger: Logger
    let health = CommitHealth()
    private let state: Mutex<State>

    init(
        store: Store, failover: Failover?, patience: Patience, metrics: IngestMetrics, faults: FaultLog, logger: Logger
    ) {
        self.store = store
        self.failover = failover
        self.patience = patience
        self.metrics = metrics
        self.faults = faults
        self.logger = logger
        self.state = Mutex(State(patience: patience, hasSpool: failover != nil))
    }

    /// The requests that wait for their commit to begin.
    var backlog: (requests: Int, bytes: Int) {
        state.withLock { ($0.queue.count + $0.handedOver.count, $0.waitingBytes) }
    }

    /// See ``CommitState/held``.
    var held: Int { state.withLock { $0.held } }

    private var isTakenOver: Bool { failover?.isOn == true }

    /// Returns when the batch is committed or, if the store is unavailable and there is a spool, on this machine's disk.
    ///
    /// - Throws: also if it takes too long. Then the batch might be committed all the same; sending it again is safe.
    func commit(_ rows: BatchRows) async throws(Failure) {
        guard hasRoom(for: rows) else { throw .full }
        let result = await withCheckedContinuation { add(rows, .task($0)) }
        if case .failure(let error) = result { throw .store(error) }
    }

    func hasRoom(for rows: BatchRows) -> Bool { state.withLock { $0.hasRoom(for: rows.byteCount) } }

    /// The same for a waiter on an event loop. Check ``hasRoom(for:)`` first.
    func add(_ rows: BatchRows, _ waiter: Waiter) {
        let sender = Sender(rows: rows, waiter: waiter)
        let isTakenOver = isTakenOver
        carryOut(
            state.withLock {
                $0.come(sender, rows: rows.count, bytes: rows.byteCount, at: .now, isTakenOver: isTakenOver)
            })
    }

    /// - Parameter error: why a group has failed.
    private func carryOut(_ actions: [State.Action], failure error: StoreError = GroupCommit.tooSlow) {
        var answers = LoopAnswers()
        defer { answers.give() }
        for action in actions {
            switch action {
            case .answer(let sender, .kept): answers.add(sender.waiter, .success(()))
            case .answer(let sender, .failed): answers.add(sender.waiter, .failure(error))
            case .answer(let sender, .tooSlow): answers.add(sender.waiter, .failure(GroupCommit.tooSlow))
            case .answer(let sender, .notSpooled): answers.add(sender.waiter, .failure(GroupCommit.notSpooled))
            case .startCommitting: Task { await self.commitAll() }
            case .gather(let end): Task { await self.gather(until: end) }
            case .startSpooling: Task { await self.spoolAll() }
            case .startWatching: Task { await self.watch() }
            case .reportLate(let requests):
                faults.failed("turn", "requests waited too long for their turn", ["requests": "\(requests)"])
            }
        }
    }

    /// Commits until nothing waits, on one connection as long as it does not fail.
    private func commitAll() async {
        var pieces = Halving<State.Waiting>()
        while let piece = pieces.next() ?? nextGroup() {
            do throws(StoreError) {
                let rest = try await store.log.withAppender(within: timeLeft(for: piece)) { [pieces] appender in
                    await self.commitAll(from: piece, pieces, on: appender)
                }
                guard let rest else { return }
                pieces = rest
            } catch {
                fail(piece, error)
            }
        }
    }

    /// - Returns: what is left for another connection; nil once nothing waits.
    private func commitAll(
        from first: ArraySlice<State.Waiting>, _ rest: Halving<State.Waiting>, on appender: isolated Appender
    ) async -> Halving<State.Waiting>? {
        var (piece, pieces) = (first, rest)
        while true {
            do throws(StoreError) {
                try await commit(piece, on: appender)
                carryOut(state.withLock { $0.committed(piece) })
            } catch {
                if error.fault != .data || !pieces.split(piece) { fail(piece, error) }
                guard error.fault == .data else { return pieces }
            }
            guard let next = pieces.next() ?? nextGroup() else { return nil }
            piece = next
        }
    }

    private func nextGroup() -> ArraySlice<State.Waiting>? {
        let isTakenOver = isTakenOver
        let (group, actions) = state.withLock { $0.nextGroup(at: .now, isTakenOver: isTakenOver) }
        carryOut(actions)
        return group?[...]
    }

    private func fail(_ piece: ArraySlice<State.Waiting>, _ error: StoreError) {
        report(error, requests: piece.count)
        carryOut(state.withLock { $0.failed(piece, isStoreAway: error.isStoreAway) }, failure: error)
    }

    private func gather(until end: ContinuousClock.Instant) async {
        try? await Task.sleep(until: end)
        carryOut(state.withLock { $0.gathered() })
    }

    /// The time for committing a group, counted from the arrival of its oldest batch. Never less than what ``Patience/turn``
    /// leaves of ``Patience/commit``: the batches of a halved group have waited longer.
    private func timeLeft(for group: ArraySlice<State.Waiting>) -> Duration {
        let atLeast = patience.commit - patience.turn
        return max(group.first.map { $0.arrivedAt + patience.commit - .now } ?? .zero, atLeast)
    }

    private func commit(
        _ group: ArraySlice<State.Waiting>, on appender: isolated Appender
    ) async throws(StoreError) {
        let begun = ContinuousClock.now
        let outcome = try await appender.append(group.map(\.sender.rows), within: timeLeft(for: group))
        metrics.countCommit(
            outcome, requests: group.count, rows: group.reduce(0) { $0 + $1.rows }, took: ContinuousClock.now - begun)
        health.succeeded()
        if outcome.conflicting > 0 {
            logger.notice(
                "events were redelivered with different content; the first version counts",
                metadata: ["count": "\(outcome.conflicting)"])
        }
    }

    private func report(_ error: StoreError, requests: Int) {
        metrics.countFailedCommit()
        if error.isStoreAway { failover?.begin(error) }
        health.failed(error)
        // Failover logs what goes to the spool. Batches that can't be stored are always logged here.
        if !isTakenOver || error.fault == .data {
            faults.failed(
                error.fault == .data ? "unstorable commit" : "commit", "a group of batches was not committed",
                ["reason": "\(error)", "requests": "\(requests)"])
        }
    }

    private func spoolAll() async {
        while let failover, let group = state.withLock({ $0.nextSpooledGroup() }) {
            let taken = await failover.keep(group.map(\.sender.rows))
            carryOut(state.withLock { $0.spooled(group, taken: taken) })
        }
    }

    /// One task for all waiting requests, and none while there are none.
    private func watch() async {
        while state.withLock({ $0.isWatched }) {
            try? await Task.sleep(for: State.tickInterval)
            carryOut(state.withLock { $0.tick(.now) })
        }
    }

    private static let tooSlow = StoreError(.away, "the store did not commit in time; retry the batch")
    private static let notSpooled = StoreError(.away, "the store is unavailable, and the spool accepts no more")
}

/// The answers of one group, by event loop, so that each loop is woken once.
private struct LoopAnswers {
    private typealias Answer = (give: @Sendable (Result<Void, StoreError>) -> Void, result: Result<Void, StoreError>)

    private var loops: [(loop: any EventLoop, answers: [Answer])] = []

    mutating func add(_ waiter: GroupCommit.Waiter, _ result: Result<Void, StoreError>) {
        switch waiter {
        case .task(let continuation): continuation.resume(returning: result)
        case .connection(let loop, let give):
            if let index = loops.firstIndex(where: { $0.loop === loop }) {
                loops[index].answers.append((give, result))
            } else {
                loops.append((loop, [(give, result)]))
            }
        }
    }

    func give() {
        for (loop, answers) in loops {
            loop.execute { for (give, result) in answers { give(result) } }
        }
    }
}
