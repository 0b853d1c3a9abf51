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
        try await retrying(name, retries: retries, where: { $0.hasLostConflict }) {
            try await withConnection { connection in
                try await connection.transaction(name, isolation: isolation, readOnly: readOnly, body)
            }
        }
    }

    /// Runs the body, and again while it loses against other transactions.
    ///
    /// - Parameters:
    ///   - name: what logs call the work.
    ///   - retries: how often the body may run again. The pauses before are random, and longer each time.
    ///   - hasLost: whether an error of the body is such a loss, after which nothing was done.
    public nonisolated(nonsending) func retrying<T>(
        _ name: String, retries: Int = 3, where hasLost: (PostgresError) -> Bool,
        _ body: nonisolated(nonsending) () async throws -> T
    ) async throws -> T {
        var attempt = 0
        while true {
            do {
                return try await body()
            } catch let error as PostgresError where attempt < retries && hasLost(error) {
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
    /// Another transaction won (40001, 40P01), and all of this one was rolled back.
    public var hasLostConflict: Bool { sqlState == .serializationFailure || sqlState == .deadlockDetected }
}
