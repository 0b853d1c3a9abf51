import CensusCore
import CensusStore
import Fleet
import Testing

@Suite struct `Live now` {
    @Test(arguments: TestStore.seeds(60..<66)) func `the report sums the levels of the devices that aren't silent`(
        seed: UInt64
    )
        async throws
    {
        try await TestStore.with { test in
            // The data ends yesterday: some phones are silent by now, most are not.
            let phones = RandomFleet(seed, phones: 40, days: 79).phones
            try await test.tell(phones)
            try await test.reconcile()
            var wanted: [String: (certain: Int, possible: Int, levels: [Level])] = [:]
            let now = Timestamp.now
            for phone in phones {
                let state = DeviceFold(window: test.app.window).fold(phone.observations(test.secret))
                guard let silentAt = test.app.fold.silentAt(of: state), silentAt > .now else { continue }
                let live = test.app.fold.spans(of: state).filter { $0.from <= now && $0.to ?? now >= now }
                for held in Dictionary(grouping: live, by: { $0.cell }).values {
                    guard let cell = held.first?.cell else { continue }
                    var numbers = wanted[cell] ?? (0, 0, [])
                    if held.contains(where: { $0.level.certain > 0 }) { numbers.certain += 1 }
                    if held.contains(where: { $0.level.possible > 0 }) { numbers.possible += 1 }
                    numbers.levels += held.map(\.level)
                    wanted[cell] = numbers
                }
            }
            let found = try await test.lines(
                """
                select
                    surface,
                    kind,
                    octet_length(kind),
                    devices_certain,
                    devices_possible,
                    widgets_certain,
                    widgets_possible,
                    widgets_reported,
                    devices_expected between devices_certain and devices_possible
                from report.live_now
                """)
            let lines = wanted.map { name, numbers in
                let sums = [\Level.certain, \.possible, \.reported]
                    .map { part in String(numbers.levels.reduce(0) { $0 + $1[keyPath: part] }) }
                return "\(name)|\(numbers.certain)|\(numbers.possible)|\(sums.joined(separator: "|"))|t"
            }
            #expect(!lines.isEmpty)
            #expect(found.sorted() == lines.sorted())
        }
    }

    /// Phones with a reinstallation. The share of widgets still there after a boot is the weight of the open suspects.
    private func fleet(stillThere: Int, gone: Int, open: Int, version: String) -> [Phone] {
        (0..<stillThere + gone + open).map { number in
            var phone = Phone("\(version) \(number)", firstLaunch: .day(60), osVersion: version)
            phone.boots(.day(50))
            phone.failsToRead(.day(60))
            phone.reinstalls(.day(70))
            phone.reports(["weather"], .day(70, hour: 10))
            if number < stillThere + gone {
                phone.boots(.day(71))
                phone.reports(number < stillThere ? ["weather"] : [], .day(72))
            }
            return phone
        }
    }

    @Test func `a suspect is weighted by the outcomes of its OS version's suspects`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            // On 14.3, 1 of 10 was still there; on 15.0, all 8. Smoothing adds one of each.
            try await test.tell(fleet(stillThere: 1, gone: 9, open: 12, version: "14.3"))
            try await test.tell(fleet(stillThere: 8, gone: 0, open: 10, version: "15.0"))
            try await test.night(.first + 75)
            let shares = try await test.lines(
                "select os_version, settled, still_there, round(share, 4) from census.suspect_share order by 1")
            #expect(shares == ["14.3|10|1|0.1667", "15.0|8|8|0.9000"])
            let now = try await test.lines(
                "select devices_certain, devices_possible, devices_expected from report.live_now")
            #expect(now == ["9|31|20.0"])
            let then = try await test.lines(
                """
                select day - $1::date, devices_certain, devices_possible, devices_expected
                from report.live_kinds where day in ($1::date + 70, $1::date + 71, $1::date + 72, $1::date + 75)
                order by day
                """, [Day.first])
            // Before the boots all 40 were suspect. Estimates of past days follow the outcome: 9 + 12/6 + 10 * 0.9.
            #expect(then == ["70|0|40|20.0", "71|0|40|20.0", "72|9|31|20.0", "75|9|31|20.0"])
        }
    }

    @Test func `a suspect counts as one half until an outcome is known`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.tell(fleet(stillThere: 0, gone: 0, open: 3, version: "14.3"))
            try await test.night(.first + 75)
            #expect(try await test.lines("select devices_expected from report.live_now") == ["1.5"])
            #expect(try await test.lines("select distinct devices_expected from report.live_kinds") == ["1.5"])
        }
    }
}

extension Span {
    /// Surface, kind, and the kind's length in bytes, because two normal forms of é look alike.
    fileprivate var cell: String { "\(surface.rawValue)|\(placement.kind)|\(placement.kind.utf8.count)" }
}
