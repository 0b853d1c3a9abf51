import Postgres
import Glibc
import PostgresTesting
import Testing

@Suite struct `Leaks` {
    /// The ids of this process's threads, including those of other tests and of the shared task pool.
    private func threads() -> Set<String> {
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        var threads: Set<String> = []
        while let entry = readdir(folder) {
            let id = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            threads.insert(id)
        }
        return threads
    }

    private func backends(_ name: String) async throws -> Int {
        let connection = try await TestDatabase.shared.value.connect()
        let text = "select count(*) from pg_stat_activity where application_name = $1"
        let count = try await connection.value(Int.self, text, [name])
        await connection.close()
        return count
    }

    @Test func `a closed connection leaves no thread and no backend`() async throws {
        let before = threads()
        var connections: [Connection] = []
        for _ in 0..<10 { connections.append(try await TestDatabase.shared.value.connect("closed")) }
        let during = threads().subtracting(before)
        #expect(during.count >= 10)
        for connection in connections { await connection.close() }
        #expect(try await eventually { threads().intersection(during).count < 5 })
        #expect(try await eventually { try await backends("closed") == 0 })
        // A query on a closed connection fails, and doesn't bring its thread back for good.
        let closed = try #require(connections.first)
        #expect(await !closed.isUsable)
        let error = try await postgresError { _ = try await closed.query(Statement("late", "select 1")) }
        #expect(error.reason == .connectionLost)
        #expect(error.advice == .retry)
    }

    @Test func `a deallocated connection leaves no thread and no backend`() async throws {
        let before = threads()
        var connections: [Connection] = []
        for _ in 0..<10 { connections.append(try await TestDatabase.shared.value.connect("let go")) }
        let during = threads().subtracting(before)
        connections = []
        #expect(try await eventually { threads().intersection(during).count < 5 })
        #expect(try await eventually { try await backends("let go") == 0 })
    }

    @Test func `a deallocated pool closes its connections`() async throws {
        var pool: Pool? = try await TestDatabase.shared.value.pool("forgotten")
        #expect(try await pool?.value(Int.self, "select 1") == 1)
        #expect(try await backends("forgotten") == 1)
        pool = nil
        #expect(try await eventually { try await backends("forgotten") == 0 })
    }

    @Test func `rows outlive their connection`() async throws {
        let connection = try await TestDatabase.shared.value.connect()
        let rows = try await connection.query(Statement("rows", "select g from generate_series(1, 100) g"))
        await connection.close()
        #expect(try rows.map { try $0.decode(Int.self, at: 0) } == Array(1...100))
    }
}
