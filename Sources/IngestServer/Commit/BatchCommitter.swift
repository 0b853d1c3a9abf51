internal import CensusStore
internal import NIOCore

/// Commits a batch before its response, because an acknowledged event must survive a crash.
struct BatchCommitter: Sendable {
    let commits: GroupCommit
    let metrics: IngestMetrics

    /// - Throws: ``Problem``: 503 if it was not committed.
    func commit(_ batch: ReadBatch) async throws {
        do throws(GroupCommit.Failure) {
            try await commits.commit(batch.rows)
        } catch {
            switch error {
            case .full: throw Problem.busy
            case .store(let error): throw Problem(error)
            }
        }
        count(batch)
    }

    /// The same for a connection, whose closure is called on its event loop.
    ///
    /// - Throws: ``Problem``: 503 if too much is waiting already.
    func commit(
        _ batch: ReadBatch, on loop: any EventLoop, _ answer: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) throws {
        guard commits.hasRoom(for: batch.rows) else { throw Problem.busy }
        commits.add(batch.rows, .connection(loop, answer))
    }

    func count(_ batch: ReadBatch) { metrics.count(refused: batch.refused, warnings: batch.warnings) }
}

/// How busy the server is, so that other work on this machine can yield to it.
package struct IngestLoad: Sendable {
    let commits: GroupCommit

    /// Batches that wait for their turn to be committed; see ``CommitState/held``.
    package var waiting: Int { commits.held }
}
