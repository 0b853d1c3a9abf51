import Postgres
import PostgresTesting
import Testing

@Suite struct `Round trip` {
    /// Sends a value as a parameter, lets the server compare it with its own literal, and reads it back.
    private func check<T: PostgresCodable & Equatable>(_ value: T, _ literal: String) async throws {
        try await TestDatabase.withConnection { connection in
            let text =
                "select $1, $1 is not distinct from \(literal) as same, \(literal) as theirs, null::\(T.postgresType)"
            let rows = try await connection.query(Statement("round trip", text), [value])
            let row = try #require(rows.first)
            #expect(try row.decode(T.self, at: 0) == value)
            #expect(try row.decode("same", as: Bool.self), "\(literal)")
            #expect(try row.decode(T?.self, at: 2) == value)
            #expect(try row.decode(T?.self, at: 3) == nil)
        }
    }

    @Test func `booleans keep their value`() async throws {
        try await check(true, "true")
        try await check(false, "false")
    }

    @Test func `integers keep their value`() async throws {
        try await check(Int16.min, "'-32768'::int2")
        try await check(Int32.max, "2147483647::int4")
        try await check(Int64.min, "'-9223372036854775808'::int8")
        try await check(Int.max, "9223372036854775807::int8")
        try await check(0, "0::int8")
    }

    @Test func `float8 keeps its value, even infinite or tiny`() async throws {
        try await check(1.5, "1.5::float8")
        try await check(-Double.infinity, "'-infinity'::float8")
        try await check(Double.leastNonzeroMagnitude, "5e-324::float8")
        try await TestDatabase.withConnection { connection throws in
            #expect(try await connection.value(Double.self, "select $1", [Double.nan]).isNaN)
            #expect(try await connection.value(Double.self, "select 0.5::float4") == 0.5)
        }
    }

    @Test func `text keeps its value`() async throws {
        try await check("", "''::text")
        try await check("größer 👩‍👩‍👧‍👦", "'größer 👩‍👩‍👧‍👦'::text")
        try await check(String(repeating: "x", count: 1_000_000), "repeat('x', 1000000)")
    }

    @Test func `bytea keeps its value`() async throws {
        try await check(ByteArray([]), "''::bytea")
        try await check(ByteArray(Array(0...255)), "decode('\((0...255).map(hex).joined())', 'hex')")
    }

    private func hex(_ byte: Int) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    @Test func `a uuid keeps its value`() async throws {
        let text = "00112233-4455-6677-8899-aabbccddeeff"
        let uuid = try #require(UUIDBytes(text))
        #expect(uuid.description == text)
        #expect(UUIDBytes(bytes: uuid.bytes) == uuid)
        #expect(UUIDBytes(text.uppercased()) == uuid)
        #expect(UUIDBytes("00112233x4455-6677-8899-aabbccddeeff") == nil)
        try await check(uuid, "'\(text)'::uuid")
    }

    @Test func `timestamptz keeps its value, before and after 2000 and at both infinities`() async throws {
        try await check(PostgresTimestamp(microsecondsSince1970: 0), "'1970-01-01 00:00:00+00'::timestamptz")
        try await check(PostgresTimestamp(microsecondsSince1970: -1), "'1969-12-31 23:59:59.999999+00'::timestamptz")
        try await check(
            PostgresTimestamp(microsecondsSince1970: 1_782_864_000_123_456),
            "'2026-07-01 00:00:00.123456+00'::timestamptz")
        try await check(PostgresTimestamp(microsecondsSince1970: .max), "'infinity'::timestamptz")
        try await check(PostgresTimestamp(microsecondsSince1970: .min), "'-infinity'::timestamptz")
    }

    @Test func `a date keeps its value, before and after 2000 and at both infinities`() async throws {
        try await check(PostgresDate(daysSince1970: 0), "'1970-01-01'::date")
        try await check(PostgresDate(daysSince1970: -1), "'1969-12-31'::date")
        try await check(PostgresDate(daysSince1970: 19_782), "'2024-02-29'::date")
        try await check(PostgresDate(daysSince1970: .max), "'infinity'::date")
        try await check(PostgresDate(daysSince1970: .min), "'-infinity'::date")
    }

    @Test func `jsonb keeps its value, and json is readable`() async throws {
        try await check(JSONText(#"{"a": [1, null, "x"]}"#), #"'{"a":[1,null,"x"]}'::jsonb"#)
        try await TestDatabase.withConnection { connection throws in
            #expect(try await connection.value(JSONText.self, "select '{ }'::json").text == "{ }")
            #expect(try await connection.value(String.self, "select '{ }'::json") == "{ }")
        }
    }

    @Test func `arrays keep their elements`() async throws {
        try await check([Int](), "'{}'::int8[]")
        try await check([1, -2, Int.max], "'{1,-2,9223372036854775807}'::int8[]")
        try await check(["", "a,b", #"{"\"#], #"array['', 'a,b', '{"\']"#)
        try await check([true, false], "'{t,f}'::bool[]")
        try await check([1.5], "'{1.5}'::float8[]")
        try await check([UUIDBytes(high: 0, low: 1)], "'{00000000-0000-0000-0000-000000000001}'::uuid[]")
        try await check([PostgresDate(daysSince1970: 0)], "'{1970-01-01}'::date[]")
        try await check([PostgresTimestamp(microsecondsSince1970: 0)], "array['1970-01-01 00:00:00+00'::timestamptz]")
        try await check([JSONText("{}")], "array['{}'::jsonb]")
        try await check([ByteArray([0])], #"array['\x00'::bytea]"#)
        try await check([Int16(1)], "'{1}'::int2[]")
        try await check([Int32(1)], "'{1}'::int4[]")
    }

    @Test func `narrow integers decode as wide ones`() async throws {
        try await TestDatabase.withConnection { connection throws in
            #expect(try await connection.value(Int.self, "select '-7'::int2") == -7)
            #expect(try await connection.value(Int.self, "select 70000") == 70_000)
            #expect(try await connection.value([Int].self, "select array[1, 2]") == [1, 2])
        }
    }

    @Test func `a parameter can be NULL before or after it has a value`() async throws {
        try await TestDatabase.withConnection { connection in
            let statement = Statement("nulls", "select coalesce($1::int4 + $2, -1)")
            for values in [[1, 2], [nil, 2], [1, nil], [nil, nil], [3, 4]] as [[Int?]] {
                let sum = try #require(try await connection.query(statement, [values[0], values[1]]).first)
                let expected = values[0].flatMap { first in values[1].map { first + $0 } } ?? -1
                #expect(try sum.decode(Int.self, at: 0) == expected)
            }
        }
    }

    @Test(arguments: [
        "'; drop table x; --", "\\", "\\.", "\\N", "\t\n\r", "\u{202e}abc", "\u{feff}", "<script>alert(1)</script>",
        "=1+1", "%s%n",
        "${jndi:ldap://x}", "\u{1}\u{1f}\u{7f}", "ﷺ", "Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤", "🏳️‍🌈", "\u{10ffff}", "NULL", "$1", "\"", "'",
    ])
    func `a naughty string survives byte for byte`(text: String) async throws {
        try await TestDatabase.withConnection { connection in
            let read = try await connection.value(String.self, "select $1::text", [text])
            #expect(Array(read.utf8) == Array(text.utf8))
            try await connection.execute(script: Statement("table", "create temp table naughty (t text)"))
            var rows = CopyRows(columns: 1)
            rows.append { $0.value(text) }
            _ = try await connection.copyIn(Statement("copy", "copy naughty from stdin (format binary)"), [rows])
            let copied = try await connection.value(String.self, "select t from naughty")
            #expect(Array(copied.utf8) == Array(text.utf8))
        }
    }

    @Test func `any type is readable as text`() async throws {
        try await TestDatabase.withConnection { connection in
            let rows = try await connection.queryText(
                Statement("text", "select 1.50::numeric as n, null::int4 as z, '[1,3)'::int4range as r, $1 as p"), [7])
            #expect(rows.columns == ["n", "z", "r", "p"])
            #expect(rows.types.prefix(2) == [.numeric, .int4])
            #expect(rows.rows == [["1.50", nil, "[1,3)", "7"]])
        }
    }
}
