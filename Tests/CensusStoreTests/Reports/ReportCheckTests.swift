import CensusCore
import Fleet
import Postgres
import Testing

@testable import CensusStore

@Suite struct `Report checks` {
    @Test(arguments: TestStore.seeds(0..<4)) func `all checks pass after a night`(seed: UInt64) async throws {
        try await TestStore.with(zone: ["UTC", "Asia/Kolkata"][Int(seed) % 2]) { test in
            // Late in the day, the fleet's last event can be two days old.
            var latest = Phone("latest")
            latest.happens(.reported([:]), .day(79))
            try await test.tell(RandomFleet(seed, phones: 40, days: 79).phones + [latest])
            try await test.night()
            let rows = try await test.value(Int.self, "select count(*) from report.live_kinds")
            #expect(rows > 0)
            let checks = try await test.store.reports.check()
            #expect(checks.filter { !$0.holds } == [])
        }
    }

    @Test func `all checks pass before any data arrives`() async throws {
        try await TestStore.with { test in
            let checks = try await test.store.reports.check()
            #expect(checks.filter { !$0.holds } == [])
            #expect(Set(checks.map(\.report)) == Set(ReportFolder.all.map(\.name)))
        }
    }

    private struct Found: Error {
        /// Violations, by claim.
        var claims: [String: Int]
    }

    /// The violations that a report's checks find after damage, which is rolled back.
    private func find(_ test: TestStore, _ report: String, after harm: String) async throws -> [String: Int] {
        let checks = try #require(ReportDescription.all.first { $0.name == report }).checks
        do {
            try await test.store.pool.transaction("harm") { connection in
                try await connection.execute(script: Statement("harm", Harm.unbound + harm))
                let rows = try await connection.query(checks).map { row in
                    (try row.decode("claim", as: String.self), try row.decode("found", as: Int.self))
                }
                // Throws to roll back.
                throw Found(claims: Dictionary(uniqueKeysWithValues: rows))
            }
            return [:]
        } catch {
            guard let found = error as? Found else { throw error }
            return found.claims
        }
    }

    @Test func `each check finds the violation that it is for`() async throws {
        try await TestStore.with { test in
            try await test.execute(FilledLedger(days: 14, kinds: 6).script)
            let checks = try await test.store.reports.check()
            #expect(checks.filter { !$0.holds } == [])
            for check in checks {
                let harm = try #require(
                    try Harm(check), "sql/reports/\(check.report)/checks.sql names no harm for: \(check.claim)")
                guard let script = harm.script else { continue }
                let found = try await find(test, check.report, after: script)[check.claim] ?? 0
                #expect(found > 0, "\(check.report): \(check.claim)")
            }
        }
    }
}
