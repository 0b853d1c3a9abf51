internal import CensusStore
internal import Logging

/// Lets concurrent requests share commits: while one group is being committed the next one gathers.
///
/// A request that comes alone is committed at once; under load the groups grow until the store keeps up. Nobody waits
/// longer than ``Patience`` allows, whatever the store does.
actor GroupCommit {
    struct Limits: Sendable {
        /// Groups being committed at the same time, each on a connection of its own.
        var committers = 2
        /// Rows that must wait before a second one begins: statements cost more than rows, and one is enough for few.
        var rowsForAnother = 500
        /// Rows in one group: large enough to be cheap, small enough that nobody waits long.
        var rowsPerGroup = 10_000
        /// Bytes in one group: they are copied on their way, and ``committers`` groups are under way.
        var bytesPerGroup = 8 << 20
        /// Bytes waiting; past that requests are turned away rather than memory filled.
        var waitingBytes = 64 << 20
    }

    enum Failure: Error {
        /// Too much is waiting already.
        case full
        case store(StoreError)
    }

    private let store: Store
    let takeover: Takeover?
    private let limits: Limits
    private let patience: Patience
    private let metrics: DoorMetrics
    private let faults: FaultLog
    private let logger: Logger
    nonisolated let health = CommitHealth()
    private var queue: [WaitingParcel] = []
    /// What they hold, and those that the spool has not taken yet.
    var queuedBytes = 0
    private var queuedRows = 0
    private var committers = 0
    /// Everybody who waits, by age, those whose group is being committed too.
    private var unanswered: [WaitingParcel] = []
    private var isWatched = false
    /// What the spool has to take.
    var handedOver: [WaitingParcel] = []
    var isSpooling = false

    init(
        store: Store, takeover: Takeover?, limits: Limits = Limits(), patience: Patience, metrics: DoorMetrics,
        faults: FaultLog, logger: Logger
    ) {
        self.store = store
        self.takeover = takeover
        self.limits = limits
        self.patience = patience
        self.metrics = metrics
        self.faults = faults
        self.logger = logger
    }

    /// What waits for a commit to begin.
    var backlog: (requests: Int, bytes: Int) { (queue.count + handedOver.count, queuedBytes) }

    /// Returns when the parcel is committed, or, where there is a spool and the store is away, on this machine's disk.
    ///
    /// - Throws: also when it takes too long; then it may be committed all the same, and to send it again is safe.
    func commit(_ parcel: Parcel) async throws(Failure) {
        guard queuedBytes + parcel.byteCount <= limits.waitingBytes || queuedBytes == 0 else { throw .full }
        let result = await withCheckedContinuation { continuation in
            let waiting = WaitingParcel(parcel, continuation)
            unanswered.append(waiting)
            watch()
            if takeover?.isOn == true { return handOver([waiting]) }
            queue.append(waiting)
            queuedBytes += parcel.byteCount
            queuedRows += parcel.count
            if committers == 0 || queuedRows >= limits.rowsForAnother { beginWork() }
        }
        if case .failure(let error) = result { throw .store(error) }
    }

    private func beginWork() {
        guard committers < limits.committers else { return }
        committers += 1
        Task { await self.work() }
    }

    private func work() async {
        while let group = nextGroup() {
            if takeover?.isOn == true { handOver(group) } else { await commit(group[...]) }
        }
        committers -= 1
    }

    private func nextGroup() -> [WaitingParcel]? {
        guard !queue.isEmpty else { return nil }
        var (rows, bytes, end) = (0, 0, 0)
        while end < queue.count {
            let parcel = queue[end].parcel
            let fits = rows + parcel.count <= limits.rowsPerGroup && bytes + parcel.byteCount <= limits.bytesPerGroup
            guard fits || end == 0 else { break }
            rows += parcel.count
            bytes += parcel.byteCount
            queuedBytes -= queue[end].parcel.byteCount
            queuedRows -= queue[end].parcel.count
            end += 1
        }
        let group = Array(queue[..<end])
        queue.removeFirst(end)
        return group
    }

    /// A parcel that the store can't take must not sink its neighbours: on such a fault the group is tried in halves.
    private func commit(_ group: ArraySlice<WaitingParcel>) async {
        guard let first = group.first else { return }
        let begun = ContinuousClock.now
        do throws(StoreError) {
            let parcels = group.map(\.parcel)
            // The first has waited longest, and no longer than for its turn.
            let outcome = try await store.within(first.came + patience.commit - begun) {
                try await $0.log.append(parcels)
            }
            metrics.countCommit(
                outcome, requests: group.count, rows: parcels.reduce(0) { $0 + $1.count },
                took: ContinuousClock.now - begun)
            health.succeeded()
            if outcome.conflicting > 0 {
                logger.notice(
                    "events were redelivered with another content; the first stands",
                    metadata: ["count": "\(outcome.conflicting)"])
            }
            for waiting in group { waiting.answer(.success(())) }
        } catch {
            if error.fault == .data, group.count > 1 {
                let middle = group.startIndex + group.count / 2
                await commit(group[..<middle])
                await commit(group[middle...])
                return
            }
            metrics.countFailedCommit()
            if error.isStoreAway { takeover?.begin(error) }
            health.failed(error)
            // What the spool takes it has told; what can't be stored is always told.
            if takeover?.isOn != true || error.fault == .data {
                faults.failed(
                    error.fault == .data ? "unstorable commit" : "commit", "a group was not committed",
                    ["reason": "\(error)", "requests": "\(group.count)"])
            }
            turnAway(group, error)
        }
    }
}

extension GroupCommit {
    /// One task for all who wait, and none while nobody does.
    private func watch() {
        guard !isWatched else { return }
        isWatched = true
        Task { await self.answerOverdue() }
    }

    private func answerOverdue() async {
        while !unanswered.isEmpty {
            try? await Task.sleep(for: .milliseconds(100))
            let now = ContinuousClock.now
            let tooLate = queue.prefix { $0.came + patience.turn <= now }
            if !tooLate.isEmpty {
                // Turned away without a try: the store has enough to do.
                queue.removeFirst(tooLate.count)
                queuedBytes -= tooLate.reduce(0) { $0 + $1.parcel.byteCount }
                queuedRows -= tooLate.reduce(0) { $0 + $1.parcel.count }
                if takeover == nil {
                    faults.failed(
                        "turn", "requests waited too long for their turn", ["requests": "\(tooLate.count)"])
                }
                turnAway(tooLate, GroupCommit.tooSlow)
            }
            // Whoever is committing may be stuck.
            if !queue.isEmpty { beginWork() }
            for waiting in unanswered.prefix(while: { $0.came + patience.commit <= now }) {
                if !waiting.isHandedOver {
                    turnAway([waiting], GroupCommit.tooSlow)
                } else if waiting.came + patience.commit + patience.spool <= now {
                    waiting.answer(.failure(GroupCommit.tooSlow))
                }
            }
            unanswered.removeAll { $0.isAnswered }
        }
        isWatched = false
    }

    private static let tooSlow = StoreError(.away, "the store did not commit in time; send the batch again")
}
