import Foundation

/// The newest list of widgets that the app read, or tried to read.
struct NewestList: Hashable, Codable, Sendable {
    /// The id of its report.
    var report: String
    /// Nil if the list could not be read, so nothing is known.
    var kinds: [String]?
    var release: Release
}

/// Decides which kinds to hide: only those that the server and the device's own list both allow.
struct GalleryDecision: Hashable, Sendable {
    var answer: PolicyAnswer?
    var list: NewestList?
    /// Kinds that events named since the list was read.
    var named: NamedKinds
    var release: Release
    var now: Date

    var policy: GalleryPolicy {
        guard let answer, let list, let kinds = list.kinds else { return .showsAll }
        // The answer must be based on this list, because a newer list can have a kind that an older one lacked.
        guard answer.holds(for: release, now: now), answer.report == list.report, list.release == release else {
            return .showsAll
        }
        let hidden = answer.hidden.filter { !kinds.contains($0) && !named.contains($0) }
        return GalleryPolicy(version: answer.version, hiding: Set(hidden))
    }
}
