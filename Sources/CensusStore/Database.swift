internal import Postgres

/// PostgreSQL as the parts of the store reach it. Failures are thrown as ``StoreError``.
struct Database: Querying {
    let pool: Pool

    func query(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?], deadline: Duration?
    ) async throws(PostgresError) -> Rows {
        try await pool.query(statement, parameters, deadline: deadline)
    }

    /// Runs a statement and returns the first column of its first row.
    ///
    /// - Returns: nil when there is no row.
    func value<T: PostgresCodable & Sendable>(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], as type: T.Type, deadline: Duration? = nil
    ) async throws(StoreError) -> T? {
        try await StoreError.wrapping {
            try await query(statement, parameters, deadline: deadline).first?.decode(type, at: 0)
        }
    }

    /// Runs a statement and decodes each of its rows: see `Row.decoded(as:)`.
    func rows<T: Decodable>(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], deadline: Duration? = nil,
        as type: T.Type = T.self
    ) async throws(StoreError) -> [T] {
        try await StoreError.wrapping { try await query(statement, parameters, deadline: deadline).decoded() }
    }

    /// Runs a statement and makes a value of each row.
    func rows<T>(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], deadline: Duration? = nil,
        as make: (Row) throws -> T
    ) async throws(StoreError) -> [T] {
        try await StoreError.wrapping { try await query(statement, parameters, deadline: deadline).map(make) }
    }

    /// Runs a statement for its effect.
    ///
    /// - Returns: how many rows it answered with.
    @discardableResult
    func run(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], deadline: Duration? = nil
    ) async throws(StoreError) -> Int {
        try await StoreError.wrapping { try await query(statement, parameters, deadline: deadline).count }
    }

    /// Runs the body in a transaction, and again if it lost a conflict with another one: see `Pool.transaction`.
    func transaction<T>(
        _ name: String, isolation: Isolation = .readCommitted, readOnly: Bool = false, retries: Int = 3,
        _ body: nonisolated(nonsending) (Transaction) async throws -> T
    ) async throws(StoreError) -> T {
        do {
            return try await rawTransaction(name, isolation: isolation, readOnly: readOnly, retries: retries, body)
        } catch {
            throw StoreError(error)
        }
    }

    /// Runs the body in a transaction that is rolled back, for a dry run: the body does what it would do otherwise, so the two
    /// can't differ.
    func rehearsal<T>(
        _ name: String, _ body: nonisolated(nonsending) (Transaction) async throws -> T
    ) async throws(StoreError) -> T {
        var value: T?
        do {
            try await rawTransaction(name) { transaction in
                value = try await body(transaction)
                throw RolledBack()
            }
        } catch {
            guard error is RolledBack else { throw StoreError(error) }
        }
        guard let value else { throw StoreError(.ours, "\(name) returned nothing") }
        return value
    }

    /// Like ``transaction(_:isolation:readOnly:retries:_:)``, for callers that inspect PostgreSQL's errors.
    func rawTransaction<T>(
        _ name: String, isolation: Isolation = .readCommitted, readOnly: Bool = false, retries: Int = 3,
        _ body: nonisolated(nonsending) (Transaction) async throws -> T
    ) async throws -> T {
        try await pool.transaction(name, isolation: isolation, readOnly: readOnly, retries: retries) { connection in
            try await body(Transaction(connection: connection))
        }
    }
}

private struct RolledBack: Error {}

/// Statements that are committed together. Work that needs a transaction extends this type, so it can't run without one.
struct Transaction: Querying {
    let connection: Connection

    func query(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?], deadline: Duration?
    ) async throws(PostgresError) -> Rows {
        try await connection.query(statement, parameters, deadline: deadline)
    }

    func copyIn(_ copy: CopyStatement, _ rows: [CopyRows], deadline: Duration? = nil) async throws(PostgresError) {
        _ = try await connection.copyIn(copy.statement, rows, deadline: deadline)
    }

    func execute(script: Statement, deadline: Duration? = nil) async throws(PostgresError) {
        try await connection.execute(script: script, deadline: deadline)
    }

    /// The verifier that PostgreSQL stores for a password: see `Connection.verifier`.
    func verifier(ofPassword password: String, role: String) async throws(PostgresError) -> String {
        try await connection.verifier(ofPassword: password, role: role)
    }
}

/// A statement that copies rows into a table.
struct CopyStatement: Sendable {
    let statement: Statement
    /// The columns that it names: a row has a value for each.
    let columns: [String]

    /// - Parameter statement: one with `copy TABLE (COLUMN, …) from stdin`.
    init(_ statement: Statement) {
        self.statement = statement
        let copy = statement.text.split(separator: "\n").drop { !$0.hasPrefix("copy ") }.joined(separator: " ")
        let list = copy.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
        columns = list.split { " ,".contains($0) }.map(String.init)
    }
}

extension CopyRows {
    /// No rows yet, for a statement that will take them.
    init(for copy: CopyStatement, reservingBytes: Int = 0) {
        self.init(columns: copy.columns.count, reservingBytes: reservingBytes)
    }
}

/// Runs statements: together in a ``Transaction``, or each by itself on the ``Database``.
protocol Querying: Sendable {
    func query(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?], deadline: Duration?
    ) async throws(PostgresError) -> Rows
}

extension Querying {
    /// Runs a statement for its effect.
    func run(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], deadline: Duration? = nil
    ) async throws(PostgresError) {
        _ = try await query(statement, parameters, deadline: deadline)
    }

    /// The first column of the first row.
    ///
    /// - Returns: nil when there is no row.
    func value<T: PostgresCodable>(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], as type: T.Type = T.self
    ) async throws(PostgresError) -> T? {
        try await query(statement, parameters, deadline: nil).first?.decode(type, at: 0)
    }

    /// Decodes each row: see `Row.decoded(as:)`.
    func rows<T: Decodable>(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], deadline: Duration? = nil,
        as type: T.Type = T.self
    ) async throws -> [T] {
        try await query(statement, parameters, deadline: deadline).decoded()
    }

    func query(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = []
    ) async throws(PostgresError) -> Rows {
        try await query(statement, parameters, deadline: nil)
    }

    func query(_ statement: Statement, deadline: Duration) async throws(PostgresError) -> Rows {
        try await query(statement, [], deadline: deadline)
    }
}
