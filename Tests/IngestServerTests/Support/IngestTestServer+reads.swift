import EmbeddedPostgres
import PostgresTesting
import Testing

extension IngestTestServer {
    /// How often the server's table was read so far.
    ///
    /// Sessions tell what they did as they end, so all of them are ended first.
    func reads(of table: String) async throws -> Int {
        let mine = "select count(*) from pg_stat_activity where datname = '\(database.name)'"
        // Again and again: the server opens new ones by itself.
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
