/// How far a simulation has come, shown a few times a second.
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

    /// One more is done.
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
        let rate = events > 0 && seconds > 0 ? ", \(events) events, \(Int(Double(events) / seconds))/s" : ""
        return ProgressBar.line(
            Double(done) / Double(max(total, 1)), after: seconds, "\(done) of \(total) \(unit)\(rate)")
    }
}
