import Postgres
import PostgresTesting
import Testing

/// 849 of 1,500 posts once failed behind a pgbouncer with transaction pooling, and no message said why.
@Suite(.enabled(if: Pgbouncer.isInstalled)) struct `Connection poolers` {
    private func check(mode: String) async throws {
        let database = try await TestDatabase.create()
        let pooler = try Pgbouncer(database, mode: mode)
        let configuration = ConnectionConfiguration(
            connectionString: pooler.connectionString, settings: ["statement_timeout": "0"])
        let pool = Pool(configuration, logger: .quiet)
        defer { withExtendedLifetime(pooler) {} }
        do {
            try await pool.requireOwnSessions()
            #expect(try await pool.value(Int.self, "select 1") == 1)
        } catch {
            await pool.shutdown()
            throw error
        }
        await pool.shutdown()
    }

    @Test func `the check accepts a pooler in session mode`() async throws {
        try await check(mode: "session")
    }

    @Test(arguments: ["transaction", "statement"]) func `the check rejects shared sessions and says what to do`(
        mode: String
    ) async throws {
        let error = try await postgresError { try await check(mode: mode) }
        #expect(error.reason == .setUp)
        #expect(error.description.contains("pool_mode = session"))
    }

    @Test func `the check accepts a direct connection`() async throws {
        let pool = try await TestDatabase.shared.value.pool()
        try await pool.requireOwnSessions()
        #expect(pool.statistics.opened == 0)
        await pool.shutdown()
    }
}
