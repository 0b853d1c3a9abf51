internal import CLibPQ

extension Connection {
    /// Makes of a password what the server keeps of it (SCRAM-SHA-256, with a salt of its own), as psql's `\password`
    /// does: given this, the server never sees the password, nor does its log.
    public func verifier(ofPassword password: String, role: String) async throws(PostgresError) -> String {
        let statement = Statement("password verifier", "")
        return try await perform(statement.name, nil) { session, _ throws(PostgresError) in
            // With the algorithm named libpq asks the server nothing.
            guard let text = PQencryptPasswordConn(session.connection, password, role, "scram-sha-256") else {
                throw session.refusal(statement)
            }
            defer { PQfreemem(text) }
            return String(cString: text)
        }
    }
}
