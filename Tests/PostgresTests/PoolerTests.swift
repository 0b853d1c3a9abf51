import Postgres
import PostgresTesting
import Testing

/// 849 of 1,500 posts failed behind a pgbouncer that pools by transaction, and nothing said why.
@Suite(.enabled(if: Pgbouncer.isInstalled)) struct `A pooler` {
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

    @Test func `of sessions is as good as none`() async throws {
        try await check(mode: "session")
    }

    @Test(arguments: ["transaction", "statement"]) func `that shares sessions is noticed, and what to do is said`(
        mode: String
    ) async throws {
        let error = try await postgresError { try await check(mode: mode) }
        #expect(error.reason == .setUp)
        #expect(error.description.contains("pool_mode = session"))
    }

    @Test func `that is not there is not missed`() async throws {
        let pool = try await TestDatabase.shared.value.pool()
        try await pool.requireOwnSessions()
        #expect(pool.statistics.opened == 0)
        await pool.shutdown()
    }
}
