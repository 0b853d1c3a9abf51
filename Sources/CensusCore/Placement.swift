/// What is known of one widget on one screen. Equal placements can't be told apart: a device holds a multiset of them.
public struct Placement: Hashable, Sendable {
    @Bytewise public var kind: String
    /// An open string: new OS versions add families. Nil where the app does not send it.
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

    /// Kind and family: what stays the same when a user configures a widget.
    public var model: Model { Model(kind: kind, family: family) }

    public struct Model: Hashable, Comparable, Sendable {
        @Bytewise public var kind: String
        @Bytewise public var family: String?

        /// Whether both may speak of one widget.
        func isCompatible(with other: Model) -> Bool {
            kind.hasBytes(of: other.kind)
                && (family == nil || other.family == nil || family.hasBytes(of: other.family))
        }

        /// Whether a widget of `other` is one of these; without a family any of the kind is.
        func covers(_ other: Model) -> Bool { self == other || family == nil && isCompatible(with: other) }

        public static func < (left: Model, right: Model) -> Bool {
            left.kind.hasBytes(of: right.kind)
                ? left.family.precedesByBytes(right.family) : left.kind.precedesByBytes(right.kind)
        }
    }

    /// Whether an event that speaks of `other` may mean this one: what the event leaves out matches anything.
    public func matches(_ other: Placement) -> Bool {
        isCompatible(with: other)
            && (other.intent == nil || intent.hasBytes(of: other.intent))
            && (other.configuration == nil || configuration.hasBytes(of: other.configuration))
            && (other.instance == nil || instance.hasBytes(of: other.instance))
    }

    /// Whether an event that speaks of `other` may mean this one, configured since. One of which no family is known may be of
    /// any.
    func isCompatible(with other: Placement) -> Bool { model.isCompatible(with: other.model) }

    /// WidgetKit's placements have no identity; a control's token is none: tokens rotate (R10).
    var withoutInstance: Placement {
        var placement = self
        placement.instance = nil
        return placement
    }
}

extension Placement: Comparable {
    public static func < (left: Placement, right: Placement) -> Bool {
        guard left.model == right.model else { return left.model < right.model }
        guard left.intent.hasBytes(of: right.intent) else { return left.intent.precedesByBytes(right.intent) }
        guard left.configuration.hasBytes(of: right.configuration) else {
            return left.configuration.precedesByBytes(right.configuration)
        }
        return left.instance.precedesByBytes(right.instance)
    }
}
