import SeededRandom
import Testing

@testable import CensusCore

/// Forecasts for randomly melting bases, compared with the day on which each base really reached the limit.
@Suite struct `Forecasts` {
    /// A base that starts with `level` holders.
    struct Melting {
        var level = 20_000
        var removal = 0.02
        var silence = 0.005
        var arrivals = 0.0
        /// How many days it melts.
        var days = 1_500
        /// The removal rate falls as `1 / (1 + day / slowing)`; nil: it is constant.
        var slowing: Double?

        /// The days, each with its levels and movements.
        func history(_ seed: UInt64) -> [BaseDay] {
            var random = Seeded(seed)
            var silent: [Int] = []
            var (active, pool) = (level, 0)
            return (0..<days).map { number in
                let rate = removal / (slowing.map { 1 + Double(number) / $0 } ?? 1)
                let removed = random.binomial(active, rate)
                let fell = random.binomial(active - removed, silence)
                let placed = random.poisson(arrivals)
                active += placed - removed - fell
                silent.append(fell)
                pool += fell - (number >= DeviceReading.silentDays ? silent[number - DeviceReading.silentDays] : 0)
                return BaseDay(
                    day: Day(daysSince1970: Int32(20_000 + number)), certain: active, possible: active, silent: pool,
                    installed: placed, removed: removed, fellSilent: fell)
            }
        }

        /// How many devices leave the silent pool after the history ends, by day.
        func expiring(_ history: [BaseDay]) -> [Day: Int] {
            Dictionary(
                uniqueKeysWithValues: history.suffix(DeviceReading.silentDays)
                    .map { ($0.day + DeviceReading.silentDays, $0.fellSilent) })
        }
    }

    /// Of 40 bases, how many forecasts at half time are within 20% of the true day, and how many intervals cover it.
    private func trial(_ melting: Melting, limit: Int) -> (near: Int, covered: Int, none: Int) {
        var (near, covered, none) = (0, 0, 0)
        for seed in UInt64(0)..<40 {
            let history = melting.history(seed)
            guard let ready = readyDay(history, limit: limit) else {
                none += 1
                continue
            }
            let known = Array(history.prefix(ready / 2))
            let forecast = BaseForecast(known, expiring: melting.expiring(known), limit: limit, readyDays: 14)
            guard case .ready(let on) = forecast.outcome else { continue }
            let truth = Double(ready)
            let days = { (day: Day) in Double(day.daysSince1970 - history[0].day.daysSince1970) }
            if abs(days(on.estimate) - truth) <= 0.2 * (truth - Double(known.count)) { near += 1 }
            if days(on.low) <= truth, on.high.map({ days($0) >= truth }) ?? true { covered += 1 }
        }
        return (near, covered, none)
    }

    private func readyDay(_ history: [BaseDay], limit: Int) -> Int? {
        var streak = 0
        for (number, day) in history.enumerated() {
            streak = day.holders <= limit ? streak + 1 : 0
            if streak == 14 { return number }
        }
        return nil
    }

    /// In 64 days eight forecasts can be checked, in 65 eleven. The last base has ten: only the windows of four origins hold
    /// both days with movements, and one such day is too little for a forecast.
    @Test func `the interval widens once ten or more forecasts have missed`() {
        func base(days: Int, removed: (Int) -> Int) -> [BaseDay] {
            (0..<days).map {
                BaseDay(
                    day: Day(daysSince1970: 20_000) + $0, certain: 100_000 - 700 * $0, possible: 100_000,
                    removed: removed($0))
            }
        }
        #expect(ForecastRecord(base(days: 64) { _ in 10 }).widening == 1)
        #expect(ForecastRecord(base(days: 65) { _ in 10 }).widening == 4)
        #expect(ForecastRecord(base(days: 130) { [35, 90].contains($0) ? 60 : 0 }).widening == 4)
    }

    @Test func `at a constant rate the estimate is close, and the interval covers the true day`() {
        let found = trial(Melting(), limit: 200)
        #expect(found.none == 0)
        #expect(found.near >= 36, "\(found)")
        #expect(found.covered >= 32, "\(found)")
    }

    /// Silent devices leave only by age, long after the active ones.
    @Test func `the silent pool is forecast separately`() {
        var melting = Melting()
        melting.silence = 0.01
        let found = trial(melting, limit: 1_000)
        #expect(found.near >= 36, "\(found)")
        #expect(found.covered >= 32, "\(found)")
    }

    @Test func `a base that gains as much as it loses gets its final level instead of a day`() throws {
        var melting = Melting()
        melting.arrivals = 40
        melting.silence = 0
        for seed in UInt64(0)..<40 {
            let forecast = BaseForecast(
                Array(melting.history(seed).prefix(200)), limit: 500, readyDays: 14)
            guard case .never(let level) = forecast.outcome else {
                Issue.record("seed \(seed): \(forecast.outcome)")
                continue
            }
            // Each day 40 arrive and 2% of the level leave.
            #expect(abs(level - 2_000) < 300, "seed \(seed): \(level)")
        }
    }

    /// The rate falls as the base approaches the holders who never remove it. The forecast once assumed that they would, and
    /// named a day and an end of the interval.
    @Test func `the interval is open if some holders seem never to leave`() {
        func open(_ floor: Int) -> Int {
            (UInt64(0)..<40).count { seed in
                var melting = Melting()
                (melting.level, melting.silence, melting.days) = (20_000 - floor, 0, 100)
                let days = melting.history(seed).map { day in
                    var day = day
                    (day.certain, day.possible) = (day.certain + floor, day.possible + floor)
                    return day
                }
                let forecast = BaseForecast(days, limit: 300, readyDays: 14)
                if case .ready(let on) = forecast.outcome { return on.high == nil }
                return true
            }
        }
        #expect(open(1_000) >= 38)
        #expect(open(0) <= 6)
    }

    @Test func `the half-life follows from the rate`() throws {
        var covered = 0
        for seed in UInt64(0)..<40 {
            let forecast = BaseForecast(Array(Melting().history(seed).prefix(60)), limit: 10, readyDays: 14)
            let halfLife = try #require(forecast.halfLife)
            #expect(abs(halfLife.estimate - 27.7) < 2, "seed \(seed)")
            if halfLife.low <= 27.7, halfLife.high ?? .infinity >= 27.7 { covered += 1 }
        }
        #expect(covered >= 32)
    }

    @Test func `a forecast needs enough data, a decline and no open loss`() {
        func outcome(_ days: [BaseDay], _ hindrance: BaseForecast.Shortage? = nil) -> BaseForecast.Outcome {
            BaseForecast(days, limit: 10, readyDays: 14, hindrance: hindrance).outcome
        }
        let history = Melting().history(1)
        #expect(outcome([]) == .notEnoughData(.fewDays(0)))
        #expect(outcome(Array(history.prefix(14))) == .notEnoughData(.fewDays(13)))
        var still = Melting()
        still.level = 100
        still.removal = 0.001
        still.silence = 0
        if case .notEnoughData(.fewMovements(let count, _)) = outcome(Array(still.history(1).prefix(100))) {
            #expect(count < 100)
        } else {
            Issue.record("a base of 100 devices moves too little")
        }
        #expect(outcome(Array(history.prefix(50)), .openLoss) == .notEnoughData(.openLoss))
        var wandering = history.prefix(50).map { day in
            var day = day
            day.returned = day.removed + day.fellSilent
            return day
        }
        wandering[49].returned += 1
        #expect(outcome(wandering) == .notEnoughData(.noDecline))
    }

    /// Devices that had already left the pool were subtracted again, so the day was up to a year too early.
    @Test func `silent devices whose year is over don't leave the pool twice`() {
        let history = Array(Melting().history(3).prefix(200))
        let expiring = Melting().expiring(history)
        var more = expiring
        more[history[100].day] = 20_000
        more[history[199].day] = 20_000
        let forecasts = [expiring, more].map { BaseForecast(history, expiring: $0, limit: 200, readyDays: 14) }
        #expect(forecasts[0] == forecasts[1])
    }

    /// After a long holiday more devices return than fall silent. The square root of a negative sum was NaN, which left
    /// the interval open.
    @Test func `a base whose silent devices return has a day and an interval`() {
        var (active, pool) = (5_000, 3_000)
        let days = (0..<60).map { number in
            let removed = active / 25
            active += 20 - removed
            pool -= 20
            return BaseDay(
                day: Day(daysSince1970: Int32(number)), certain: active, possible: active, silent: pool,
                removed: removed, returned: 20)
        }
        let expiring = [Day(daysSince1970: 100): pool]
        let forecast = BaseForecast(days, expiring: expiring, limit: 100, readyDays: 14)
        guard case .ready(let on) = forecast.outcome else {
            Issue.record("\(forecast.outcome)")
            return
        }
        #expect(on.low <= on.estimate && on.high.map { $0 >= on.estimate } == true, "\(on)")
    }

    @Test func `a base that has been at the limit for long enough is ready at once`() {
        let days = (0..<40).map { number in
            BaseDay(
                day: Day(daysSince1970: Int32(number)), certain: 1_000 - number * 10, possible: 1_000 - number * 10,
                removed: 10)
        }
        let forecast = BaseForecast(days, limit: 2_000, readyDays: 14)
        guard case .ready(let on) = forecast.outcome else {
            Issue.record("\(forecast.outcome)")
            return
        }
        #expect(on.estimate == days[39].day && on.low == on.estimate && on.high == on.estimate)
    }

    /// A page once said "not ready", because too few days had passed, and named a ready day in the past.
    @Test func `a forecast names no day before the earliest possible one`() {
        let days = (0..<40).map { number in
            BaseDay(
                day: Day(daysSince1970: Int32(number)), certain: 1_000 - number * 10, possible: 1_000 - number * 10,
                removed: 10)
        }
        for (limit, wait) in [(2_000, 30), (500, 400)] {
            let earliest = days[39].day + wait
            let forecast = BaseForecast(days, limit: limit, readyDays: 14, earliest: earliest)
            guard case .ready(let on) = forecast.outcome else {
                Issue.record("\(forecast.outcome)")
                continue
            }
            #expect(on.estimate == earliest && on.low == earliest && on.high == earliest)
        }
    }
}

extension Seeded {
    /// How many of `count` events happen, each with this chance.
    fileprivate mutating func binomial(_ count: Int, _ chance: Double) -> Int {
        let mean = Double(count) * chance
        guard mean > 50 else {
            guard chance > 0, count > 0 else { return 0 }
            var happened = 0
            for _ in 0..<count where fraction() < chance { happened += 1 }
            return happened
        }
        return min(count, max(0, Int((mean + normal() * (mean * (1 - chance)).squareRoot()).rounded())))
    }

    fileprivate mutating func poisson(_ mean: Double) -> Int {
        max(0, Int((mean + normal() * mean.squareRoot()).rounded()))
    }
}
