import Foundation

/// The server's answer about this device, as it is kept between launches.
struct PolicyAnswer: Hashable, Codable, Sendable {
    var version: Int
    /// The kinds that the server would hide.
    var hidden: [String]
    /// The id of the report on which that is based.
    var report: String?
    /// Until when it holds, by the server's clock.
    var validUntil: Date?
    /// How far the server's clock was ahead of the device's, in seconds.
    var clockDifference: TimeInterval
    /// By the device's clock.
    var fetchedAt: Date
    var entityTag: String?
    /// The app and system that it was asked for.
    var release: Release

    /// - Returns: nil for anything but a complete answer about a device.
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

    /// The same answer, just confirmed by the server.
    func confirmed(by answer: Answer, now: Date) -> PolicyAnswer {
        var confirmed = self
        confirmed.clockDifference = answer.date.map { $0.timeIntervalSince(now) } ?? clockDifference
        confirmed.fetchedAt = now
        return confirmed
    }

    /// Whether it holds for this app and system, now. A clock that was set back to before the answer says nothing, so it does not.
    func holds(for release: Release, now: Date) -> Bool {
        guard let validUntil, self.release == release, now >= fetchedAt else { return false }
        return now.addingTimeInterval(clockDifference) < validUntil
    }

    /// Whether there is no need to ask the server again.
    func isFresh(now: Date) -> Bool { (0..<PolicyAnswer.freshness).contains(now.timeIntervalSince(fetchedAt)) }

    /// The server lets answers about a device be kept for an hour.
    private static let freshness: TimeInterval = 3600
}

/// The app and the system that ask. If one of them changes, what was known about the gallery is asked again.
struct Release: Hashable, Codable, Sendable {
    var appVersion: String
    var appBuild: String
    var system: String
}
