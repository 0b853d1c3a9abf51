/// Commits a batch before it is answered: an acknowledged event must survive a crash.
struct BatchCommitter: Sendable {
    let commits: GroupCommit
    let metrics: IngestMetrics

    /// - Throws: ``Problem``: 503 when it was not committed.
    func commit(_ batch: ReadBatch) async throws {
        do throws(GroupCommit.Failure) {
            try await commits.commit(batch.rows)
        } catch {
            switch error {
            case .full: throw Problem.busy
            case .store(let error): throw Problem(error)
            }
        }
        metrics.count(refused: batch.refused, warnings: batch.warnings)
    }
}

/// How busy the server is, so that other work on this machine knows how far to step back.
package struct IngestLoad: Sendable {
    let commits: GroupCommit

    /// Batches that wait for their turn to be committed.
    package var waiting: Int { commits.held }
}
