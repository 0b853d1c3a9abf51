import EmbeddedPostgres
import PostgresTesting
import Testing

extension IngestTestServer {
    /// How often this table was read so far.
    ///
    /// Ends all sessions first, because a session reports its reads when it ends.
    func reads(of table: String) async throws -> Int {
        let mine = "select count(*) from pg_stat_activity where datname = '\(database.name)'"
        // Repeatedly, because the server opens new ones.
        let areEnded = try await eventually {
            try await endConnections()
            try await Task.sleep(for: .milliseconds(5))
            return try await TestServer.shared().query(mine, database: "postgres") == "0"
        }
        try #require(areEnded)
        return try await number(
            """
            select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) from pg_stat_user_tables
            where schemaname = 'census' and relname = '\(table)'
            """)
    }
}
