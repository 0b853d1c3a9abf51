internal import Postgres

extension Store {
    /// Ends the sessions of nodes that stand still between two pieces of a COPY's rows, and lets go of what they hold.
    ///
    /// Whoever sends the same events waits for such a session, and so does an erasure.
    ///
    /// - Parameter age: of the statement. Slower than that nobody sends rows.
    /// - Returns: how many there were.
    package func endStuckCopies(olderThan age: Duration) async throws(StoreError) -> Int {
        try await query(SQL.`ObservationLog.endStuck`, "\(age.components.seconds) seconds").count
    }
}
