import Postgres
import PostgresTesting
import Testing

@Suite struct `Decoding errors` {
    private func error<T: PostgresCodable>(_ type: T.Type, _ text: String) async throws -> PostgresError {
        try await postgresError {
            try await TestDatabase.withConnection { connection in
                let rows = try await connection.query(Statement("answers", text))
                _ = try rows.first?.decode("secret", as: T.self)
            }
        }
    }

    @Test func `an error names the statement, the column and both types, but not the value`() async throws {
        let error = try await error(Int.self, "select 'hunter2' as secret")
        #expect(error.reason == .decoding)
        #expect(error.description == #"answers: column "secret" is text, expected int8"#)
        #expect(!error.debugDescription.contains("hunter2"))
        #expect(error.advice == .doNotRetry)
    }

    @Test func `an error reports an unexpected NULL`() async throws {
        let error = try await error(Int.self, "select null::int8 as secret")
        #expect(error.description == #"answers: column "secret" is NULL, expected int8"#)
        #expect(error.decodingError?.problem == .unexpectedNull)
    }

    @Test func `an error reports a missing column`() async throws {
        let error = try await error(Int.self, "select 1 as public")
        #expect(error.description == #"answers: there is no column "secret""#)
    }

    @Test func `an error reports a NULL inside an array`() async throws {
        let error = try await error([Int].self, "select array[1, null]::int8[] as secret")
        #expect(error.decodingError?.problem == .unexpectedNull)
    }

    @Test func `an error reports an array of several dimensions`() async throws {
        let error = try await error([Int].self, "select array[[1], [2]]::int8[] as secret")
        #expect(error.description == #"answers: column "secret", expected int8[]: an array of several dimensions"#)
    }

    @Test func `an error reports an array with another element type`() async throws {
        let error = try await error([Int].self, "select array['x'] as secret")
        #expect(error.description == #"answers: column "secret" is text[], expected int8[]"#)
    }

    @Test func `an int8 doesn't decode as Int32`() async throws {
        let error = try await error(Int32.self, "select 1::int8 as secret")
        #expect(error.decodingError?.problem == .wrongType)
    }
}
