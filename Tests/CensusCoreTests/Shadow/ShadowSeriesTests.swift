import CensusCore
import SeededRandom
import Testing

@Suite struct `Shadow series` {
    /// Sixty days on which every reason has an amount that moves on its own.
    private func days(_ random: inout Seeded) -> [CountedDay] {
        var level = random.within(500...5_000)
        return (0..<60).map { number in
            func part(_ share: ClosedRange<Double>) -> Int { Int(level * random.within(share)) }
            level *= random.within(0.97...1.04)
            var day = CountedDay(day: Day(daysSince1970: 20_700) + number, surface: "widget", kind: "weather")
            day.devicesExpected = level.rounded()
            day.devicesCertain = part(0.93...0.99)
            day.devicesPossible = part(1.01...1.1)
            day.devicesReported = part(1.05...1.3)
            day.devicesSilent = part(0.1...0.4)
            day.devicesDaily = part(0.2...0.5)
            day.devicesWeekly = part(0.55...0.8)
            day.widgetsCertain = part(1...1.2)
            day.widgetsReported = part(1.25...1.6)
            day.addedInstalled = part(0.02...0.05)
            day.addedConfigured = part(0.01...0.05)
            day.addedReturned = part(0.01...0.04)
            day.removedRemoved = part(0.02...0.05)
            day.removedConfigured = part(0.01...0.05)
            day.removedReinstalled = part(0.01...0.06)
            day.removedUpgradeLoss = part(0.01...0.05)
            day.removedSilent = part(0.01...0.05)
            day.devicesActive = Int(level * 3)
            day.readsFailed = part(0.1...0.9)
            return day
        }
    }

    @Test(arguments: TheirMeasure.allCases, UInt64(1)...50)
    func `the reasons that made their numbers are found again`(measure: TheirMeasure, seed: UInt64) throws {
        var random = Seeded(seed)
        let days = days(&random)
        let possible = Discrepancy.allCases.filter { $0.amount(in: measure, on: days[0]) != nil }
        let memory: [Discrepancy] = [.silent, .unheardToday, .unheardThisWeek]
        var chosen = possible.filter { _ in random.chance(50) }
        // A tool has one memory. Beside a removal, silence is a change like any other.
        if measure == .devices, let one = chosen.first(where: memory.contains) {
            chosen.removeAll { memory.contains($0) && $0 != one }
        }
        let series = try #require(
            ShadowSeries(
                measure,
                days.map { day in
                    (chosen.reduce(measure.ours(on: day)) { $0 + $1.amount(in: measure, on: day)! }, day)
                }))
        #expect(
            series.days.allSatisfy { abs(series.unexplained(theirs: $0.theirs, $0.ours)) < abs($0.theirs) * 0.1 + 1 })
        // One that moves their number by less than a tenth of the difference is not worth naming.
        let whole = series.mean { abs($0.theirs - series.ours($0.ours)) }
        let large = chosen.filter { reason in series.mean { abs(series.amount(of: reason, $0.ours)) } > whole * 0.25 }
        #expect(Set(series.reasons).isSuperset(of: large), "\(chosen)")
        #expect(Set(series.reasons).isSubset(of: chosen), "\(chosen)")
    }

    @Test(arguments: TheirMeasure.allCases) func `the same numbers need no reason`(measure: TheirMeasure) throws {
        var random = Seeded(1)
        let days = days(&random).map { day in
            (measure.ours(on: day) * random.within(0.997...1.003), day)
        }
        #expect(try #require(ShadowSeries(measure, days)).reasons == [])
    }

    @Test func `noise has no reason`() throws {
        for seed in UInt64(1)...20 {
            var random = Seeded(seed)
            let days = days(&random).map { day in
                (day.devicesExpected * random.within(0.9...1.1), day)
            }
            #expect(try #require(ShadowSeries(.devices, days)).reasons == [], "seed \(seed)")
        }
    }

    @Test func `days outside our bounds are counted`() throws {
        var day = CountedDay(day: Day(daysSince1970: 20_700), surface: "widget", kind: "weather")
        (day.devicesCertain, day.devicesPossible, day.devicesExpected) = (10, 12, 11)
        let series = try #require(ShadowSeries(.devices, [9, 10, 12, 13, 14].map { ($0, day) }))
        #expect(series.outside?.below == 1)
        #expect(series.outside?.above == 2)
        #expect(try #require(ShadowSeries(.installed, [(1, day)])).outside == nil)
        #expect(ShadowSeries(.devices, []) == nil)
    }
}

extension Seeded {
    fileprivate mutating func within(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
    }
}
