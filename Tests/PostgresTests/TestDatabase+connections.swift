import Logging
import Postgres
import PostgresTesting

extension TestDatabase {
    /// Shared by tests that only use temporary tables and settings.
    static let shared = Task { try await TestDatabase.create() }

    func configuration(_ name: String? = nil, settings: [String: SessionSetting] = [:]) -> ConnectionConfiguration {
        ConnectionConfiguration(connectionString: connectionString, applicationName: name, settings: settings)
    }

    func connect(_ name: String? = nil) async throws -> Connection {
        try await Connection.open(configuration(name), logger: .quiet)
    }

    func pool(_ name: String? = nil, limits: Pool.Limits = Pool.Limits()) -> Pool {
        Pool(configuration(name), limits: limits, logger: .quiet)
    }

    /// Runs the body with a connection to the shared database.
    static func withConnection(_ body: (Connection) async throws -> Void) async throws {
        let connection = try await shared.value.connect()
        do {
            try await body(connection)
            await connection.close()
        } catch {
            await connection.close()
            throw error
        }
    }
}

extension Logger {
    /// A logger that discards everything, because a test's result says enough.
    static var quiet: Logger { Logger(label: "postgres.tests") { _ in SwiftLogNoOpLogHandler() } }
}

extension Connection {
    /// The first value of the first row.
    func value<T: PostgresCodable>(
        _ type: T.Type, _ text: String, _ parameters: [(any PostgresCodable)?] = []
    ) async throws -> T {
        let rows = try await query(Statement("value", text), parameters)
        guard let row = rows.first else { throw NoRow() }
        return try row.decode(T.self, at: 0)
    }
}

extension Pool {
    /// The first value of the first row.
    func value<T: PostgresCodable & Sendable>(
        _ type: T.Type, _ text: String, _ parameters: [(any PostgresCodable)?] = []
    ) async throws -> T {
        try await withConnection { try await $0.value(type, text, parameters) }
    }
}

struct NoRow: Error {}

/// The error that the body throws.
func postgresError(_ body: () async throws -> Void) async throws -> PostgresError {
    do {
        try await body()
    } catch let error as PostgresError {
        return error
    }
    throw NoError()
}

struct NoError: Error {}
