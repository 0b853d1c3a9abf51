package import CensusStore
package import Logging

/// Lets concurrent requests share commits: while one group is being committed the next one gathers.
///
/// A request that comes alone is committed at once; under load the groups grow until the store keeps up.
package actor GroupCommit {
    package struct Limits: Sendable {
        /// Groups being committed at the same time, each on a connection of its own.
        package var committers = 2
        /// Rows in one group: large enough to be cheap, small enough that nobody waits long.
        package var rowsPerGroup = 20_000
        /// Bytes waiting; past that requests are turned away rather than memory filled.
        package var waitingBytes = 64 << 20

        package init() {}
    }

    package enum Failure: Error {
        /// Too much is waiting already.
        case full
        case store(StoreError)
    }

    private struct Waiting {
        var parcel: Parcel
        var continuation: CheckedContinuation<Result<Void, StoreError>, Never>
    }

    private let store: Store
    private let limits: Limits
    private let metrics: DoorMetrics
    private let logger: Logger
    private var waiting: [Waiting] = []
    private var waitingBytes = 0
    private var committers = 0

    init(store: Store, limits: Limits = Limits(), metrics: DoorMetrics, logger: Logger) {
        self.store = store
        self.limits = limits
        self.metrics = metrics
        self.logger = logger
    }

    /// What waits for a commit to begin.
    var backlog: (requests: Int, bytes: Int) { (waiting.count, waitingBytes) }

    /// Returns when the parcel is committed.
    package func commit(_ parcel: Parcel) async throws(Failure) {
        guard waitingBytes + parcel.byteCount <= limits.waitingBytes || waiting.isEmpty else { throw .full }
        waitingBytes += parcel.byteCount
        let result = await withCheckedContinuation { continuation in
            waiting.append(Waiting(parcel: parcel, continuation: continuation))
            guard committers < limits.committers else { return }
            committers += 1
            Task { await self.work() }
        }
        if case .failure(let error) = result { throw .store(error) }
    }

    private func work() async {
        while !waiting.isEmpty {
            let group = takeGroup()
            await commit(group[...])
        }
        committers -= 1
    }

    private func takeGroup() -> [Waiting] {
        var rows = 0
        var end = 0
        while end < waiting.count, end == 0 || rows + waiting[end].parcel.count <= limits.rowsPerGroup {
            rows += waiting[end].parcel.count
            waitingBytes -= waiting[end].parcel.byteCount
            end += 1
        }
        let group = Array(waiting[..<end])
        waiting.removeFirst(end)
        return group
    }

    /// A parcel that the store can't take must not sink its neighbours: on such a fault the group is tried in halves.
    private func commit(_ group: ArraySlice<Waiting>) async {
        let begun = ContinuousClock.now
        do throws(StoreError) {
            let outcome = try await store.append(group.map(\.parcel))
            metrics.countCommit(
                outcome, requests: group.count, rows: group.reduce(0) { $0 + $1.parcel.count },
                took: ContinuousClock.now - begun)
            if outcome.conflicting > 0 {
                logger.notice(
                    "events were redelivered with another content; the first stands",
                    metadata: ["count": "\(outcome.conflicting)"])
            }
            for request in group { request.continuation.resume(returning: .success(())) }
        } catch {
            if error.fault == .data, group.count > 1 {
                let middle = group.startIndex + group.count / 2
                await commit(group[..<middle])
                await commit(group[middle...])
                return
            }
            metrics.countFailedCommit()
            logger.error("a group was not committed", metadata: ["reason": "\(error)", "requests": "\(group.count)"])
            for request in group { request.continuation.resume(returning: .failure(error)) }
        }
    }
}
