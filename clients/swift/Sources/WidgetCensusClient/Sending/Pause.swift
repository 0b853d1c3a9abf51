import Foundation

/// How long the client waits after failures. It survives restarts of the app, because an app that is opened ten times during an
/// outage must not send ten requests.
struct Pause: Hashable, Codable, Sendable {
    /// Consecutive failures.
    var failures = 0
    /// When the pause started, by the device's clock.
    var since = Date(timeIntervalSince1970: 0)
    /// In seconds.
    var length: TimeInterval = 0

    static let shortest: TimeInterval = 2
    static let longest: TimeInterval = 15 * 60
    /// If a server seems to ask for more, it is misunderstood or broken.
    static let longestAsked: TimeInterval = 24 * 3600

    /// Returns how much of the pause is left.
    func rest(now: Date) -> TimeInterval { min(max(length - now.timeIntervalSince(since), 0), length) }

    /// Returns the pause, restarted if it starts in the future, because then the clock was set back, perhaps by years.
    func begun(by now: Date) -> Pause {
        var pause = self
        pause.since = min(since, now)
        return pause
    }

    /// Returns the pause after one more failure. Its upper bound doubles, and its length is random up to that bound (full
    /// jitter), so that phones that failed together don't retry together.
    ///
    /// - Parameters:
    ///   - asked: what the server asked for; the jitter is added to it.
    ///   - fraction: random, from 0 to 1.
    func lengthened(asked: TimeInterval?, now: Date, fraction: Double) -> Pause {
        let bound = min(Pause.shortest * pow(2, Double(min(failures, 20))), Pause.longest)
        let asked = min(asked ?? 0, Pause.longestAsked)
        return Pause(failures: failures + 1, since: now, length: asked + bound * min(max(fraction, 0), 1))
    }
}
