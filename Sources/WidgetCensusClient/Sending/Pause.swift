import Foundation

/// How long the server is left alone after failures. Survives restarts: an app that is opened ten times during an outage must
/// not ask ten times.
struct Pause: Hashable, Codable, Sendable {
    /// In a row.
    var failures = 0
    /// When the pause began, by the device's clock.
    var since = Date(timeIntervalSince1970: 0)
    /// In seconds.
    var length: TimeInterval = 0

    static let shortest: TimeInterval = 2
    static let longest: TimeInterval = 15 * 60
    /// A server that asks for more is misunderstood, or broken.
    static let longestAsked: TimeInterval = 24 * 3600

    /// What is left of it.
    func rest(now: Date) -> TimeInterval { min(max(length - now.timeIntervalSince(since), 0), length) }

    /// The same, begun again if it lies ahead: the clock was set back, perhaps by years.
    func begun(by now: Date) -> Pause {
        var pause = self
        pause.since = min(since, now)
        return pause
    }

    /// After one more failure: twice as long at most as after the last, and anything below that (full jitter), so that phones
    /// that failed together come back apart.
    ///
    /// - Parameters:
    ///   - asked: what the server asked for; the jitter comes on top of it.
    ///   - fraction: from 0 to 1, by chance.
    func lengthened(asked: TimeInterval?, now: Date, fraction: Double) -> Pause {
        let bound = min(Pause.shortest * pow(2, Double(min(failures, 20))), Pause.longest)
        let asked = min(asked ?? 0, Pause.longestAsked)
        return Pause(failures: failures + 1, since: now, length: asked + bound * min(max(fraction, 0), 1))
    }
}
