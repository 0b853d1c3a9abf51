import Testing

@testable import CensusCore

/// Each limit of a verdict, exactly at the limit and one past it, with the sentence that a person reads.
@Suite struct `Readiness edge cases` {
    private static let today = ReadinessFigures.today

    private func verdict(_ change: (inout ReadinessFigures) -> Void) -> Readiness {
        var figures = ReadinessFigures.ready
        change(&figures)
        return Readiness(figures)
    }

    private func condition(
        _ name: Readiness.Condition.Name, _ change: (inout ReadinessFigures) -> Void = { _ in }
    ) -> Readiness.Condition? {
        verdict(change).conditions.first { $0.name == name }
    }

    @Test func `the reason of a ready verdict gives the figure of each condition`() {
        #expect(
            Readiness(.ready).reason
                == "The last closed day is 2024-10-04. "
                + "19,000 of 20,000 active devices (95%) reported within the window. "
                + "At most 6 devices have it (5 active, 1 silent). At or under the limit of 6 on 14 of the last 14 days. "
                + "It was marked legacy on 2024-06-27, 100 days ago. It has no open incident.")
    }

    @Test func `the reason of a not-ready verdict lists every unmet condition`() {
        let readiness = verdict {
            $0.possible = 100
            $0.openLosses = ["20.13", "20.14"]
        }
        #expect(
            readiness.reason
                == "At most 101 devices have it (100 active, 1 silent); limit: 6 (0.03% of 20,000 active devices). "
                + "Updates to 20.13, 20.14 are taking it away; "
                + "acknowledge or close the incident first.")
    }

    @Test func `the reason of an unknown verdict lists only the missing evidence`() {
        let readiness = verdict {
            $0.reporting = 17_999
            $0.possible = 100
        }
        #expect(readiness.verdict == .unknown)
        #expect(
            readiness.reason
                == "17,999 of 20,000 active devices (89%) reported within the window; at least 90% must report.")
    }

    private static let bands: [(Int, Int, Readiness.Band)] = [
        (100, 100_000, .large), (99, 100_000, .elevated), (30, 100_000, .elevated), (29, 100_000, .small),
        (1, 100_000, .small), (9, 1_000_000, .trivial), (0, 10, .trivial), (0, 0, .trivial), (1, 0, .large),
        (1, 1, .large),
    ]

    @Test(arguments: bands)
    func `a band begins at its share`(holders: Int, active: Int, band: Readiness.Band) {
        #expect(Readiness.Band(holders: holders, active: active) == band)
        #expect(
            verdict {
                $0.possible = holders
                $0.silent = 0
                $0.active = active
            }.band == band)
    }

    @Test func `an app has default limits until it sets its own`() {
        #expect(ReadinessLimits() == ReadinessLimits(devices: 1_000, share: 0.0003, days: 14, coverage: 0.9))
    }

    @Test func `a limit within a millionth of a whole device rounds up to it`() {
        #expect(ReadinessLimits(share: 0.399_999_999_9).devices(active: 10) == 4)
        #expect(ReadinessLimits(share: 0.399_999_88).devices(active: 10) == 3)
    }

    private static let explanations: [(Int, Int, String)] = [
        (1_000, 20_000, "limit: 6 (0.03% of 20,000 active devices)"),
        (1_000, 10_000, "limit: 3 (0.03% of 10,000 active devices)"),
        (1_000, 9_999, "limit: 3 (the floor; 0.03% of 9,999 active devices would be 2)"),
        (7, 20_000, "limit: 6 (0.03% of 20,000 active devices)"),
        (6, 20_000, "limit: 6 (a fixed number)"),
        (5, 20_000, "limit: 5 (a fixed number)"),
        (3, 2, "limit: 3 (a fixed number)"),
        (4, 2, "limit: 3 (the floor; 0.03% of 2 active devices would be 0)"),
    ]

    @Test(arguments: explanations)
    func `a limit explains how it was derived`(devices: Int, active: Int, text: String) {
        let holders = condition(.holders) {
            $0.limits.devices = devices
            $0.active = active
        }
        #expect(holders?.limit == text)
    }

    @Test func `coverage is a share of active and unknown devices`() {
        #expect(Coverage(active: 8, reporting: 6, unknown: 2).share == 0.6)
        #expect(Coverage(active: 1, reporting: 1, unknown: 0).share == 1)
        #expect(Coverage(active: 0, reporting: 0, unknown: 0).share == nil)
        #expect(Coverage(active: 0, reporting: 0, unknown: 1).share == 0)
        #expect(Coverage(active: 8, reporting: 6, unknown: 2, waiting: 1).share == 0.5)
        #expect(Coverage(active: 8, reporting: 6, unknown: 2, waiting: 7).known == 0)
        #expect(Coverage(active: 8, reporting: 6, unknown: 0).all(called: "phone") == "8 phones")
        #expect(Coverage(active: 8, reporting: 6, unknown: 1).all(called: "phone") == "at most 9 devices")
        #expect(Coverage(active: 8, reporting: 6, unknown: 0).remainder.isEmpty)
        #expect(
            Coverage(active: 8, reporting: 6, unknown: 1).remainder
                == "; 1 is waiting to be reconciled, set aside, or had every event refused")
        #expect(
            Coverage(active: 8, reporting: 6, unknown: 1, waiting: 2).remainder
                == "; 3 are waiting to be reconciled, set aside, or had every event refused")
    }

    /// A list that still waits might name a kind that yesterday's lists didn't.
    @Test func `devices waiting to be reconciled count as not reporting`() {
        #expect(verdict { $0.waiting = 1_000 }.verdict == .ready)
        let waiting = verdict { $0.waiting = 1_001 }
        #expect(waiting.verdict == .unknown)
        let most = "17,999 of 20,000 active devices (89%) reported within the window; 1,001 are waiting"
        #expect(waiting.reason.hasPrefix(most))
        let lists = verdict {
            $0.lists = .init(able: 10, listing: 10)
            $0.waiting = 2
        }
        #expect(lists.reason.hasPrefix("8 of 10 devices (80%) sent the list that would name it; 2 are waiting"))
    }

    @Test func `90% of the devices must report, and one missing device never shows as 100%`() {
        #expect(verdict { $0.reporting = 18_000 }.verdict == .ready)
        #expect(verdict { $0.reporting = 17_999 }.verdict == .unknown)
        #expect(condition(.coverage) { $0.reporting = 19_999 }?.figure.contains("(99%)") == true)
        #expect(
            condition(.coverage) { $0.unknown = 3 }?.figure
                == "19,000 of at most 20,003 devices (95%) reported within the window; "
                + "3 are waiting to be reconciled, set aside, or had every event refused")
        let silent = condition(.coverage) {
            $0.active = 0
            $0.reporting = 0
        }
        #expect(silent?.isMet == false)
        #expect(silent?.figure == "No device was active when the last closed day ended")
        #expect(silent?.limit == "at least 90% must report")
    }

    @Test func `coverage can rest on a single device that can have the surface`() {
        let one = condition(.coverage) { $0.able = .init(active: 1, reporting: 0) }
        #expect(one?.isMet == false)
        #expect(
            one?.figure
                == "0 of 1 active device (0%) reported within the window; 19,999 more can't have it")
        let all = condition(.coverage) { $0.able = .init(active: 20_000, reporting: 19_000) }
        #expect(all == condition(.coverage))
        let most = condition(.coverage) { $0.able = .init(active: 19_999, reporting: 19_000) }
        #expect(most?.figure.hasSuffix("within the window; 1 more can't have it") == true)
    }

    @Test func `the lists condition needs 90% of the able devices, and at least one`() {
        #expect(condition(.lists) == nil)
        #expect(verdict { $0.lists = .init(able: 10, listing: 9) }.verdict == .ready)
        let few = verdict { $0.lists = .init(able: 10, listing: 8) }
        #expect(few.verdict == .unknown)
        #expect(
            few.reason
                == "8 of 10 devices (80%) sent the list that would name it; at least 90% must, within the window.")
        let none = condition(.lists) { $0.lists = .init(able: 0, listing: 0) }
        #expect(none?.isMet == false)
        #expect(none?.figure == "No active device can send the list that would name it")
    }

    @Test func `uncounted devices and doubted numbers make the verdict unknown`() {
        let one = verdict { $0.uncounted = 1 }
        #expect(one.verdict == .unknown)
        #expect(one.reason == "1 device has not been counted yet; the next night does it.")
        let all = verdict { $0.isDoubted = true }
        #expect(all.verdict == .unknown)
        #expect(all.reason == "The numbers must be recounted; the next night does it.")
    }

    @Test func `the last ended day must be closed`() {
        let none = verdict { $0.days = [] }
        #expect(none.verdict == .unknown)
        #expect(
            none.reason
                == "No day is closed yet; the first night after a day ends closes it (`widget-census nightly`).")
        #expect(
            none.conditions.first { $0.name == .days }?.figure == "At or under the limit of 6 on 0 of the last 14 days")
        let late = verdict { $0.days.removeLast() }
        #expect(
            late.reason
                == "The last closed day is 2024-10-03; it must be 2024-10-04: run `widget-census nightly`.")
        #expect(condition(.fresh) { $0.lastEnded = Self.today - 1 }?.isMet == true)
    }

    @Test func `the limit must hold on each of the last 14 days, and earlier days don't matter`() {
        #expect(verdict { $0.days[6].silent = 2 }.verdict == .notReady)
        #expect(verdict { $0.days[5].silent = 2 }.verdict == .ready)
        #expect(verdict { $0.days.removeFirst(6) }.verdict == .ready)
        #expect(verdict { $0.days.removeFirst(7) }.verdict == .notReady)
        let days = condition(.days) { $0.days[6].silent = 2 }
        #expect(days?.figure == "At or under the limit of 6 on 13 of the last 14 days")
        #expect(days?.limit == "required: all 14")
    }

    @Test func `a requirement of one day is worded in the singular`() {
        let held = condition(.days) { $0.limits.days = 1 }
        #expect(held?.isMet == true)
        #expect(held?.figure == "At or under the limit of 6 on the last day")
        #expect(held?.limit == "required: at or under it")
        let missed = condition(.days) {
            $0.limits.days = 1
            $0.days[19].silent = 2
        }
        #expect(missed?.isMet == false)
        #expect(missed?.figure == "Over the limit of 6 on the last day")
        let two = condition(.days) { $0.limits.days = 2 }
        #expect(two?.figure == "At or under the limit of 6 on 2 of the last 2 days")
        #expect(two?.limit == "required: all 2")
    }

    @Test func `the replacement must have shipped in two versions`() {
        #expect(condition(.replacement) == nil)
        let shipped = condition(.replacement) {
            $0.replacement = "new"
            $0.replacementVersions = 2
        }
        #expect(shipped?.isMet == true)
        #expect(shipped?.figure == "new has shipped in 2 versions")
        let once = condition(.replacement) {
            $0.replacement = "new"
            $0.replacementVersions = 1
        }
        #expect(once?.isMet == false)
        #expect(once?.figure == "new has shipped in 1 version")
        #expect(once?.limit == "required: at least 2")
    }

    @Test func `the number of days since the marking includes the last closed day`() {
        #expect(
            verdict { $0.markedOn = nil }.reason == "It is not marked legacy yet; required: at least 90 days.")
        #expect(
            verdict { $0.markedOn = Self.today }.reason
                == "It was marked legacy on 2024-10-04, 1 day ago; required: at least 90 days.")
        #expect(
            verdict { $0.markedOn = Self.today + 1 }.reason
                == "It was marked legacy on 2024-10-05, today; required: at least 90 days.")
    }

    @Test func `figures are zero until they are set`() {
        let figures = ReadinessFigures(lifecycle: .legacy, lastEnded: Self.today, limits: ReadinessLimits())
        let devices = [figures.certain, figures.possible, figures.silent, figures.active, figures.reporting]
        let others = [figures.unknown, figures.uncounted, figures.replacementVersions]
        #expect(devices + others == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(figures.expected == 0 && figures.coverageMoved == 0)
        #expect(!figures.isDoubted)
    }

    /// On each of sixty days ten devices leave. On the last day 410 hold it, exactly the limit.
    private var melting: ReadinessFigures {
        var figures = ReadinessFigures.ready
        figures.markedOn = Self.today - 200
        figures.lastActOn = nil
        figures.active = 10_000_000
        figures.limits = ReadinessLimits(devices: 410, days: 1)
        figures.days = (0..<60).map { day in
            let left = 1_000 - 10 * day
            return BaseDay(day: Self.today - 59 + day, certain: left, possible: left, removed: 10)
        }
        return figures
    }

    private func forecast(_ figures: ReadinessFigures) -> Day? {
        guard case .ready(let on) = Readiness(figures).forecast.outcome else { return nil }
        return on.estimate
    }

    @Test func `a forecast counts days on which the base was exactly at the limit`() {
        #expect(forecast(melting) == Self.today)
        var stricter = melting
        stricter.limits.devices = 409
        #expect(forecast(stricter) == Self.today + 1)
    }

    @Test func `a forecast names no day before the kind has been legacy for 90 days`() {
        var marked = melting
        marked.markedOn = Self.today - 10
        #expect(forecast(marked) == Self.today + 79)
    }
}
