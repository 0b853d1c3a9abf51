internal import Logging

extension Pool {
    /// ``Connection/transaction(_:isolation:readOnly:_:)`` on a connection of its own, run again if it lost against
    /// another transaction (40001, 40P01).
    ///
    /// - Parameters:
    ///   - retries: how often the body may run again. The pauses before are random, and longer each time.
    ///   - body: may run several times, so it must do nothing that a rollback does not undo.
    public nonisolated(nonsending) func transaction<T>(
        _ name: String, isolation: Isolation = .readCommitted, readOnly: Bool = false, retries: Int = 3,
        _ body: nonisolated(nonsending) (Connection) async throws -> T
    ) async throws -> T {
        var attempt = 0
        while true {
            do {
                return try await withConnection { connection in
                    try await connection.transaction(name, isolation: isolation, readOnly: readOnly, body)
                }
            } catch let error as PostgresError where error.lostConflict && attempt < retries {
                attempt += 1
                logger.debug(
                    "postgres transaction retried",
                    metadata: ["transaction": "\(name)", "attempt": "\(attempt)", "error": "\(error)"])
                // Cut short by a cancelled task, which then gets no connection.
                try? await Task.sleep(for: Self.pause(before: attempt))
            }
        }
    }

    /// Up to 20, 40, 80, … milliseconds, random so that two transactions do not meet again.
    private static func pause(before attempt: Int) -> Duration {
        .milliseconds(Int.random(in: 1...(10 << min(attempt, 6))))
    }
}

extension PostgresError {
    fileprivate var lostConflict: Bool { sqlState == .serializationFailure || sqlState == .deadlockDetected }
}
