import Postgres
import PostgresTesting
import Testing

@Suite struct `Password verifiers` {
    @Test func `each SCRAM verifier has its own salt, and the server stores it unchanged`() async throws {
        try await TestDatabase.withConnection { connection in
            let role = "with_password_\(UInt32.random(in: 0 ... .max))"
            let verifier = try await connection.verifier(ofPassword: "grüße'\\", role: role)
            #expect(verifier.hasPrefix("SCRAM-SHA-256$4096:"))
            #expect(!verifier.contains("'"))
            #expect(try await connection.verifier(ofPassword: "grüße'\\", role: role) != verifier)

            try await connection.execute(
                script: Statement("role", "create role \(role) password '\(verifier)'"))
            let kept = try await connection.value(
                String.self, "select rolpassword from pg_authid where rolname = '\(role)'")
            #expect(kept == verifier)
            try await connection.execute(script: Statement("role", "drop role \(role)"))
        }
    }
}
