internal import Postgres

/// The outcome for the events of some batches.
package struct AppendOutcome: Hashable, Sendable {
    package var received = 0
    /// Events that were new.
    package var stored = 0
    /// Events already known under the same identity with other content; the first one is kept.
    package var conflicting = 0
}

/// Observations as they were received. They are appended and never changed.
package struct ObservationLog: Sendable {
    let database: Database
    let rowsToInsert: Int
    let rowsToCopy: Int
    let redeliveries: Redeliveries

    /// Stores all batches or, if it throws, none. See ``Appender/append(_:within:)``.
    package func append(
        _ batches: [BatchRows], within limit: Duration
    ) async throws(StoreError) -> AppendOutcome {
        let end = ContinuousClock.now + limit
        return try await withAppender(within: limit) { appender in
            try await appender.append(batches, within: end - .now)
        }
    }

    /// Runs work that appends on a connection that nothing else uses at the time.
    ///
    /// - Parameter limit: the time limit of the wait for a connection.
    package func withAppender<T: Sendable>(
        within limit: Duration, _ body: @Sendable (Appender) async throws -> T
    ) async throws(StoreError) -> T {
        try await StoreError.wrapping {
            try await database.pool.withConnection(before: .now + limit) { connection in
                try await body(Appender(connection: connection, log: self))
            }
        }
    }

    /// Ends the sessions of nodes that stall during a COPY, which releases their locks.
    ///
    /// Requests with the same events, and erasures, wait for such a session.
    ///
    /// - Parameter age: of the statement. No working node takes longer to send its rows.
    /// - Returns: how many sessions were ended.
    package func endStuckCopies(olderThan age: Duration) async throws(StoreError) -> Int {
        try await database.run(SQL.ObservationLog.endStuck, ["\(age.components.seconds) seconds"])
    }
}
