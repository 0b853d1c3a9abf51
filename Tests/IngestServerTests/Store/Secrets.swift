import CensusStore
import PostgresTesting
import Testing

/// Keys and raw ids never reach the database, or the log at any level.
@Suite(.serialized, .server(deadline: .seconds(2))) struct `Secrets` {
    @Test func `neither keys nor raw ids nor addresses are logged or stored`() async throws {
        let server = try server()
        var sample = Sample(Sample.opened(), Sample.reported("weather"), "17", Sample.opened("", id: "refused"))
        sample.device = "raw-device-that-nobody-may-see"
        sample.installation = "raw-installation-that-nobody-may-see"
        #expect(try await server.post(sample).status == 202)
        try await makeTrouble(sample)

        let policy = try await server.get(
            "/v1/gallery-policy", ("Authorization", "Bearer \(server.key.text)"), ("Census-Device", sample.device))
        #expect(policy.status == 200)
        #expect(try await server.rows(of: sample) > 0)

        let secrets = [
            server.key.text, Self.unknown.text, String(server.key.text.suffix(20)), "nobody-may-see",
            IngestTestServer.secretText,
            "127.0.0.1",
        ]
        let (log, dump) = (server.logs.text, try await everything(server))
        #expect(dump.contains("weather"))
        for secret in secrets {
            #expect(!log.contains(secret), "logged: \(secret)")
            #expect(!dump.contains(secret), "stored: \(secret)")
        }
    }

    private static let unknown = Key(role: .write)

    /// Causes errors, because errors are what the server logs.
    private func makeTrouble(_ sample: Sample) async throws {
        let server = try server()
        var stranger = server
        stranger.key = Self.unknown
        #expect(try await stranger.post(sample).status == 403)
        var other = sample
        other.app = "com.example.other"
        #expect(try await server.post(other).status == 403)
        other = sample
        other.events = [Sample.opened("search")]
        #expect(try await server.post(other).status == 202)
        #expect(try await server.post(sample.json.replacing("17", with: "1e")).status == 400)
        #expect(try await server.post(sample.json.replacing("raw-", with: #"\u0000"#)).status == 400)
        let connection = try server.connect()
        try await connection.send(Array(server.request(Array(sample.json.utf8)).bytes.dropLast(10)))
        #expect(try await connection.response().status == 408)
        try await server.allowConnections(false)
        #expect(try await server.post(sample).status == 503)
        try await server.allowConnections(true)
        #expect(try await server.isAcceptedSoon(sample))
        _ = try await server.sql("alter table census.pending_device add check (device_id is null) not valid")
        other.events = [Sample.opened("search", id: "fails-in-the-store")]
        #expect(try await server.post(other).status >= 400)
        _ = try await server.sql("alter table census.pending_device drop constraint pending_device_device_id_check")
    }

    /// Every row of every table as text, with `bytea` in its escape format.
    private func everything(_ server: IngestTestServer) async throws -> String {
        let tables = try await server.sql(
            """
            select format('%I.%I', schemaname, tablename) from pg_tables
            where schemaname not in ('pg_catalog', 'information_schema') and schemaname not like 'pg_temp%'
            """
        ).split(separator: "\n")
        var text = ""
        for table in tables {
            text += try await server.sql("set bytea_output to escape; select t::text from \(table) t")
        }
        return text
    }
}
