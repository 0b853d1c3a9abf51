import Postgres
import PostgresTesting
import Testing

@Suite struct `Script` {
    @Test func `all statements of a script take effect, or none do`() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.execute(script: Statement("empty", " -- nothing\n"))
            try await connection.execute(script: Statement("tables", "create temp table a (); create temp table b ()"))
            let faulty = Statement("faulty", "create temp table c (); select 1/0")
            #expect(try await postgresError { try await connection.execute(script: faulty) }.sqlState?.class == "22")
            #expect(try await connection.value(Bool.self, "select to_regclass('c') is null"))
            #expect(try await connection.value(Bool.self, "select to_regclass('b') is not null"))
        }
    }

    @Test func `a transaction that a script leaves open is rolled back`() async throws {
        try await TestDatabase.withConnection { connection throws in
            let open = Statement("open", "begin; create temp table a ()")
            #expect(try await postgresError { try await connection.execute(script: open) }.reason == .wrongUse)
            let failed = Statement("failed", "begin; select 1/0; commit")
            #expect(try await postgresError { try await connection.execute(script: failed) }.sqlState?.class == "22")
            #expect(try await connection.value(Bool.self, "select to_regclass('a') is null"))
        }
    }

    @Test func `settings hold for the session, even with quotes and backslashes`() async throws {
        let settings: [String: SessionSetting] = [
            "client_connection_check_interval": "500ms", "search_path": #""a b", "c\d""#,
            "census.note": #"it's \ "odd""#,
        ]
        var configuration = try await TestDatabase.shared.value.configuration("a name", settings: settings)
        configuration.preparedStatements = 2
        let connection = try await Connection.open(configuration, logger: .quiet)
        let text = "select current_setting($1)"
        #expect(try await connection.value(String.self, text, ["client_connection_check_interval"]) == "500ms")
        #expect(try await connection.value(String.self, text, ["search_path"]) == #""a b", "c\d""#)
        #expect(try await connection.value(String.self, text, ["census.note"]) == #"it's \ "odd""#)
        #expect(try await connection.value(String.self, text, ["application_name"]) == "a name")
        // More statements than can stay prepared.
        for number in 0..<10 { #expect(try await connection.value(Int.self, "select \(number)") == number) }
        #expect(try await connection.value(Int.self, "select count(*) from pg_prepared_statements") == 2)
        await connection.close()
    }
}
