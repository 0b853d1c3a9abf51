internal import CensusCore
internal import Logging
internal import Nightly
internal import Synchronization

/// Shows the progress of a night. On a screen, one line replaces the previous one. Elsewhere it logs every ten seconds, so that
/// a journal shows that a long night is still running.
final class NightReporter: Sendable {
    private struct State {
        var progress: NightProgress?
        var stepStarted = ContinuousClock.now
    }

    private let logger: Logger
    private let isOnScreen: Bool
    private let interval: Duration
    private let state = Mutex(State())

    /// - Parameter interval: between two lines; nil: 200 ms on a screen, and ten seconds elsewhere.
    init(logger: Logger, isOnScreen: Bool = Terminal.isScreen, interval: Duration? = nil) {
        self.logger = logger
        self.isOnScreen = isOnScreen
        self.interval = interval ?? (isOnScreen ? .milliseconds(200) : .seconds(10))
    }

    /// Shows progress at intervals while the night runs, because one step can take minutes.
    func follow<T>(_ night: () async throws -> T) async rethrows -> T {
        let clock = Task { [self] in
            while (try? await Task.sleep(for: interval)) != nil { state.withLock { display($0) } }
        }
        defer {
            clock.cancel()
            state.withLock { state in
                state.progress = nil
                if isOnScreen { Terminal.endProgress() }
            }
        }
        return try await night()
    }

    /// Notes the progress. A new step is on the screen at once.
    func note(_ progress: NightProgress) {
        state.withLock { state in
            let isNew = state.progress?.step != progress.step
            if isNew { state.stepStarted = .now }
            state.progress = progress
            if isNew, isOnScreen { display(state) }
        }
    }

    private func display(_ state: State) {
        guard let progress = state.progress else { return }
        let seconds = (ContinuousClock.now - state.stepStarted) / .seconds(1)
        if isOnScreen {
            Terminal.progress(progress.line(after: seconds))
        } else {
            logger.notice("the night is still running", metadata: progress.metadata(after: seconds))
        }
    }
}

extension NightProgress {
    /// A rate is meaningful after this many seconds.
    private static let patience = 2.0

    func line(after seconds: Double) -> String {
        var line = step.rawValue
        if let app { line += " \(app)" }
        let unit =
            switch step {
            case .reconciling, .rebuilding, .keeping, .verifying: "devices"
            case .closing, .watching, .deciding: "apps"
            }
        line += (app == nil ? " " : ", ") + done.grouped + (total.map { " of \($0.grouped)" } ?? "") + " \(unit)"
        if let left = secondsLeft(after: seconds) { line += ", about \(left.asTime) left" }
        return line
    }

    func metadata(after seconds: Double) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["step": "\(step.rawValue)", "done": "\(done)"]
        metadata["app"] = app.map { "\($0)" }
        metadata["total"] = total.map { "\($0)" }
        metadata["seconds_left"] = secondsLeft(after: seconds).map { "\($0)" }
        return metadata
    }

    /// The remaining seconds, by the rate of this step so far; nil without a rate.
    private func secondsLeft(after seconds: Double) -> Int? {
        guard let total, done > 0, done < total, seconds >= NightProgress.patience else { return nil }
        return Int((seconds * Double(total - done) / Double(done)).rounded(.up))
    }
}

extension Int {
    /// A number of seconds in its usual unit.
    fileprivate var asTime: String {
        switch self {
        case ..<100: "\(self) s"
        case ..<6_000: "\((self + 30) / 60) min"
        default: "\(self / 3_600) h \(self % 3_600 / 60) min"
        }
    }
}
