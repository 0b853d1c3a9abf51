import EmbeddedPostgres
import Postgres
import PostgresTesting
import Testing

@Suite struct `Session settings` {
    private func configuration(
        _ database: TestDatabase, _ settings: [String: SessionSetting]
    ) -> ConnectionConfiguration {
        ConnectionConfiguration(connectionString: database.connectionString, settings: settings)
    }

    private func held(_ name: String, in configuration: ConnectionConfiguration) async throws -> String {
        let connection = try await Connection.open(configuration, logger: .quiet)
        let value = try await connection.value(String.self, "select current_setting($1)", [name])
        await connection.close()
        return value
    }

    @Test(arguments: [
        ("statement_timeout", "1ms", "0"), ("search_path", "nowhere", "pg_catalog"),
        ("default_transaction_isolation", "serializable", "read committed"), ("synchronous_commit", "off", "on"),
        ("standard_conforming_strings", "off", "on"),
    ]) func `our settings override those of role and database`(name: String, odd: String, ours: String) async throws {
        let database = try await TestDatabase.create()
        _ = try await TestServer.shared().query(
            "alter role census in database \"\(database.name)\" set \(name) = '\(odd)'", database: "postgres")
        let plain = ConnectionConfiguration(connectionString: database.connectionString)
        if name != "statement_timeout" { #expect(try await held(name, in: plain) == odd) }
        #expect(try await held(name, in: configuration(database, [name: SessionSetting(ours)])) == ours)
        try await database.drop()
    }

    @Test func `an equivalent setting of the database is kept`() async throws {
        let database = try await TestDatabase.create()
        let settings = ["synchronous_commit": SessionSetting("on", or: ["remote_apply", "local"])]
        for (theirs, ours) in [("local", "local"), ("remote_apply", "remote_apply"), ("off", "on")] {
            _ = try await TestServer.shared().query(
                "alter database \"\(database.name)\" set synchronous_commit = '\(theirs)'", database: "postgres")
            #expect(try await held("synchronous_commit", in: configuration(database, settings)) == ours)
        }
        try await database.drop()
    }

    @Test func `settings that the server doesn't know are left out`() async throws {
        let database = try await TestDatabase.shared.value
        let settings: [String: SessionSetting] = ["of_a_newer_version": "1", "statement_timeout": "0"]
        #expect(try await held("statement_timeout", in: configuration(database, settings)) == "0")
    }

    @Test func `a setting that the server rejects fails the connection`() async throws {
        let database = try await TestDatabase.shared.value
        let error = try await postgresError { _ = try await held("jit", in: configuration(database, ["jit": "odd"])) }
        #expect(error.reason == .connectFailed)
    }

    @Test(arguments: ["-c timezone=nowhere", "-c of_nobody=1"]) func `invalid options of a connection stay invalid`(
        options: String
    ) async throws {
        let string = try await TestDatabase.shared.value.connectionString + " options='\(options)'"
        let error = try await postgresError {
            _ = try await Connection.open(ConnectionConfiguration(connectionString: string), logger: .quiet)
        }
        #expect(error.reason == .connectFailed)
        #expect(error.blame == .setUp && error.advice == .doNotRetry)
        #expect(error.description.contains(options.contains("nowhere") ? "nowhere" : "of_nobody"), "\(error)")
    }

    @Test func `an unknown parameter of a URI is not called a malformed URI`() async throws {
        let error = try await postgresError {
            let string = "postgresql://anna:pa@127.0.0.1/x?sslmod=require"
            _ = try await Connection.open(ConnectionConfiguration(connectionString: string), logger: .quiet)
        }
        #expect(error.reason == .setUp)
        #expect(
            error.description.hasSuffix("libpq doesn't know a parameter that follows its question mark"), "\(error)")
    }

    @Test func `a password's @ in a URI is an error that doesn't quote it`() async throws {
        let error = try await postgresError {
            let string = "postgresql://anna:pa@hunter2@127.0.0.1/x"
            _ = try await Connection.open(ConnectionConfiguration(connectionString: string), logger: .quiet)
        }
        #expect(error.reason == .setUp)
        #expect(error.description.contains("%40") && !error.debugDescription.contains("hunter2"), "\(error)")
    }

    @Test(arguments: ["LATIN1", "SQL_ASCII"]) func `a database in another encoding is rejected`(
        encoding: String
    ) async throws {
        let name = "test_encoding_\(encoding.lowercased())"
        let server = try await TestServer.shared()
        _ = try await server.query(
            "create database \(name) encoding '\(encoding)' locale 'C' template template0", database: "postgres")
        var configuration = ConnectionConfiguration(connectionString: server.connectionString(database: name))
        configuration.serverEncoding = "UTF8"
        let error = try await postgresError { _ = try await held("jit", in: configuration) }
        #expect(error.reason == .setUp)
        #expect(error.blame == .setUp)
        #expect(error.description.contains("encoding is \(encoding) and must be UTF8"))
    }

    @Test func `a server that is too old is rejected`() async throws {
        var configuration = try await TestDatabase.shared.value.configuration()
        configuration.oldestServer = 990_000
        #expect(try await postgresError { _ = try await held("jit", in: configuration) }.reason == .setUp)
    }
}
