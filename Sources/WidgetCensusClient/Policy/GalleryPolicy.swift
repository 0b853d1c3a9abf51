/// Which kinds this device's widget gallery may hide. Everything that is not certain is shown.
public struct GalleryPolicy: Hashable, Sendable {
    /// The version of the team's decisions; nil if there is no valid answer.
    public let version: Int?
    let hidden: Set<String>

    /// Whether this device may hide a kind: it certainly has no widget of it.
    public func hides(_ kind: String) -> Bool { hidden.contains(kind) }

    /// Hides nothing.
    static let showsAll = GalleryPolicy(version: nil, hidden: [])
}
