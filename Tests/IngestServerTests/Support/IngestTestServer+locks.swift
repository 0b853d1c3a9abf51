import PostgresTesting
import Testing

extension IngestTestServer {
    /// Calls `body` while another session locks a table, and returns once the table is unlocked.
    ///
    /// - Parameter body: Gets the time at which the lock ends.
    func locked<T: Sendable>(
        _ table: String, seconds: Int, _ body: (ContinuousClock.Instant) async throws -> T
    ) async throws -> T {
        async let held = sql(
            "begin; lock table census.\(table) in access exclusive mode; select pg_sleep(\(seconds)); commit")
        let until = ContinuousClock.now + .seconds(seconds)
        try #require(await eventually { try await isLocked(table) }, "no session locks \(table)")
        let value = try await body(until)
        _ = try await held
        return value
    }

    /// Whether a session locks this table in this database. Other databases have tables of the same name.
    func isLocked(_ table: String) async throws -> Bool {
        try await number(
            """
            select count(*) from pg_locks join pg_database on pg_database.oid = pg_locks.database
            where datname = current_database() and relation = 'census.\(table)'::regclass
                and mode = 'AccessExclusiveLock' and granted
            """) > 0
    }
}
