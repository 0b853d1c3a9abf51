import CensusStore
import Postgres
import PostgresTesting
import Testing

/// A session of one role.
struct AnalystSession {
    var name: String
    var connection: Connection

    static func open(_ name: String, _ test: TestStore) async throws -> AnalystSession {
        let configuration = ConnectionConfiguration(connectionString: test.database.connectionString + " user=\(name)")
        return AnalystSession(name: name, connection: try await Connection.open(configuration, logger: .quiet))
    }

    func rows(_ text: String) async throws -> TextRows {
        try await connection.queryText(Statement("test", text))
    }

    /// The error with which the server rejects a statement, or nil.
    func failure(_ text: String) async -> SQLState? {
        do throws(PostgresError) {
            _ = try await connection.queryText(Statement("test", text))
            return nil
        } catch {
            return error.sqlState
        }
    }
}

extension TestStore {
    /// Adds an analyst and removes it afterwards, because roles belong to the server, which all tests share.
    func withAnalyst(_ body: (AnalystSession) async throws -> Void) async throws {
        let name = "analyst_of_\(database.name)"
        let addition = try await store.analysts.add(name)
        #expect(addition.password != nil && addition.gaps == [])
        let session = try await AnalystSession.open(name, self)
        do {
            try await body(session)
        } catch {
            await session.connection.close()
            _ = try await store.analysts.remove(name)
            throw error
        }
        await session.connection.close()
        #expect(try await store.analysts.remove(name))
    }
}
