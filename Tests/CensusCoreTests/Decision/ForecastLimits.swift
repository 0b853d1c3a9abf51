import Testing

@testable import CensusCore

/// The limits at which a forecast changes.
@Suite struct `Forecast limits` {
    private let first = Day(daysSince1970: 20_000)

    private func days(
        _ count: Int, certain: (Int) -> Int = { _ in 1_000 }, removed: (Int) -> Int = { _ in 0 }
    ) -> [BaseDay] {
        (0..<count).map {
            BaseDay(day: first + $0, certain: certain($0), possible: certain($0), removed: removed($0))
        }
    }

    /// A thousand devices of which ten leave each day.
    private func melting(_ count: Int) -> [BaseDay] {
        days(count, certain: { 1_000 - 10 * $0 }, removed: { _ in 10 })
    }

    private func interval(_ forecast: BaseForecast) throws -> BaseForecast.Interval<Day> {
        guard case .ready(let interval) = forecast.outcome else { throw Missing.interval }
        return interval
    }

    private enum Missing: Error { case interval }

    // MARK: Required data

    @Test func `an estimate needs fourteen days and a hundred movements`() {
        #expect(HazardEstimate(melting(14)[...]) == nil)
        #expect(HazardEstimate(melting(15)[...]) != nil)
        // The first day's movements began before it, so they don't count.
        #expect(HazardEstimate(days(15, removed: { $0 == 14 ? 100 : 0 })[...]) != nil)
        #expect(HazardEstimate(days(15, removed: { $0 == 14 ? 99 : 0 })[...]) == nil)
        #expect(HazardEstimate(days(15, removed: { $0 == 0 ? 100 : 0 })[...]) == nil)
    }

    @Test func `the window grows to at most twelve weeks`() {
        #expect(HazardEstimate(days(120, removed: { $0 == 120 - 84 ? 100 : 0 })[...]) != nil)
        #expect(HazardEstimate(days(120, removed: { $0 == 120 - 85 ? 100 : 0 })[...]) == nil)
        #expect(HazardEstimate(days(85, removed: { $0 == 1 ? 100 : 0 })[...]) != nil)
        #expect(HazardEstimate(days(84, removed: { $0 == 1 ? 100 : 0 })[...]) == nil)
    }

    @Test func `a base without holders has no rate`() throws {
        #expect(HazardEstimate(days(20, certain: { _ in 0 }, removed: { _ in 10 })[...]) == nil)
        let estimate = try #require(
            HazardEstimate(days(20, certain: { $0 == 15 ? 1 : 0 }, removed: { _ in 10 })[...]))
        #expect(estimate.rate == 140)
    }

    /// Each day's expected movements equal the number of devices that held the kind.
    @Test func `a week with at most one expected movement doesn't affect the dispersion`() throws {
        func dispersion(expected: Int) throws -> Double {
            let days = days(
                15, certain: { $0 == 0 ? expected : $0 == 7 ? 128 - expected : 0 },
                removed: { $0 == 1 ? 9 : $0 == 8 ? 119 : 0 })
            return try #require(HazardEstimate(days[...])).dispersion
        }
        // 9 rather than 2, and 119 rather than 126.
        #expect(isNear(try dispersion(expected: 2), 49.0 / 2 + 49.0 / 126))
        // 119 rather than 127.
        #expect(try dispersion(expected: 1) == 1)
    }

    @Test func `the outcome names the missing data`() {
        func shortage(_ days: [BaseDay]) -> BaseForecast.Outcome {
            BaseForecast(days, limit: 10, readyDays: 14).outcome
        }
        #expect(shortage([]) == .notEnoughData(.fewDays(0)))
        #expect(shortage(melting(1)) == .notEnoughData(.fewDays(0)))
        #expect(shortage(melting(14)) == .notEnoughData(.fewDays(13)))
        #expect(shortage(days(15)) == .notEnoughData(.fewMovements(0, days: 14)))
        // Only the newest 84 days count.
        let old = days(100, removed: { [100 - 84, 100 - 85].contains($0) ? 7 : 0 })
        #expect(shortage(old) == .notEnoughData(.fewMovements(7, days: 84)))
        // Of 40 days, only the newest five weeks count.
        let uneven = days(40, removed: { $0 < 5 ? 20 : $0 == 20 ? 10 : 0 })
        #expect(shortage(uneven) == .notEnoughData(.fewMovements(10, days: 35)))
        let unheld = days(40, certain: { _ in 0 }, removed: { $0 == 30 ? 100 : 0 })
        #expect(shortage(unheld) == .notEnoughData(.noDecline))
    }

    /// 2,500 movements have a deviation of 50, and 1.28 times that is 64.
    @Test func `a base melts if the rate exceeds 1.28 standard errors`() {
        func outcome(returned: Int) -> BaseForecast.Outcome {
            var days = days(15, certain: { $0 == 13 ? 3_072 : 1_024 })
            // About as many in each week as its devices predict: 1,093.75 and 1,406.25.
            (days[3].removed, days[3].returned) = (547, 547)
            (days[12].removed, days[12].returned) = (735, returned)
            return BaseForecast(days, limit: 10, readyDays: 14).outcome
        }
        #expect(outcome(returned: 671) == .notEnoughData(.noDecline))
        #expect(outcome(returned: 670) != .notEnoughData(.noDecline))
    }

    // MARK: Slowing rates and floors

    @Test(arguments: [7.0, 14, 28, 56, 112, 224, 448]) func `a fit recovers the delay of a rate`(delay: Double) throws {
        var (level, days) = (1e9, [BaseDay]())
        for number in 0..<85 {
            let removed = number == 0 ? 0 : (level * 3 / (delay + Double(number - 1))).rounded()
            level -= removed
            days.append(BaseDay(day: first + number, certain: Int(level), possible: Int(level), removed: Int(removed)))
        }
        let slowing = try #require(SlowingHazard(days[...]))
        #expect(slowing.delay == delay)
        #expect(abs(slowing.scale - 3) < 1e-3)
        #expect(isNear(slowing.rate(on: 0), slowing.scale / (delay + 84)))
    }

    @Test func `a single movement has a rate, with the shortest of the delays that all explain it`() throws {
        #expect(SlowingHazard(days(2)[...]) == nil)
        #expect(SlowingHazard(days(1, removed: { _ in 5 })[...]) == nil)
        let slowing = try #require(SlowingHazard(days(2, removed: { _ in 1 })[...]))
        #expect(slowing.delay == 7 && slowing.next == 1)
        #expect(isNear(slowing.scale, 0.007))
    }

    @Test func `days without holders don't affect the delay`() throws {
        var (level, days) = (1e6, days(60))
        for number in 1..<60 {
            days[number - 1].certain = number == 31 ? 0 : Int(level)
            let removed = level * 3 / (56 + Double(number - 1))
            days[number].removed = number == 31 ? 0 : Int(removed)
            level -= removed
        }
        #expect(try #require(SlowingHazard(days[...])).delay == 56)
    }

    @Test func `a floor needs 28 days and a hundred removals`() {
        func floor(_ count: Int, removed: Int) -> MeltingFloor? {
            MeltingFloor(days(count, removed: { $0 == count - 1 ? removed : 0 })[...])
        }
        #expect(floor(29, removed: 100) != nil)
        #expect(floor(29, removed: 99) == nil)
        #expect(floor(28, removed: 100) == nil)
        #expect(floor(0, removed: 100) == nil)
    }

    /// 40,000 devices never leave, and one in twenty of the others leaves each day.
    private func held(_ count: Int = 60) -> [BaseDay] {
        var above = 60_000.0
        var days = (0..<count).map { number in
            let removed = (above / 20).rounded()
            above -= removed
            return BaseDay(
                day: first + number, certain: 40_000 + Int(above), possible: 40_000 + Int(above), removed: Int(removed))
        }
        // Makes its fiftieths whole numbers.
        days[count - 1].certain -= days[count - 1].certain % 50
        return days
    }

    @Test func `the interval is closed for limits down to the floor, and open below it`() throws {
        let least = try #require(MeltingFloor(held()[...])).least
        #expect(least > 38_000 && least == least.rounded())
        func high(_ limit: Int) throws -> Day? {
            try interval(BaseForecast(held(), limit: limit, readyDays: 14)).high
        }
        #expect(try high(Int(least)) != nil)
        #expect(try high(Int(least) - 1) == nil)
    }

    @Test func `too few removals for a floor leave the interval closed`() throws {
        #expect(try interval(BaseForecast(melting(20), limit: 500, readyDays: 14)).high != nil)
    }

    // MARK: The ready day

    @Test func `days at the limit count from the newest back`() throws {
        func ready(_ limit: Int, readyDays: Int = 14) throws -> Day {
            try interval(BaseForecast(melting(40), limit: limit, readyDays: readyDays)).estimate
        }
        // On the last fourteen days at most 740 held it.
        #expect(try ready(740) == first + 39)
        #expect(try ready(739) == first + 40)
        #expect(try ready(740, readyDays: 15) == first + 40)
    }

    @Test func `a forecast names no day more than ten years ahead`() throws {
        func forecast(_ readyDays: Int) -> BaseForecast {
            BaseForecast(melting(40), limit: 2_000, readyDays: readyDays, streak: 0)
        }
        #expect(try interval(forecast(3_650)).estimate == first + (39 + 3_650))
        #expect(forecast(3_650).fan.last?.day == first + (39 + 365))
        #expect(forecast(3_651).outcome == .never(levelsOffNear: 0))
    }

    @Test func `silent holders who leave tomorrow don't count in the final level`() {
        var days = (0..<40).map {
            BaseDay(day: first + $0, certain: 1_000, possible: 1_000, installed: 20, removed: 20)
        }
        days[39].silent = 300
        let forecast = BaseForecast(days, expiring: [first + 40: 300], limit: 10, readyDays: 14)
        #expect(forecast.outcome == .never(levelsOffNear: 1_000))
    }

    @Test func `a forecast is never before the earliest day`() throws {
        let forecast = BaseForecast(melting(40), limit: 740, readyDays: 14, earliest: first + 45)
        let on = try interval(forecast)
        #expect(on.estimate == first + 45 && on.low == first + 45 && on.high == first + 45)
        let later = try interval(BaseForecast(melting(40), limit: 739, readyDays: 14, earliest: first + 3))
        #expect(later.estimate == first + 40)
    }

    /// The forecasts of an empty base miss nothing, and allow for nothing.
    @Test func `exact forecasts widen no interval`() {
        let days = days(80, certain: { $0 < 29 ? 1_000 - 35 * $0 : 0 }, removed: { $0 < 29 ? 35 : 0 })
        #expect(ForecastRecord(days).widening == 1)
        #expect(wideningReference(days) == 1)
    }

    // MARK: Days and sentences

    @Test func `a day starts without movements, and sums its holders and movements`() {
        let quiet = BaseDay(day: first, certain: 3, possible: 5)
        #expect(
            quiet
                == BaseDay(
                    day: first, certain: 3, possible: 5, silent: 0, installed: 0, removed: 0, fellSilent: 0,
                    returned: 0, active: nil))
        var day = quiet
        (day.silent, day.installed, day.removed, day.fellSilent, day.returned) = (100, 1, 20, 7, 4)
        #expect(day.holders == 105 && day.net == 23 && day.movements == 31)
        day.removed = -20
        #expect(day.net == -17 && day.movements == 31)
    }

    @Test func `each outcome of a forecast has a sentence`() {
        func sentence(_ shortage: BaseForecast.Shortage) -> String {
            BaseForecast(melting(40), limit: 740, readyDays: 14, hindrance: shortage).sentence
        }
        #expect(sentence(.fewDays(3)) == "No forecast: it needs 14 days of data and has 3.")
        #expect(
            sentence(.fewMovements(1, days: 35))
                == "No forecast: only 1 of the 100 movements needed (devices that lose it, fall silent or return) "
                + "in the last 35 days.")
        #expect(
            sentence(.noDecline) == "No forecast: the number of devices with it shows no measurable decline.")
        #expect(sentence(.openLoss) == "No forecast: an update is taking the kind away.")
        #expect(
            sentence(.coverageMoved)
                == "No forecast: the share of devices that report has changed by more than a fifth.")
        #expect(
            sentence(.recentAct(on: first))
                == "No forecast: the decision of 2024-10-04 is too recent to show its effect; forecasts resume on 2024-11-02."
        )
        #expect(
            BaseForecast(melting(40), limit: 740, readyDays: 14).sentence
                == "At this rate it will be ready at the end of 2024-11-12 (80% interval: 2024-11-12 to 2024-11-12).")
        #expect(
            BaseForecast(melting(40), limit: 2_000, readyDays: 3_651, streak: 0).sentence
                == "Never at this rate: it levels off near 0 devices, which is above the limit.")
    }
}
