/// The operating system that holds the widgets.
public enum Platform: String, Hashable, Sendable, CaseIterable {
    case ios, ipados, macos, watchos, visionos, android

    /// WidgetKit lists placements without identities; Android's have ids.
    public var isWidgetKit: Bool { self != .android }
}
