internal import CLibPQ

extension Connection {
    /// Turns a password into what the server keeps of it (SCRAM-SHA-256, with its own salt), as psql's `\password` does: then
    /// neither the server nor its log ever sees the password.
    public func verifier(ofPassword password: String, role: String) async throws(PostgresError) -> String {
        let statement = Statement("password verifier", "")
        return try await perform(statement.name, nil) { session, _ throws(PostgresError) in
            // If the algorithm is named, libpq does not ask the server.
            guard let text = PQencryptPasswordConn(session.connection, password, role, "scram-sha-256") else {
                throw session.refusal(statement)
            }
            defer { PQfreemem(text) }
            return String(cString: text)
        }
    }
}
