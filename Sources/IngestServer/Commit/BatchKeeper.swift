internal import Synchronization

/// Has a batch committed before it is answered: an acknowledged event must survive a crash.
struct BatchKeeper: Sendable {
    let commits: GroupCommit
    let load: DoorLoad
    let metrics: DoorMetrics

    /// - Throws: ``Problem``: 503 when it was not committed.
    func keep(_ batch: ReadBatch) async throws {
        load.enter()
        defer { load.leave() }
        do throws(GroupCommit.Failure) {
            try await commits.commit(batch.parcel)
        } catch {
            switch error {
            case .full: throw Problem.busy
            case .store(let error): throw Problem(error)
            }
        }
        metrics.count(refused: batch.refused, warnings: batch.warnings)
    }
}

/// How many batches wait to be committed, so that other work on this machine knows how far to step back.
package final class DoorLoad: Sendable {
    private let count = Atomic<Int>(0)

    package var waiting: Int { count.load(ordering: .relaxed) }

    func enter() { count.wrappingAdd(1, ordering: .relaxed) }

    func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}
