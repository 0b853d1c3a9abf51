internal import CLibPQ

extension Connection {
    /// Runs one statement and returns its rows.
    ///
    /// It is prepared once per connection and text, and again after the schema has changed.
    ///
    /// - Parameters:
    ///   - parameters: the values for `$1`, `$2`, …; nil is NULL.
    ///   - deadline: instead of the configuration's `statementDeadline`; it does not change the server's
    ///     `statement_timeout`.
    public func query(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], deadline: Duration? = nil
    ) async throws(PostgresError) -> Rows {
        try await perform(statement.name, deadline) { session, watch throws(PostgresError) in
            try session.query(statement, parameters, watch)
        }
    }

    /// Runs one statement without preparing it, and returns its rows as text, for displaying any types.
    public func queryText(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], deadline: Duration? = nil
    ) async throws(PostgresError) -> TextRows {
        try await perform(statement.name, deadline) { session, watch throws(PostgresError) in
            try session.queryText(statement, parameters, watch)
        }
    }

    /// Runs any number of statements in one round trip: all or none of them, unless the text contains a COMMIT.
    ///
    /// A transaction that the text begins but doesn't end is rolled back.
    public func execute(script: Statement, deadline: Duration? = nil) async throws(PostgresError) {
        try await perform(script.name, deadline) { session, watch throws(PostgresError) in
            try session.script(script, copy: nil, watch) { _ in }
        }
    }

    /// Runs a text with one `COPY … FROM STDIN (FORMAT binary)`, and any statements before and after it, in one round
    /// trip: all or none of them.
    ///
    /// - Parameter data: the rows, sent one after another when the server asks for them; all with the same number of columns.
    /// - Returns: the outcome of each statement, in order.
    public func copyIn(
        _ statement: Statement, _ data: [CopyRows], deadline: Duration? = nil
    ) async throws(PostgresError) -> [ScriptResult] {
        try await perform(statement.name, deadline) { session, watch throws(PostgresError) in
            var results: [ScriptResult] = []
            try session.script(statement, copy: data, watch) { results.append(ScriptResult($0)) }
            return results
        }
    }
}

/// A SQL text with a name for errors, logs and metrics.
///
/// The name is safe to print anywhere; the text is never logged. Pass values as parameters, `$1`, `$2`, …, never in the text,
/// because a connection keeps one prepared statement per text.
public struct Statement: Sendable, Hashable {
    public let name: String
    public let text: String

    public init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }
}

extension Connection {
    /// Computes the verifier that the server stores for a password (SCRAM-SHA-256, salted), as psql's `\password` does, so that
    /// neither the server nor its log ever sees the password.
    public func verifier(ofPassword password: String, role: String) async throws(PostgresError) -> String {
        let statement = Statement("password verifier", "")
        return try await perform(statement.name, nil) { session, _ throws(PostgresError) in
            // With an algorithm given, libpq doesn't ask the server for one.
            guard let text = PQencryptPasswordConn(session.connection, password, role, "scram-sha-256") else {
                throw session.refusal(statement)
            }
            defer { PQfreemem(text) }
            return String(cString: text)
        }
    }
}
