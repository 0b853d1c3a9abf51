import Foundation
import SeededRandom
import Testing

@testable import CensusCore

/// Forecasts of random bases, compared with ``ForecastReference``. A failure names its seed.
@Suite struct `Forecast formulas` {
    @Test(arguments: UInt64(0)..<300) func `rate, error and dispersion match the formulas`(seed: UInt64) throws {
        var random = Seeded(seed)
        let days = random.base()
        let (estimate, reference) = (HazardEstimate(days[...]), RateReference(days))
        #expect((estimate == nil) == (reference == nil))
        guard let estimate, let reference else { return }
        #expect(isNear(estimate.rate, reference.rate) && isNear(estimate.error, reference.error))
        #expect(isNear(estimate.silentRate, reference.silentRate) && isNear(estimate.arrivals, reference.arrivals))
        #expect(isNear(estimate.dispersion, reference.dispersion))
        #expect(isNear(estimate.halfWidth, reference.halfWidth))
    }

    @Test(arguments: UInt64(0)..<300) func `a slowing rate is the likeliest one, and a floor the lowest likely one`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        let days = random.base()
        let (slowing, reference) = (SlowingHazard(days[...]), SlowingReference(days))
        #expect((slowing == nil) == (reference == nil))
        if let slowing, let reference, reference.lead > 1e-4 {
            #expect(slowing.delay == reference.delay)
            for day in [0, 1, 100] { #expect(isNear(slowing.rate(on: day), reference.rate(on: day))) }
        }
        #expect(MeltingFloor(days[...])?.least == floorReference(days))
    }

    @Test(arguments: UInt64(0)..<300) func `the interval widens by as much as past forecasts missed`(seed: UInt64) {
        var random = Seeded(seed)
        let days = random.base(of: random.pick([64, 65, 72, 79, 86, 86, 90, 130]))
        #expect(ForecastRecord(days).widening == wideningReference(days))
    }

    @Test(arguments: UInt64(0)..<150) func `a forecast matches a day-by-day simulation`(seed: UInt64) throws {
        var random = Seeded(seed)
        let days = random.base(of: random.pick([20, 28, 29, 43, 92, 120]))
        let last = try #require(days.last)
        let expiring = random.expiring(last)
        let limit = random.pick([0, 3, last.holders / 3, last.holders / 20, last.holders, last.holders + 1])
        let readyDays = random.pick([1, 7, 14])
        let streak = random.chance(70) ? nil : random.pick([0, readyDays - 1, readyDays, readyDays + 1])
        let forecast = BaseForecast(days, expiring: expiring, limit: limit, readyDays: readyDays, streak: streak)
        guard
            let reference = ForecastReference(
                days, expiring: expiring, limit: limit, readyDays: readyDays, streak: streak)
        else {
            let window = min(12, (days.count - 1) / 7) * 7
            let moved = days.suffix(window).reduce(0) { $0 + RateReference.movements($1) }
            let shortage = moved < 100 ? BaseForecast.Shortage.fewMovements(moved, days: window) : .noDecline
            #expect(forecast.outcome == .notEnoughData(shortage))
            #expect(forecast.halfLife == nil && forecast.fan.isEmpty)
            return
        }
        let halfLife = try #require(forecast.halfLife)
        #expect(isNear(halfLife.estimate, log(2) / reference.rate.rate))
        #expect(isNear(halfLife.low, log(2) / reference.fast))
        #expect((halfLife.high == nil) == (reference.slow == 0))
        if let high = halfLife.high { #expect(isNear(high, log(2) / reference.slow)) }
        guard let ready = reference.ready() else {
            let end = reference.levels(3_650) { _ in reference.rate.rate }.last?.holders ?? 0
            #expect(forecast.outcome == .never(levelsOffNear: Int(end.rounded())))
            #expect(forecast.fan.isEmpty)
            return
        }
        let interval = BaseForecast.Interval(
            estimate: last.day + ready.expected, low: last.day + ready.low, high: ready.high.map { last.day + $0 })
        #expect(forecast.outcome == .ready(interval))
        let fan = reference.fan(min(ready.most, 365))
        #expect(forecast.fan.map(\.day) == fan.map { last.day + $0.day })
        for (one, other) in zip(forecast.fan, fan) {
            for (left, right) in [(one.low, other.low), (one.estimate, other.estimate), (one.high, other.high)] {
                #expect(isNear(left, right) || abs(left - right) < 1e-6)
            }
        }
    }
}

extension Seeded {
    /// Days of a base that melts, grows or stays level: small or large, with steps from one week to the next, or with devices
    /// that never leave.
    mutating func base(of count: Int? = nil) -> [BaseDay] {
        let counts = [10, 14, 15, 16, 20, 21, 22, 23, 28, 29, 30, 35, 36, 43, 57, 84, 85, 86, 92, 100, 130]
        let count = count ?? pick(counts)
        let level = pick([1, 30, 300, 3_000, 60_000])
        let (removal, silence) = (pick([0, 0.003, 0.01, 0.04, 0.15]), pick([0, 0.002, 0.01]))
        let (returning, arrivals) = (pick([0, 0, 0.3, 1.2]), pick([0, 0, 0.002, 0.02]))
        let floor = chance(30) ? Double(level) * fraction() : 0
        let wobble = pick([1.0, 1.1, 1.5, 4])
        let slowing = chance(40) ? pick([7.0, 20, 50, 100, 200, 400]) : .infinity
        var (active, silent) = (Double(level), chance(50) ? Double(below(level)) : 0)
        var factor = 1.0
        return (0..<count).map { number in
            if number % 7 == 0 { factor = pow(wobble, 2 * fraction() - 1) }
            let rate = removal * factor / (1 + Double(number) / slowing)
            let removed = (min(active, max(0, active - floor) * rate + fraction())).rounded(.down)
            let fell = (min(active - removed, active * silence * factor + fraction())).rounded(.down)
            let returned = min(silent, fell * returning).rounded(.down)
            let installed = (Double(level) * arrivals * fraction()).rounded()
            active += installed + returned - removed - fell
            silent += fell - returned
            // Some devices turn out to hold it after all.
            let corrected = chance(5) ? -removed : removed
            return BaseDay(
                day: Day(daysSince1970: 20_000) + number, certain: Int(active), possible: Int(active) + below(3),
                silent: Int(silent), installed: Int(installed), removed: Int(corrected), fellSilent: Int(fell),
                returned: Int(returned))
        }
    }

    /// When silent holders leave: on single days, including the one after the last, or evenly over a year.
    mutating func expiring(_ last: BaseDay) -> [Day: Int] {
        var expiring: [Day: Int] = [:]
        if chance(50) {
            for ahead in 1...365 {
                expiring[last.day + ahead] = last.silent * ahead / 365 - last.silent * (ahead - 1) / 365
            }
        } else {
            for ahead in [-5, 0, 1, 2, 8, 60, 364, 365] where chance(50) {
                expiring[last.day + ahead] = last.silent / 6
            }
        }
        return expiring
    }
}
