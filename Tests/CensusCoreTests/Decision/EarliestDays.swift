import SeededRandom
import Testing

@testable import CensusCore

/// The day before which a kind can't be ready. Computing it needs no rate.
@Suite struct `Earliest days` {
    private static let today = ReadinessFigures.today

    private func earliest(_ change: (inout ReadinessFigures) -> Void) -> EarliestReadiness? {
        var figures = ReadinessFigures.ready
        change(&figures)
        return Readiness(figures).earliest
    }

    /// The last days with these numbers of holders, oldest first.
    private func days(_ possible: [Int], silent: Int = 0) -> [BaseDay] {
        possible.enumerated().map { position, count in
            BaseDay(day: Self.today - (possible.count - 1) + position, certain: count, possible: count, silent: silent)
        }
    }

    @Test func `a ready or retired kind has no earliest day`() {
        #expect(earliest { _ in } == nil)
        #expect(
            earliest {
                $0.lifecycle = .retired
                $0.markedOn = Self.today
            } == nil)
    }

    @Test func `the earliest day waits until the kind has been legacy for 90 days`() {
        let marked = earliest { $0.markedOn = Self.today - 9 }
        #expect(marked?.day == Self.today + 80 && marked?.cause == .age)
        let active = earliest {
            $0.lifecycle = .active
            $0.markedOn = nil
        }
        #expect(active?.day == Self.today + 90)
        #expect(
            active?.sentence
                == "It can be ready at the end of 2025-01-02 at the earliest, because a kind must be legacy for 90 days."
        )
    }

    @Test func `the earliest day waits for enough days in a row, and counts those so far`() {
        let over = earliest { $0.days = days([5, 5, 5, 20]) }
        #expect(over?.day == Self.today + 14 && over?.cause == .days)
        let under = earliest { $0.days = days([20, 5, 5, 5]) }
        #expect(under?.day == Self.today + 11)
        #expect(under?.sentence.hasSuffix(" because few enough devices must have it for 14 days running.") == true)
    }

    /// The limit is six devices. Small kinds have no forecast, so nothing said that this one had to wait for months.
    @Test func `the earliest day waits until few enough silent devices count`() {
        let silent = earliest {
            ($0.silent, $0.days) = (10, days([0, 0, 0], silent: 10))
            $0.expiring = [Self.today + 30: 3, Self.today + 100: 1, Self.today + 200: 6]
        }
        #expect(silent?.day == Self.today + 113)
        #expect(silent?.cause == .silent(limit: 6, until: Self.today + 100))
        #expect(
            silent?.sentence
                == "It can be ready at the end of 2025-01-25 at the earliest, because before 2025-01-12 more than 6 silent "
                + "devices count as having it, unless some return without it. Then 14 days running must pass.")
    }

    @Test(arguments: UInt64(0)..<200) func `no forecast is before the earliest day`(seed: UInt64) throws {
        var random = Seeded(seed)
        var figures = ReadinessFigures.ready
        figures.days = random.base(of: random.pick([28, 43, 92]))
        let last = try #require(figures.days.last)
        figures.lastEnded = last.day
        (figures.possible, figures.silent) = (last.possible, last.silent)
        figures.expiring = random.expiring(last)
        figures.active = 10_000_000
        figures.limits.devices = random.pick([0, 3, last.holders / 3, last.holders / 20, last.holders])
        figures.limits.days = random.pick([1, 7, 14])
        figures.markedOn = last.day - random.pick([0, 60, 90, 200])
        figures.lastActOn = last.day - 100
        let readiness = Readiness(figures)
        guard case .ready(let on) = readiness.forecast.outcome else { return }
        #expect(on.estimate >= readiness.earliest?.day ?? last.day)
    }
}
