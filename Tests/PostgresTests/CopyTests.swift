import Postgres
import PostgresTesting
import Testing

@Suite struct `COPY` {
    private let copy = Statement("copy items", "copy items (id, name, price) from stdin (format binary)")

    private func items(_ range: Range<Int>) -> CopyRows {
        var rows = CopyRows(columns: 3)
        for id in range {
            rows.append { row in
                row.value(Int32(id))
                row.value("item \(id)")
                row.value(id % 2 == 0 ? Double(id) : nil)
            }
        }
        return rows
    }

    private func withItems(_ body: (Connection) async throws -> Void) async throws {
        try await TestDatabase.withConnection { connection in
            let text = "create temp table items (id int4 primary key, name text check (name <> 'bad'), price float8)"
            try await connection.execute(script: Statement("items", text))
            try await body(connection)
        }
    }

    @Test func `COPY stores 10,000 rows from several buffers`() async throws {
        try await withItems { connection in
            let buffers = [items(0..<5000), CopyRows(columns: 3), items(5000..<10_000)]
            #expect(buffers.map(\.count) == [5000, 0, 5000])
            let results = try await connection.copyIn(copy, buffers)
            #expect(results.map(\.tag) == ["COPY 10000"])
            #expect(results.map(\.affected) == [10_000])
            let rows = try await connection.query(
                Statement("sums", "select count(*), sum(id), count(price), max(name) from items"))
            let row = try #require(rows.first)
            #expect(try row.decode(Int.self, at: 0) == 10_000)
            #expect(try row.decode(Int.self, at: 1) == 49_995_000)
            #expect(try row.decode(Int.self, at: 2) == 5000)
            #expect(try row.decode(String.self, at: 3) == "item 9999")
        }
    }

    @Test func `COPY stores rows far larger than any buffer`() async throws {
        try await withItems { connection in
            var rows = CopyRows(columns: 3)
            let text = String(repeating: "0123456789abcdef", count: 65_536)
            for id in 0..<24 {
                rows.append { row in
                    row.value(Int32(id))
                    row.value(text)
                    row.null()
                }
            }
            _ = try await connection.copyIn(copy, [rows])
            #expect(try await connection.value(Int.self, "select sum(length(name)) from items") == 24 << 20)
        }
    }

    @Test func `other statements run before and after COPY in the same round trip`() async throws {
        try await withItems { connection in
            let text = """
                create temp table staged (like items) on commit drop;
                copy staged from stdin (format binary);
                insert into items select * from staged where id > 1 returning id, name;
                delete from items where id = 3;
                select count(*) as n from items
                """
            let results = try await connection.copyIn(Statement("stage", text), [items(0..<5)])
            #expect(results.map(\.tag) == ["CREATE TABLE", "COPY 5", "INSERT 0 3", "DELETE 1", "SELECT 1"])
            #expect(results.map(\.affected) == [0, 5, 3, 1, 1])
            #expect(results[2].rows?.columns == ["id", "name"])
            #expect(results[2].rows?.rows == [["2", "item 2"], ["3", "item 3"], ["4", "item 4"]])
            #expect(results[4].rows?.rows == [["2"]])
        }
    }

    @Test func `a row that violates a constraint rolls everything back`() async throws {
        try await withItems { connection in
            var bad = items(0..<5000)
            bad.append { row in
                row.value(Int32(9999))
                row.value("bad")
                row.null()
            }
            let text = Statement("all or none", "insert into items values (-1, 'first', 0); " + copy.text)
            let error = try await postgresError { _ = try await connection.copyIn(text, [bad]) }
            #expect(error.reason == .server(.checkViolation))
            #expect(error.isDataError)
            #expect(!error.description.contains("9999"))
            #expect(error.debugDescription.contains("9999"))
            #expect(try await connection.value(Int.self, "select count(*) from items") == 0)
            #expect(await connection.isUsable)
        }
    }

    @Test func `a NUL in text is a data error`() async throws {
        try await withItems { connection in
            var rows = CopyRows(columns: 3)
            rows.append { row in
                row.value(Int32(1))
                row.value("a\u{0}b")
                row.null()
            }
            let error = try await postgresError { _ = try await connection.copyIn(copy, [rows]) }
            #expect(error.sqlState == .characterNotInRepertoire)
            #expect(error.isDataError)
        }
    }

    @Test func `the client rejects a row with the wrong number of values`() async throws {
        try await withItems { connection in
            var rows = items(0..<2)
            rows.append { $0.value(Int32(7)) }
            let error = try await postgresError { _ = try await connection.copyIn(copy, [rows]) }
            #expect(error.description == "copy items: a row has 1 values, not 3")
            #expect(try await connection.value(Int.self, "select count(*) from items") == 0)
        }
    }

    @Test func `a statement without COPY ignores the rows`() async throws {
        try await withItems { connection in
            let results = try await connection.copyIn(Statement("no copy", "select 1"), [items(0..<2)])
            #expect(results.map(\.tag) == ["SELECT 1"])
        }
    }

    @Test func `two COPYs in one text are rejected, and nothing is stored`() async throws {
        try await withItems { connection in
            let twice = Statement("twice", copy.text + ";" + copy.text)
            let error = try await postgresError { _ = try await connection.copyIn(twice, [items(0..<2)]) }
            #expect(error.reason == .wrongUse)
            #expect(try await connection.value(Int.self, "select count(*) from items") == 0)
        }
    }

    @Test func `COPY without rows is rejected, and the connection stays usable`() async throws {
        try await withItems { connection throws in
            #expect(try await postgresError { try await connection.execute(script: copy) }.reason == .wrongUse)
            #expect(try await postgresError { _ = try await connection.query(copy) }.reason == .wrongUse)
            #expect(try await connection.value(Int.self, "select count(*) from items") == 0)
        }
    }

    @Test func `a closure that throws leaves no partial row`() throws {
        struct Stop: Error {}
        var rows = items(0..<3)
        let before = rows.byteCount
        #expect(throws: Stop.self) {
            try rows.append { row in
                row.value(1)
                throw Stop()
            }
        }
        #expect(rows.byteCount == before)
        #expect(rows.count == 3)
    }

    @Test func `a task cancelled in the middle of a COPY ends it and stores nothing`() async throws {
        try await withItems { connection in
            let text = """
                create function pg_temp.dawdle() returns trigger language plpgsql as
                $$ begin perform pg_sleep(0.01); return new; end $$;
                create trigger dawdle before insert on items for each row execute function pg_temp.dawdle()
                """
            try await connection.execute(script: Statement("dawdle", text))
            // More than the sockets can buffer, so the client waits for the server, too.
            var rows = CopyRows(columns: 3)
            for id in 0..<20_000 {
                rows.append { row in
                    row.value(Int32(id))
                    row.value(String(repeating: "x", count: 500))
                    row.null()
                }
            }
            let task = Task { [rows] in try await connection.copyIn(copy, [rows]) }
            try await Task.sleep(for: .milliseconds(300))
            let start = ContinuousClock.now
            task.cancel()
            let error = try await postgresError { _ = try await task.value }
            #expect(ContinuousClock.now - start < .seconds(60))
            #expect(error.reason == .cancelled)
            #expect(try await connection.value(Int.self, "select count(*) from items") == 0)
        }
    }
}
