import CensusCore
import Fleet
import Foundation
import Nightly
import PostgresTesting
import Testing

@testable import CensusStore

/// In any order of arrival, and with settings, retention and erasures in between, the ledger agrees with the spans, and
/// every report equals that of one import in order. A failure names its seed; CENSUS_SEEDS sets the number of seeds.
@Suite struct `Arrivals` {
    private static let asked = ProcessInfo.processInfo.environment["CENSUS_SEEDS"].flatMap(UInt64.init)
    static let seeds = asked.map { 0..<$0 } ?? TestStore.seeds(0..<5)

    private static let settings = ["UTC", "Asia/Kolkata", "America/New_York"].flatMap { zone in
        [28, 10].map { window in
            var settings = AppSettings()
            settings.zone = zone
            settings.windowDays = window
            return settings
        }
    }

    /// The last day that is dropped, and the last that is closed.
    private static let (dropped, last) = (38, 78)

    @Test(arguments: seeds) func `the order of arrival changes no report`(seed: UInt64) async throws {
        var random = Seeded(~seed)
        let fleet = RandomFleet(seed, phones: 9, platforms: [.ios, .android, .android])
        let phones = fleet.phones + [.everyDay]
        let final = random.pick(Self.settings)
        let drops = random.chance(60)
        try await TestStore.with(random.pick(Self.settings), isPartitioned: true) { test in
            try await PartitionKeeper(store: test.store, logger: .quiet).keep(from: .first - 1, through: .today + 7)
            let all = phones.flatMap { phone in zip(phone.observations.map(\.at), test.batches(of: phone)) }
            let border = Timestamp.day(Self.dropped + 1, hour: 0)
            let early = drops ? all.filter { $0.0 < border || random.chance(40) } : all
            try await deliver(early.map(\.1), to: test, &random) { test, random in
                if random.chance(15) { try await test.store.apps.set(TestStore.appID, random.pick(Self.settings)) }
            }
            // A base keeps the zone it was folded by, so the last zone is set before anything is dropped.
            try await test.store.apps.set(TestStore.appID, final)
            if drops {
                try await test.night(.first + 60)
                try await test.store.upkeep.setRetention(days: 40)
                let sweep = RetentionSweep(store: test.store, logger: .quiet)
                #expect(try await sweep.keep().dropped > 0, "seed \(seed)")
                try await deliver(all.filter { $0.0 >= border }.map(\.1), to: test, &random) { _, _ in }
            }
            try await test.night(.first + Self.last)
            #expect(try await test.differences() == [], "seed \(seed)")

            try await TestStore.with(final, isPartitioned: true) { whole in
                try await whole.tell(phones)
                try await whole.night(.first + Self.last)
                let from = try await whole.value(Day.self, "select min(day) from census.closed_day")
                for report in try await reports(whole) {
                    let (found, wanted) = (
                        try await lines(report, test, since: from), try await lines(report, whole, since: from)
                    )
                    #expect(found == wanted, "seed \(seed), \(report)")
                    #expect(report != "live_installs" || wanted.count > 100)
                }
            }

            // From here on the past differs: without these phones, and in days of another zone.
            for phone in fleet.phones.prefix(3) {
                _ = try await test.store.forgetting.forget(
                    test.device(phone), of: test.app, at: .day(random.below(Self.last)))
            }
            #expect(try await test.differences() == [], "seed \(seed), forgotten")
            try await test.store.apps.set(TestStore.appID, random.pick(Self.settings))
            try await test.night(.first + Self.last)
            #expect(try await test.differences() == [], "seed \(seed), at last")
        }
    }

    /// Delivers batches late, twice and out of order, between steps and nights.
    private func deliver(
        _ batches: [BatchRows], to test: TestStore, _ random: inout Seeded,
        between: (TestStore, inout Seeded) async throws -> Void
    ) async throws {
        var waiting = batches + batches.filter { _ in random.chance(10) }
        waiting.shuffle(using: &random)
        while !waiting.isEmpty {
            let step = min(waiting.count, random.below(50) + 1)
            _ = try await test.store.log.append(Array(waiting.prefix(step)))
            waiting.removeFirst(step)
            try await between(test, &random)
            if random.chance(60) { try await test.reconcile(stepSize: random.below(7) + 1) }
            if random.chance(20) {
                try await test.night(.first + 20 + random.below(Self.last - 20))
                #expect(try await test.differences() == [])
            }
        }
        try await test.reconcile()
    }

    private func reports(_ test: TestStore) async throws -> [String] {
        try await test.lines("select viewname from pg_views where schemaname = 'report' order by viewname")
    }

    /// Leaves out first-known numbers and days before the first one, which depend on when a day was first closed.
    private func lines(_ report: String, _ test: TestStore, since first: Day) async throws -> [String] {
        let columns = try await test.lines(
            """
            select quote_ident(column_name)
            from information_schema.columns
            where table_schema = 'report'
                and table_name = $1
                and column_name not like '%first_known'
            order by ordinal_position
            """, [report])
        let list = columns.joined(separator: ", ")
        var filter = columns.contains("day") ? "where day >= '\(first)'" : ""
        // A cell that was counted once and is gone stays as zeros.
        if report == "live_kinds" { filter += " and devices_possible + widgets_reported > 0" }
        return try await test.lines("select row(\(list))::text as line from report.\(report) \(filter) order by 1")
    }
}
