import CensusCore
import Postgres
import Testing

@testable import CensusStore

@Suite struct `Report checks` {
    @Test(arguments: UInt64(0)..<4) func `all hold after a night`(seed: UInt64) async throws {
        try await TestStore.with(zone: ["UTC", "Asia/Kolkata"][Int(seed) % 2]) { test in
            // The fleet's last event may be two days old, from some hour of the day on.
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

    @Test func `all hold where nothing was heard yet`() async throws {
        try await TestStore.with { test in
            let checks = try await test.store.reports.check()
            #expect(checks.filter { !$0.holds } == [])
            #expect(Set(checks.map(\.report)) == Set(ReportFolder.described.map(\.name)))
        }
    }

    private struct Found: Error {
        var claims: [(claim: String, found: Int)]
    }

    /// What a report's checks find once something is wrong; nothing stays wrong.
    private func find(_ test: TestStore, _ plant: Plant) async throws -> [(claim: String, found: Int)] {
        let checks = try #require(ReportDescription.all.first { $0.name == plant.report }?.checks)
        do {
            try await test.store.pool.transaction("plant") { connection in
                try await connection.execute(script: Statement("plant", plant.script))
                let rows = try await connection.query(checks)
                // Thrown, so that it is rolled back.
                throw Found(
                    claims: try rows.map { (try $0.decode(String.self, at: 1), try $0.decode(Int.self, at: 2)) })
            }
            return []
        } catch {
            guard let found = error as? Found else { throw error }
            return found.claims
        }
    }

    /// These only fail when the view itself is wrong.
    private let arithmetic: Set = [
        "gone + still_there = suspects_settled", "0 <= low <= gone_share <= high <= 1",
        "gone_share = gone / suspects_settled", "share_reporting = devices_reporting / devices_active",
        "share = devices_with_any_widget / devices_active",
    ]

    @Test func `each finds what it is there to find`() async throws {
        try await TestStore.with { test in
            try await test.execute(FilledLedger(days: 5, kinds: 6).script)
            let checks = try await test.store.reports.check()
            #expect(checks.filter { !$0.holds } == [])
            var open = Set(checks.map { "\($0.report): \($0.claim)" })
            for plant in Plant.all { open.subtract(try await caught(test, plant)) }
            #expect(open.filter { line in !arithmetic.contains { line.hasSuffix(": \($0)") } } == [])
        }
    }

    private func caught(_ test: TestStore, _ plant: Plant) async throws -> [String] {
        let found = try await find(test, plant).filter { $0.claim.hasPrefix(plant.claim) }
        #expect(found.count == 1, "\(plant.report): \(plant.claim)")
        #expect(found.allSatisfy { $0.found > 0 }, "\(plant.report): \(plant.claim)")
        return found.map { "\(plant.report): \($0.claim)" }
    }
}
