import Testing

@testable import CensusCore

@Suite struct `Readiness of a kind` {
    private static let today = ReadinessFigures.today
    private var ready: ReadinessFigures { .ready }

    private func verdict(_ change: (inout ReadinessFigures) -> Void) -> Readiness {
        var figures = ready
        change(&figures)
        return Readiness(figures)
    }

    @Test func `a kind is ready when every condition is met`() {
        let readiness = Readiness(ready)
        #expect(readiness.verdict == .ready)
        #expect(readiness.limit == 6)
        #expect(readiness.conditions.allSatisfy { $0.isMet })
        #expect(readiness.band == .elevated)
    }

    @Test func `a kind is ready on its 90th day as legacy, and not a day earlier`() {
        #expect(verdict { $0.markedOn = Self.today - 89 }.verdict == .ready)
        #expect(verdict { $0.markedOn = Self.today - 88 }.verdict == .notReady)
    }

    @Test func `a forecast holds if coverage moved by at most a fifth`() {
        #expect(verdict { $0.coverageMoved = 0.2 }.forecast.outcome != .notEnoughData(.coverageMoved))
        #expect(verdict { $0.coverageMoved = 0.2.nextUp }.forecast.outcome == .notEnoughData(.coverageMoved))
    }

    @Test func `an act is recent for 28 days`() {
        let (recent, past) = (Self.today - 27, Self.today - 28)
        #expect(verdict { $0.lastActOn = recent }.forecast.outcome == .notEnoughData(.recentAct(on: recent)))
        #expect(verdict { $0.lastActOn = recent }.forecast.premise.decidedOn == recent)
        #expect(verdict { $0.lastActOn = past }.forecast.premise == BaseForecast.Premise())
    }

    /// Only the newest day's limit used to count, so a base that grew on the last day excused two weeks.
    @Test func `each day is judged by the limit from its own active devices`() {
        let grown = verdict { figures in
            for index in figures.days.indices.dropLast() { figures.days[index].active = 10_000 }
        }
        #expect(grown.verdict == .notReady)
        #expect(grown.reason == "At or under each day's limit (3 to 6) on 1 of the last 14 days; required: all 14.")
        let shrunk = verdict { figures in
            for index in figures.days.indices { figures.days[index].active = 40_000 }
        }
        #expect(shrunk.verdict == .ready)
    }

    @Test func `each unmet condition alone prevents readiness, and the reason says so`() {
        typealias Change = (inout ReadinessFigures) -> Void
        let hindered: [(Readiness.Condition.Name, Readiness.Verdict, Change)] = [
            (.holders, .notReady, { $0.possible = 6 }),
            (.days, .notReady, { $0.days[10].silent = 2 }),
            (.days, .notReady, { $0.days.removeFirst(7) }),
            (.age, .notReady, { $0.markedOn = Self.today - 88 }),
            (.loss, .notReady, { $0.openLosses = ["20.13"] }),
            (
                .replacement, .notReady,
                {
                    $0.replacement = "new"; $0.replacementVersions = 1
                }
            ),
            (.coverage, .unknown, { $0.reporting = 17_999 }),
            (
                .coverage, .unknown,
                {
                    $0.active = 0; $0.reporting = 0; $0.possible = 0; $0.silent = 0
                }
            ),
            (.fresh, .unknown, { $0.days.removeLast() }),
            (.counted, .unknown, { $0.uncounted = 1 }),
            (.counted, .unknown, { $0.isDoubted = true }),
        ]
        for (name, expected, change) in hindered {
            let readiness = verdict(change)
            #expect(readiness.verdict == expected, "\(name)")
            let unmet = readiness.conditions.filter { !$0.isMet }.map(\.name)
            #expect(unmet.contains(name), "\(name): \(unmet)")
            #expect(readiness.reason.contains("; ") && readiness.reason.hasSuffix("."), "\(readiness.reason)")
        }
    }

    /// An app with 20% Android devices could never drop a control.
    @Test func `coverage counts only devices that can have the surface`() {
        let able = verdict {
            $0.reporting = 16_000
            $0.able = .init(active: 16_000, reporting: 16_000)
            $0.lists = .init(able: 16_000, listing: 16_000)
        }
        #expect(able.verdict == .ready)
        #expect(
            able.reason.contains(
                "16,000 of 16,000 active devices (100%) reported within the window; 4,000 more can't have it"))
        #expect(able.limit == Readiness(ready).limit, "the limit is a share of all devices")
        let few = verdict { $0.able = .init(active: 10_000, reporting: 8_999) }
        #expect(few.verdict == .unknown)
        #expect(verdict { $0.able = .init(active: 0, reporting: 0) }.verdict == .ready, "then all devices count")
    }

    @Test func `a kind is ready exactly while its holders are within the limit`() {
        for possible in 0..<20 {
            for silent in 0..<20 {
                let readiness = verdict {
                    $0.possible = possible; $0.silent = silent
                }
                #expect((readiness.verdict == .ready) == (possible + silent <= 6))
            }
        }
    }

    @Test func `the limit is a share, at least three devices and at most the app's own limit`() {
        let limits = ReadinessLimits()
        #expect(limits.devices(active: 0) == 3)
        #expect(limits.devices(active: 10_000) == 3)
        #expect(limits.devices(active: 20_000) == 6)
        #expect(limits.devices(active: 10_000_000) == 1_000)
        var none = limits
        none.devices = 0
        #expect(none.devices(active: 10_000_000) == 0)
    }

    @Test func `a retired kind gets the verdict retired and keeps its conditions`() {
        let readiness = verdict {
            $0.lifecycle = .retired; $0.possible = 1_000
        }
        #expect(readiness.verdict == .retired)
        #expect(readiness.conditions.contains { $0.name == .holders && !$0.isMet })
    }

    @Test func `figures are written as percentages and counted nouns`() {
        #expect(
            [0.93, 0.0003, 0.00001, 0.028, 1, 0, 0.57].map(\.asPercentage)
                == ["93%", "0.03%", "0.001%", "2.8%", "100%", "0%", "57%"])
        #expect(1.counted("device") == "1 device")
        #expect(412_318.counted("device") == "412,318 devices")
    }
}

extension ReadinessFigures {
    static let today = Day(daysSince1970: 20_000)

    /// Ready: 20,000 active devices, 5 possible holders and 1 silent, 20 closed days, marked 100 days ago.
    static var ready: ReadinessFigures {
        var figures = ReadinessFigures(lifecycle: .legacy, lastEnded: today, limits: ReadinessLimits())
        figures.markedOn = today - 99
        figures.lastActOn = today - 99
        figures.active = 20_000
        figures.reporting = 19_000
        figures.certain = 4
        figures.possible = 5
        figures.silent = 1
        figures.days = (0..<20).map { BaseDay(day: today - 19 + $0, certain: 4, possible: 5, silent: 1) }
        return figures
    }
}
