internal import Logging

extension Pool {
    /// Runs ``Connection/transaction(_:isolation:readOnly:_:)`` on a connection of the pool, and again if it loses a conflict
    /// with another transaction (40001, 40P01).
    ///
    /// - Parameters:
    ///   - retries: how often to run the body again, after random pauses that get longer.
    ///   - body: can run several times, so it must do nothing that a rollback doesn't undo.
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

    /// Runs the body, and again as long as it loses conflicts with other transactions.
    ///
    /// - Parameters:
    ///   - name: the name of the work in logs.
    ///   - retries: how often to run the body again, after random pauses that get longer.
    ///   - hasLost: whether an error means that the body lost a conflict and did nothing.
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
                // Cancelling the task ends the pause early; the next attempt then gets no connection.
                try? await Task.sleep(for: Self.pause(before: attempt))
            }
        }
    }

    /// A random pause of up to 20, 40, 80, … milliseconds, so that two transactions don't collide again.
    private static func pause(before attempt: Int) -> Duration {
        .milliseconds(Int.random(in: 1...(10 << min(attempt, 6))))
    }
}

extension PostgresError {
    /// Whether another transaction won a conflict (40001, 40P01), so that this one was rolled back.
    public var hasLostConflict: Bool { sqlState == .serializationFailure || sqlState == .deadlockDetected }
}
