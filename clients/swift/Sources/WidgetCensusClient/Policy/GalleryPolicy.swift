/// The kinds that this device can hide from its widget gallery. If anything is uncertain, a kind is shown.
public struct GalleryPolicy: Hashable, Sendable {
    /// The version of the team's decisions; nil without a valid response.
    public let version: Int?
    let hidden: Set<String>

    /// For a ``Census`` of your own in tests.
    ///
    /// - Parameters:
    ///   - version: of the team's decisions; nil without a valid response.
    ///   - hidden: the kinds to hide.
    public init(version: Int?, hiding hidden: Set<String>) {
        self.version = version
        self.hidden = hidden
    }

    /// Returns whether to hide a kind: this device certainly has no widget of it.
    public func hides(_ kind: String) -> Bool { hidden.contains(kind) }

    /// Hides nothing.
    static let showsAll = GalleryPolicy(version: nil, hiding: [])
}
