import Testing

@testable import CensusCore

/// Forecasts of what marking a kind leads to, before anyone marks it and in the weeks after.
@Suite struct `What-if forecasts` {
    private let first = Day(daysSince1970: 20_000)

    /// Two hundred days. Each day 20 of 1,000 devices leave and 20 others arrive.
    private var steady: [BaseDay] {
        (0..<200).map {
            BaseDay(day: first + $0, certain: 1_000, possible: 1_000, installed: 20, removed: 20, active: 1_000_000)
        }
    }

    private func figures(_ lifecycle: Lifecycle, days: [BaseDay]) -> ReadinessFigures {
        var figures = ReadinessFigures(lifecycle: lifecycle, lastEnded: first + 199, limits: ReadinessLimits())
        (figures.days, figures.active, figures.reporting, figures.possible) = (days, 1_000_000, 1_000_000, 1_000)
        return figures
    }

    private func day(_ forecast: BaseForecast) throws -> Day {
        guard case .ready(let on) = forecast.outcome else {
            Issue.record("\(forecast.outcome)")
            throw CancellationError()
        }
        return on.estimate
    }

    @Test func `an active kind levels off while shown, and becomes ready once hidden`() throws {
        let figures = figures(.active, days: steady)
        let readiness = Readiness(figures)
        #expect(readiness.verdict == .notReady)
        #expect(readiness.conditions.first { $0.name == .age }?.figure == "It is not marked legacy yet")
        let outlooks = figures.outlooks
        #expect(outlooks.map(\.weeks) == [4, 8, 12])
        for outlook in outlooks {
            #expect(outlook.leavingADay == 0.02 && outlook.installedADay == 20)
            #expect(outlook.shown.outcome == .never(levelsOffNear: 1_000))
            // 1,000 x 0.98^60 is below 300, and 14 days are enough, but the kind must have been marked for 90.
            #expect(try day(outlook.hidden) == first + 199 + 90)
        }
        #expect(try day(readiness.forecast) == first + 199 + 90)
    }

    @Test func `an outlook uses no more weeks than are known`() {
        #expect(figures(.active, days: Array(steady.suffix(57))).outlooks.map(\.weeks) == [4, 8])
        #expect(figures(.active, days: Array(steady.suffix(20))).outlooks.map(\.weeks) == [2])
        let few = figures(.active, days: Array(steady.suffix(10))).outlooks
        #expect(few.map(\.weeks) == [4] && few[0].leavingADay == nil)
        #expect(few[0].hidden.outcome == .notEnoughData(.fewDays(9)))
    }

    /// The forecast once called a decision too recent, although the chart had months of earlier data.
    @Test func `after marking, a forecast uses the earlier rates and the installs that hiding can't prevent`() throws {
        var figures = figures(.legacy, days: steady)
        (figures.markedOn, figures.lastActOn) = (first + 190, first + 190)
        // The first days after the act differ, but are too few to count.
        for number in 190..<200 { figures.days[number].removed = 200 }
        figures.applying = 1_000_000
        let hidden = Readiness(figures).forecast
        #expect(try day(hidden) == first + 190 + 89)
        #expect(hidden.sentence.hasPrefix("At this rate it will be ready at the end of "))
        #expect(
            hidden.sentence.hasSuffix(
                " This is a what-if: it takes the rates before 2025-04-12, when the kind was marked, and assumes that "
                    + "hiding it ends 100% of the installs. From 2025-05-11 on, the forecast goes by the days since."))
        figures.applying = 0
        #expect(Readiness(figures).forecast.outcome == .never(levelsOffNear: 1_000))
        figures.applying = 500_000
        #expect(Readiness(figures).forecast.outcome == .never(levelsOffNear: 500))
    }

    @Test func `a marked kind without enough earlier days has no forecast`() {
        var figures = figures(.legacy, days: Array(steady.suffix(20)))
        (figures.markedOn, figures.lastActOn) = (first + 190, first + 190)
        #expect(Readiness(figures).forecast.outcome == .notEnoughData(.recentAct(on: first + 190)))
    }

    @Test(arguments: [
        (50, 1_000_000, "50 devices may still have it (`--limit`). SHARE would be 300"),
        (1_000, 1_000_000, "300 devices may still have it: SHARE, which is less than 1,000 (`--limit`)"),
        (200, 508, "3 devices may still have it, as in every small app: SHARE would be 0"),
        (2, 508, "2 devices may still have it (`--limit`). SHARE would be 0"),
        (1, 508, "1 device may still have it (`--limit`). SHARE would be 0"),
    ])
    func `a limit's origin names the setting that binds`(devices: Int, active: Int, words: String) {
        let limits = ReadinessLimits(devices: devices)
        let share = "0.03% of \(active.grouped) active devices (`--limit-share`)"
        let expected = words.replacing("SHARE", with: share)
        #expect(
            limits.origin(active: active)
                == "At most \(expected). `widget-census apps set` changes these settings.")
    }

    @Test(arguments: [
        (50, 1_000_000, 10, " --limit 51"), (50, 1_000_000, 80, " --limit 80"),
        (50, 1_000_000, 900, " --limit 900 --limit-share 0.1%"), (1_000, 1_000_000, 20, " --limit-share 0.1%"),
        (1_000, 2_000, 48, " --limit-share 3%"), (1_000, 90, 4, " --limit-share 10%"),
        (1_000, 3, 4, " --limit-share 100%"),
    ])
    func `a suggested limit allows the current holders, or more devices than the old one`(
        devices: Int, active: Int, holders: Int, options: String
    ) {
        let limits = ReadinessLimits(devices: devices)
        #expect(limits.larger(active: active, holders: holders).description == options)
    }
}
