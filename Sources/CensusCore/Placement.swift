/// What is known about one widget on one screen. Equal placements can't be told apart, so a device has a multiset of them.
public struct Placement: Hashable, Sendable {
    @Bytewise public var kind: String
    /// An open string, because new OS versions add families. Nil if the app does not send it.
    @Bytewise public var family: String?
    /// The class name of the configuration intent.
    @Bytewise public var intent: String?
    /// An opaque digest of the user's settings.
    @Bytewise public var configuration: String?
    /// Android's appWidgetId or a control's token digest; WidgetKit's widgets have none.
    @Bytewise public var instance: String?

    public init(
        kind: String, family: String? = nil, intent: String? = nil, configuration: String? = nil,
        instance: String? = nil
    ) {
        self.kind = kind
        self.family = family
        self.intent = intent
        self.configuration = configuration
        self.instance = instance
    }

    /// Kind and family, which don't change when a user configures a widget.
    public var model: Model { Model(kind: kind, family: family) }

    public struct Model: Hashable, Comparable, Sendable {
        @Bytewise public var kind: String
        @Bytewise public var family: String?

        /// Whether its family is known. One past the app's cap is not, because it might have been declared since.
        var namesFamily: Bool { family.map { !$0.hasBytes(of: Batch.other) } ?? false }

        /// Whether both might describe the same widget.
        func isCompatible(with other: Model) -> Bool {
            kind.hasBytes(of: other.kind)
                && (!namesFamily || !other.namesFamily || family.hasBytes(of: other.family))
        }

        /// Whether a widget of `other` is one of these. Without a family, every widget of the kind is.
        func covers(_ other: Model) -> Bool { self == other || !namesFamily && isCompatible(with: other) }

        public static func < (left: Model, right: Model) -> Bool {
            left.kind.hasBytes(of: right.kind)
                ? left.family.precedesByBytes(right.family) : left.kind.precedesByBytes(right.kind)
        }
    }

    /// Whether an event about `other` might mean this placement. Fields that the event leaves out match anything.
    public func matches(_ other: Placement) -> Bool {
        isCompatible(with: other)
            && (other.intent == nil || intent.hasBytes(of: other.intent))
            && (other.configuration == nil || configuration.hasBytes(of: other.configuration))
            && (other.instance == nil || instance.hasBytes(of: other.instance))
    }

    /// Whether an event about `other` might mean this placement, if it was configured since. An unknown family matches any.
    func isCompatible(with other: Placement) -> Bool { model.isCompatible(with: other.model) }

    /// The placement without its instance: WidgetKit's placements have no identity, and a control's token isn't one, because
    /// tokens rotate (R10).
    var withoutInstance: Placement {
        var placement = self
        placement.instance = nil
        return placement
    }
}

extension Placement: Comparable {
    public static func < (left: Placement, right: Placement) -> Bool {
        guard left.kind.hasBytes(of: right.kind) else { return left.kind.precedesByBytes(right.kind) }
        guard left.family.hasBytes(of: right.family) else { return left.family.precedesByBytes(right.family) }
        guard left.intent.hasBytes(of: right.intent) else { return left.intent.precedesByBytes(right.intent) }
        guard left.configuration.hasBytes(of: right.configuration) else {
            return left.configuration.precedesByBytes(right.configuration)
        }
        return left.instance.precedesByBytes(right.instance)
    }
}

/// The part of the system that a placement is on.
public enum Surface: String, Hashable, Comparable, Sendable, Decodable, CaseIterable {
    /// WidgetKit's widgets, Android's app widgets.
    case widget
    /// Controls of iOS 18 and later.
    case control
    case liveActivity = "live_activity"
    /// The Today extension of iOS 8.
    case today

    /// Whether people call its placements widgets.
    var isWidget: Bool { self == .widget || self == .today }

    public static func < (left: Surface, right: Surface) -> Bool { left.rawValue < right.rawValue }

    /// Hashes a number instead of the raw value, which is faster. Each step of a fold looks up a surface.
    public func hash(into hasher: inout Hasher) {
        let position: UInt8 =
            switch self {
            case .widget: 0
            case .control: 1
            case .liveActivity: 2
            case .today: 3
            }
        hasher.combine(position)
    }
}
