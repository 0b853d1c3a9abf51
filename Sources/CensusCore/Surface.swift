/// Where a placement lives.
public enum Surface: String, Hashable, Comparable, Sendable, CaseIterable {
    /// WidgetKit's widgets, Android's app widgets.
    case widget
    /// Controls of iOS 18 and later.
    case control
    case liveActivity = "live_activity"
    /// The Today extension of iOS 8.
    case today

    public static func < (left: Surface, right: Surface) -> Bool { left.rawValue < right.rawValue }
}
