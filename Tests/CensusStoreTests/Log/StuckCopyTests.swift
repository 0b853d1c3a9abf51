import CensusStore
import Foundation
import PostgresTesting
import Testing

/// PostgreSQL has no timeout for a client that stalls in the middle of a COPY.
@Suite struct `Stuck copies` {
    @Test func `a session that stalls in a COPY is ended`() async throws {
        try await TestStore.with { test in
            let waiting = """
                select count(*) from pg_stat_activity
                where datname = current_database() and state = 'active' and wait_event = 'ClientRead'
                """
            let (frozen, rows) = (Process(), Pipe())
            frozen.executableURL = URL(filePath: "/usr/bin/env")
            frozen.arguments = [
                "psql", "--no-psqlrc", test.database.connectionString + " application_name=widget-census",
                "--command", "copy census.observation from stdin",
            ]
            frozen.standardInput = rows
            frozen.standardError = FileHandle.nullDevice
            try frozen.run()
            defer { frozen.terminate() }
            #expect(try await eventually { try await test.value(Int.self, waiting) == 1 })

            #expect(try await test.store.log.endStuckCopies(olderThan: .seconds(60)) == 0)
            try await Task.sleep(for: .milliseconds(1_100))
            #expect(try await test.store.log.endStuckCopies(olderThan: .seconds(1)) == 1)
            #expect(try await eventually { try await test.value(Int.self, waiting) == 0 })
            #expect(try await test.store.log.endStuckCopies(olderThan: .seconds(0)) == 0)
        }
    }
}
