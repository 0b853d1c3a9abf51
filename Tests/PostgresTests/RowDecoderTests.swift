import Postgres
import PostgresTesting
import Testing

private enum Color: String, PostgresCodable, Decodable { case red, green }

/// Decodes from a single value, as wrappers of strings do.
private struct Name: Decodable, Equatable {
    var text: String

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws { text = try String(from: decoder) }
}

private struct Point: Decodable, Equatable {
    var easting: Int
    var northing: Int
}

private struct Place: Decodable, Equatable {
    var appID: String
    var isOSUpdate: Bool?
    var color: Color
    var name: Name
    var point: Point?
    var visitedOn: [Int32]
}

@Suite struct `Row decoding` {
    private func rows<T: Decodable & Sendable>(_ type: T.Type, _ text: String) async throws -> [T] {
        var rows: [T] = []
        try await TestDatabase.withConnection { connection in
            rows = try await connection.query(Statement("answers", text)).decoded()
        }
        return rows
    }

    private func error<T: Decodable & Sendable>(_ type: T.Type, _ text: String) async throws -> PostgresError {
        try await postgresError { _ = try await rows(type, text) }
    }

    private func place(_ replaced: String = "", _ value: String = "") async throws -> Place? {
        let columns = [
            ("app_id", "'a'"), ("is_os_update", "true"), ("color", "'red'"), ("name", "'n'"), ("easting", "1::int8"),
            ("northing", "2::int2"), ("visited_on", "array[3, 4]"),
        ]
        let text = columns.map { name, usual in "\(name == replaced ? value : usual) as \(name)" }
        return try await rows(Place.self, "select " + text.joined(separator: ", ")).first
    }

    private func error(_ column: String, _ value: String) async throws -> String {
        try await postgresError { _ = try await place(column, value) }.description
    }

    @Test func `each property has the value of the column with its name`() async throws {
        let expected = try await place()
        #expect(expected?.appID == "a")
        #expect(expected?.isOSUpdate == true)
        #expect(expected?.color == .red)
        #expect(expected?.name == Name("n"))
        #expect(expected?.point == Point(easting: 1, northing: 2))
        #expect(expected?.visitedOn == [3, 4])
    }

    @Test func `NULL becomes nil in an optional property and is an error in others`() async throws {
        #expect(try await place("is_os_update", "null::boolean")?.isOSUpdate == nil)
        #expect(try await error("app_id", "null::text") == #"answers: column "app_id" is NULL, expected text"#)
        #expect(try await error("name", "null::text") == #"answers: column "name" is NULL, expected text"#)
        #expect(try await error("visited_on", "array[null]::int4[]").contains("NULL"))
    }

    @Test func `an optional struct is nil if a column that it needs is NULL`() async throws {
        let place = try await place("northing", "null::int8")
        #expect(place?.appID == "a")
        #expect(place?.point == nil)
    }

    @Test func `an error reports a column of another type, even if it is NULL`() async throws {
        #expect(try await error("app_id", "1") == #"answers: column "app_id" is int4, expected text"#)
        let description = try await error("is_os_update", "null::text")
        #expect(description == #"answers: column "is_os_update" is text, expected bool"#)
        #expect(try await error("name", "1") == #"answers: column "name" is int4, expected text"#)
        #expect(try await error("northing", "'2'") == #"answers: column "northing" is text, expected int8"#)
    }

    @Test func `an error reports a raw value that the enum doesn't have`() async throws {
        let message = #"answers: column "color", expected text: a value that this program does not know"#
        #expect(try await error("color", "'blue'") == message)
    }

    @Test func `an error reports a missing column, even of an optional property`() async throws {
        let error = try await error(Place.self, "select 'a' as app_id")
        #expect(error.description == #"answers: there is no column "is_os_update""#)
    }

    @Test func `a single value is read from the first column`() async throws {
        #expect(try await rows(Int.self, "select n, n + 1 from generate_series(1, 3) as n") == [1, 2, 3])
        #expect(try await rows(Int?.self, "select n from (values (1), (null)) as listed (n)") == [1, nil])
        let error = try await error(Int.self, "select 'a' as n")
        #expect(error.description == #"answers: column "n" is text, expected int8"#)
    }

    @Test func `types that no column can hold are errors`() async throws {
        struct Odd<T: Decodable & Sendable>: Decodable { var value: T }
        let text = "select 1 as value"
        for error in [try await error(Odd<UInt>.self, text), try await error(Odd<Set<Int>>.self, text)] {
            #expect(error.description == #"answers: column "value": a type that no column can hold"#)
        }
    }

    @Test func `a column's name has the property's words, separated by underscores`() async throws {
        struct Names: Decodable {
            var n, nightAt, osVersion, isOtherOS, limit24, HTTPStatus: Int
        }
        let columns = ["n", "night_at", "os_version", "is_other_os", "limit24", "http_status"]
        #expect(try await rows(Names.self, "select " + columns.map { "1 as \($0)" }.joined(separator: ", ")).count == 1)
    }
}
