import Foundation

/// The server's gallery policy for this device, as stored between launches.
struct PolicyAnswer: Hashable, Codable, Sendable {
    var version: Int
    /// The kinds that the server would hide.
    var hidden: [String]
    /// The id of the report that the policy is based on.
    var report: String?
    /// When it expires, by the server's clock.
    var validUntil: Date?
    /// How far the server's clock was ahead of the device's, in seconds.
    var clockDifference: TimeInterval
    /// By the device's clock.
    var fetchedAt: Date
    var entityTag: String?
    /// The app and system that asked.
    var release: Release

    /// - Returns: nil unless the response is a complete policy.
    init?(_ answer: Answer, release: Release, now: Date) {
        struct Body: Decodable {
            struct Report: Decodable { var id: String }
            var version: Int
            var kinds: [String: String]
            var report: Report?
            var validUntil: Date?
            var stale: Bool?
        }
        guard answer.status == 200, let body = try? JSONDecoder.ofWire.decode(Body.self, from: answer.body) else {
            return nil
        }
        version = body.version
        hidden = body.stale == true ? [] : body.kinds.filter { $0.value == "hide" }.keys.sorted()
        report = body.report?.id
        validUntil = body.validUntil
        clockDifference = answer.date.map { $0.timeIntervalSince(now) } ?? 0
        fetchedAt = now
        entityTag = answer.headers["etag"]
        self.release = release
    }

    /// Returns the same policy after the server has confirmed it.
    func confirmed(by answer: Answer, now: Date) -> PolicyAnswer {
        var confirmed = self
        confirmed.clockDifference = answer.date.map { $0.timeIntervalSince(now) } ?? clockDifference
        confirmed.fetchedAt = now
        return confirmed
    }

    /// Whether it is valid for this app and system now. It is not if the clock was set back to before the response.
    func holds(for release: Release, now: Date) -> Bool {
        guard let validUntil, self.release == release, now >= fetchedAt else { return false }
        return now.addingTimeInterval(clockDifference) < validUntil
    }

    /// Whether there is no need to ask the server again.
    func isFresh(now: Date) -> Bool { (0..<PolicyAnswer.freshness).contains(now.timeIntervalSince(fetchedAt)) }

    /// The server allows caching a device's policy for an hour.
    private static let freshness: TimeInterval = 3600
}

/// The versions of the app and the system. If one of them changes, the app must ask for the policy again.
struct Release: Hashable, Codable, Sendable {
    var appVersion: String
    var appBuild: String
    var system: String
}
