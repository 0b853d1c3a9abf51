internal import CensusCore

/// Shows the progress of a simulation a few times a second.
struct SimulationProgress {
    private(set) var events = 0
    private(set) var batches = 0
    private var done = 0
    private let total: Int
    private let unit: String
    private let started = ContinuousClock.now
    private var shown = ContinuousClock.now

    /// - Parameter unit: what `total` counts.
    init(total: Int, unit: String) {
        self.total = total
        self.unit = unit
    }

    /// Counts one more as done.
    mutating func advance(events: Int = 0, batches: Int) {
        done += 1
        self.events += events
        self.batches += batches
        let now = ContinuousClock.now
        guard now - shown > .milliseconds(200) else { return }
        shown = now
        Terminal.progress(line(after: (now - started) / .seconds(1)))
    }

    func line(after seconds: Double) -> String {
        let rate = events > 0 && seconds > 0 ? ", \(events.counted("event")), \(Int(Double(events) / seconds))/s" : ""
        return ProgressBar.line(
            Double(done) / Double(max(total, 1)), after: seconds, "\(done) of \(total) \(unit)\(rate)")
    }
}

/// Shows how many days have a partition, because creating thousands takes minutes.
struct DayProgress {
    private let started = ContinuousClock.now

    func show(done: Int, total: Int) {
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        let counts = "\(done) of \(total.counted("day")) prepared"
        Terminal.progress(ProgressBar.line(Double(done) / Double(total), after: seconds, counts))
    }
}

/// A line with the progress of long work, and the time left at this rate.
enum ProgressBar {
    private static let width = 30

    /// - Parameters:
    ///   - share: the share that is done, from 0 to 1. More is 1: a file can grow while it is read.
    ///   - counts: the text beside the bar.
    static func line(_ share: Double, after seconds: Double, _ counts: String) -> String {
        let share = min(1, max(0, share))
        let filled = Int(share * Double(width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        let left = share > 0 ? Int((seconds / share - seconds).rounded(.up)) : 0
        return "\(bar) \(Int(share * 100))%  \(counts), \(left) s left"
    }
}
