import Logging
import Nightly
import PostgresTesting
import Testing

@testable import CensusStore

/// What the service's reconciler logs.
@Suite struct `Reconciler's log` {
    private func queue(_ devices: Int, _ test: TestStore, in table: String = "pending_device") async throws {
        try await test.execute(
            """
            insert into census.\(table) (device_id, app_number)
            select gen_random_uuid(), \(test.app.number) from generate_series(1, \(devices))
            """)
    }

    /// Runs a service until its log contains the words, for at most 20 s.
    ///
    /// - Parameter rest: the words in the log that end the long rests between steps; nil: there are none.
    private func run(
        _ test: TestStore, patience: Duration, restsUntil rest: String?, until words: String,
        _ work: (LogRecords) async throws -> Void = { _ in }
    ) async throws -> String {
        let records = LogRecords()
        let service = ReconcilerService(
            store: test.store, interval: .milliseconds(10), patience: patience, logger: records.logger,
            waiting: { rest.map { !records.text.contains($0) } == true ? 1_000 : 0 })
        async let _: Void = service.run()
        try await work(records)
        try await wait { records.text.contains(words) }
        return records.problems
    }

    private func wait(until isSo: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !isSo(), .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test func `the log reports a long catch-up and its end`() async throws {
        try await TestStore.with { test in
            try await queue(600, test)
            let log = try await run(
                test, patience: .milliseconds(200), restsUntil: "reconciling a backlog",
                until: "the backlog is reconciled")
            let lines = log.split(separator: "\n")
            let first = try #require(lines.first { $0.hasPrefix("notice reconciling a backlog") })
            #expect(first.contains(#""devices": 500"#) && first.contains(#""entries_left": 100"#), "\(first)")
            #expect(first.contains(#""oldest_waits": "#), "\(first)")
            let last = try #require(lines.last)
            #expect(last.hasPrefix("notice the backlog is reconciled"), "\(log)")
            #expect(last.contains(#""devices": 600"#), "\(last)")
        }
    }

    @Test func `the log omits a short catch-up`() async throws {
        try await TestStore.with { test in
            try await queue(600, test)
            let works = "reconciling works again"
            let log = try await run(test, patience: .seconds(30), restsUntil: nil, until: works) { records in
                try await wait { try await test.value(Int.self, "select count(*) from census.pending_device") == 0 }
                // Gives the test a line to wait for.
                try await test.execute("alter table census.pending_device rename to away")
                try await wait { records.text.contains("reconciling failed") }
                try await test.execute("alter table census.away rename to pending_device")
            }
            #expect(log.contains("warning reconciling failed; trying again"), "\(log)")
            #expect(!log.contains("backlog"), "\(log)")
        }
    }

    @Test func `the log reports a recovery while a long catch-up lasts`() async throws {
        try await TestStore.with { test in
            try await test.execute("alter table census.pending_device rename to away")
            let backlog = "reconciling a backlog"
            let log = try await run(
                test, patience: .milliseconds(200), restsUntil: "reconciling a backlog", until: backlog
            ) { records in
                try await wait { records.text.contains("reconciling failed") }
                try await queue(600, test, in: "away")
                try await test.execute("alter table census.away rename to pending_device")
            }
            let lines = log.split(separator: "\n").map { $0.prefix { $0 != "[" } }
            #expect(lines.count == 3, "\(log)")
            #expect(lines.first?.hasPrefix("warning reconciling failed; trying again") == true, "\(log)")
            #expect(lines.dropFirst().first?.hasPrefix("notice reconciling works again") == true, "\(log)")
        }
    }

    @Test func `a failure in a long catch-up doesn't hide its end`() async throws {
        try await TestStore.with { test in
            try await queue(600, test)
            let end = "the backlog is reconciled"
            let log = try await run(test, patience: .milliseconds(200), restsUntil: "go on", until: end) { records in
                try await wait { records.text.contains("reconciling a backlog") }
                try await test.execute("alter table census.pending_device rename to away")
                records.logger.info("go on")
                try await wait { records.text.contains("reconciling failed") }
                try await test.execute("alter table census.away rename to pending_device")
            }
            let last = try #require(log.split(separator: "\n").last { $0.contains(end) }, "\(log)")
            #expect(last.contains(#""devices": 600"#), "\(log)")
        }
    }
}
