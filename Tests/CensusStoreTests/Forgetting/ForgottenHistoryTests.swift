import CensusCore
import Fleet
import Nightly
import SeededRandom
import Testing

@testable import CensusStore

/// Events arrive again at any time, from a file or from a spool that was away.
@Suite struct `Repeated events of erased devices` {
    @Test(arguments: AppendWay.allCases)
    func `erased devices stay out after their hash is dropped, and other devices don't`(
        way: AppendWay
    ) async throws {
        try await TestStore.with(appends: way, isPartitioned: true) { test in
            var (phone, other) = (Phone("phone"), Phone("other"))
            phone.reports(["weather"], .day(1))
            for day in 1...80 { other.reports(["weather"], .day(day)) }
            try await test.tell(phone, other)
            try await test.night(.first + 2)
            try await test.forget(phone, at: .day(2))
            let before = try await weather(test, on: 1)
            #expect(before == ["2|2"])
            try await test.store.upkeep.setRetention(days: 3)
            for day in 5...9 { _ = try await RetentionSweep(store: test.store, logger: .quiet).keep(now: .day(day)) }
            #expect(try await test.value(Int.self, "select count(*) from census.forgotten") == 0)
            // Neither device has a base that holds its later events.
            var late = Phone("late")
            late.reports(["weather"], .day(8))
            #expect(try await test.tell(phone, late) == AppendOutcome(received: 2, stored: 1))
            try await test.night(.first + 9)
            #expect(try await weather(test, on: 1) == before)
            #expect(try await test.rows(of: [test.device(phone)]) == 0)
            #expect(try await test.differences() == [])
        }
    }

    /// Compares with a store that keeps everything, and so knows every erased device.
    @Test(arguments: TestStore.seeds(700..<706)) func `repetitions change nothing under any retention`(seed: UInt64)
        async throws
    {
        var random = Seeded(seed)
        var phones = RandomFleet(seed, phones: 10).phones
        phones.append(.everyDay)
        let story = Story(phones, &random)
        let expected = try await numbers(after: story, keeping: nil)
        #expect(expected.contains { !$0.hasSuffix("|0|0") })
        let kept = try await numbers(after: story, keeping: random)
        #expect(kept.difference(from: expected).map { "\($0)" } == [], "seed \(seed)")
    }

    /// The events of each day, in both stores.
    private struct Story {
        var phones: [Phone]
        /// By day, the phones that are erased that evening, and send nothing afterwards.
        var forgotten: [Int: [Int]] = [:]
        /// By day, the phones whose events of all previous days arrive again.
        var repeated: [Int: [Int]] = [:]

        init(_ phones: [Phone], _ random: inout Seeded) {
            self.phones = phones
            for index in phones.indices where phones[index].id != Phone.everyDay.id && random.chance(40) {
                forgotten[random.below(60), default: []].append(index)
            }
            for day in 1...80 where random.chance(30) {
                repeated[day] = phones.indices.filter { _ in random.chance(50) }
            }
        }

        /// The last day on which a phone sends something.
        func end(of phone: Int) -> Int { forgotten.first { $0.value.contains(phone) }?.key ?? .max }
    }

    /// - Parameter keeping: decides which nights drop old data, and how much they keep. Nil keeps everything.
    private func numbers(after story: Story, keeping: Seeded?) async throws -> [String] {
        var random = keeping
        var numbers: [String] = []
        try await TestStore.with(appends: .copies, isPartitioned: true) { test in
            let batches = story.phones.map { phone in
                zip(phone.observations, test.batches(of: phone)).map { (said, rows) in
                    (day: Int((said.at - .day(0, hour: 0)) / .hours(24)), rows: rows)
                }
            }
            var gone: Set<Int> = []
            for day in 0...80 {
                let today = batches.indices.filter { !gone.contains($0) }
                    .flatMap { phone in batches[phone].filter { $0.day == day } }
                _ = try await test.store.log.append(today.map(\.rows))
                for phone in story.repeated[day] ?? [] {
                    let past = batches[phone].filter { $0.day < day && $0.day <= story.end(of: phone) }
                    _ = try await test.store.log.append(past.map(\.rows))
                }
                if day % 3 == 0 { try await test.night(.first + day) }
                for phone in story.forgotten[day] ?? [] {
                    gone.insert(phone)
                    try await test.forget(story.phones[phone], at: .day(day, hour: 22))
                }
                if random?.chance(60) == true {
                    try await test.store.upkeep.setRetention(days: random?.pick([4, 6, 10, 20]) ?? 90)
                    _ = try await RetentionSweep(store: test.store, logger: .quiet).keep(now: .day(day, hour: 23))
                }
            }
            try await test.night(.first + 79)
            #expect(try await test.differences() == [])
            numbers = try await test.lines(
                "select day, surface, kind, devices_certain, devices_possible from report.live_kinds order by day, surface, kind collate \"C\""
            )
        }
        return numbers
    }

    private func weather(_ test: TestStore, on day: Int) async throws -> [String] {
        try await test.lines(
            "select devices_certain, devices_possible from report.live_kinds where day = $1 and kind = 'weather'",
            [Day.first + day])
    }
}
