internal import Synchronization

/// Counts how often values fall into ranges, in whole units that the caller chooses.
///
/// A scrape during an observation might include its count and not its sum; the next one includes both.
final class Histogram: Sendable {
    /// Upper bounds, ascending; each range includes its bound.
    let bounds: [Int]
    /// One counter for each bound, and one for values above all of them; not cumulative.
    private let counts: [Counter]
    private let total = Counter()

    init(bounds: [Int]) {
        self.bounds = bounds
        self.counts = (0...bounds.count).map { _ in Counter() }
    }

    func observe(_ value: Int) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count].add()
        total.add(value)
    }

    /// For each bound, how many values were at most that; last, the number of all values.
    var cumulativeCounts: [Int] {
        var running = 0
        return counts.map { counter in
            running += counter.value
            return running
        }
    }

    var sum: Int { total.value }
}

extension Histogram {
    /// Makes a histogram of durations, in nanoseconds: from half a millisecond to the contract's 10 seconds.
    static func ofDurations() -> Histogram {
        let milliseconds = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]
        return Histogram(bounds: milliseconds.map { Int($0 * 1_000_000) })
    }

    func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}

/// A number that only grows; any thread can add to it.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ amount: Int = 1) { count.wrappingAdd(amount, ordering: .relaxed) }
}
