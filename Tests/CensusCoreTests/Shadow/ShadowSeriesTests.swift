import CensusCore
import SeededRandom
import Testing

@Suite struct `Shadow series` {
    /// Sixty days on which the amount of every reason moves independently.
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
            day.eventsInstalled = part(0.03...0.09)
            day.eventsRemoved = part(0.01...0.06)
            day.devicesActive = Int(level * 3)
            day.readsFailed = part(0.1...0.9)
            return day
        }
    }

    @Test(arguments: [TheirMeasure.devices, .widgets], UInt64(1)...50)
    func `an explanation finds the reasons behind their numbers`(measure: TheirMeasure, seed: UInt64) throws {
        var random = Seeded(seed)
        // Several kinds, counted by one tool.
        let days = (0...random.below(4)).flatMap { _ in self.days(&random) }
        let memory: [Discrepancy] = [.silent, .unheardToday, .unheardThisWeek]
        var chosen = Discrepancy.allCases.filter { $0 != .everyEvent && random.chance(50) }
        if let one = chosen.first(where: memory.contains) { chosen.removeAll { memory.contains($0) && $0 != one } }
        let numbers = days.map { day in
            let theirs = chosen.reduce(measure.ours(on: day)) { $0 + ($1.amount(in: measure, on: day) ?? 0) }
            return (theirs: theirs * random.within(0.995...1.005), ours: day)
        }
        let explanation = ShadowExplanation(measure, numbers)
        #expect(Set(explanation.reasons) == Set(chosen))
        #expect(explanation.share == nil)
        #expect(
            numbers.allSatisfy {
                abs(explanation.unexplained(theirs: $0.theirs, $0.ours)) <= abs($0.theirs) * 0.006
            })
    }

    @Test(arguments: TheirMeasure.allCases) func `nearly equal numbers need no reason`(measure: TheirMeasure) {
        var random = Seeded(1)
        let days = days(&random).map { (measure.ours(on: $0) * random.within(0.997...1.003), $0) }
        #expect(ShadowExplanation(measure, days).isEmpty)
    }

    @Test(arguments: UInt64(1)...20) func `noise has no reason`(seed: UInt64) {
        var random = Seeded(seed)
        let days = days(&random).map { ($0.devicesExpected * random.within(0.9...1.1), $0) }
        #expect(ShadowExplanation(.devices, days).isEmpty)
    }

    @Test(arguments: [0.0, 0.3, 0.7, 1.4], UInt64(1)...5)
    func `a constant share is found, and zeros have no reason`(share: Double, seed: UInt64) throws {
        var random = Seeded(seed)
        let days = days(&random).map { ($0.devicesExpected * share * random.within(0.99...1.01), $0) }
        let explanation = ShadowExplanation(.devices, days)
        #expect(explanation.reasons == [])
        if share == 0 {
            #expect(explanation.share == nil)
        } else {
            #expect(abs(try #require(explanation.share) - share) < 0.01)
        }
    }

    /// For example the devices of another window: a steady share of theirs, but not of the difference.
    @Test(arguments: UInt64(1)...10) func `a share that leaves half of the difference is rejected`(seed: UInt64) {
        var random = Seeded(seed)
        let days = days(&random).map { ($0.devicesExpected * random.within(1.01...1.13), $0) }
        #expect(ShadowExplanation(.devices, days).share == nil)
    }

    /// On average, a wrong reason might come close by chance.
    @Test func `a reason that leaves most of the difference is no explanation`() {
        var random = Seeded(7)
        let days = days(&random).map { ($0.day.daysSince1970 % 2 == 0 ? 200.0 : 600, $0) }
        #expect(ShadowExplanation(.devices, days).isEmpty)
    }

    @Test func `six days explain nothing`() {
        var random = Seeded(5)
        let days = days(&random).map { (Double($0.devicesReported), $0) }
        #expect(ShadowExplanation(.devices, Array(days.prefix(6))).isEmpty)
        #expect(ShadowExplanation(.devices, Array(days.prefix(7))).reasons == [.ghosts])
    }

    @Test(arguments: [TheirMeasure.installed, .removed], UInt64(1)...10)
    func `changes have only the number of events as a reason`(measure: TheirMeasure, seed: UInt64) throws {
        var random = Seeded(seed)
        let events = try days(&random).map { (Double(try #require(measure.events(on: $0))), $0) }
        #expect(ShadowExplanation(measure, events).reasons == [.everyEvent])
        let silent = days(&random).map { day in
            var day = day
            (day.eventsInstalled, day.eventsRemoved) = (0, 0)
            return (0.02 * measure.ours(on: day), day)
        }
        #expect(ShadowExplanation(measure, silent).reasons == [])
    }

    @Test func `other changes are amounts, not reasons`() {
        var random = Seeded(3)
        let days = days(&random).map { (Double($0.addedInstalled + $0.addedConfigured), $0) }
        #expect(ShadowExplanation(.installed, days).reasons == [])
        #expect(OtherChange.configured.amount(in: .installed, on: days[0].1) == days[0].1.addedConfigured)
        #expect(OtherChange.upgradeLoss.amount(in: .installed, on: days[0].1) == nil)
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
