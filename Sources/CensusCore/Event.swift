/// A report of, or a change on, one surface of one device.
public enum Event: Hashable, Sendable {
    /// The complete list from the OS: how many there are of each placement.
    case reported([Placement: Int])
    /// The list could not be read. It says nothing about widgets.
    case readFailed(domain: String, code: Int64)
    case happened(WidgetAct, to: Placement)
    /// Android's `onRestored`: old instance to new.
    case restored([Text: String])
    /// The app was opened, or otherwise heard from. It says nothing about widgets.
    case appOpened

    public static func installed(_ widget: Placement) -> Event { .happened(.installed, to: widget) }
    public static func removed(_ widget: Placement) -> Event { .happened(.removed, to: widget) }
    public static func configured(_ widget: Placement) -> Event { .happened(.configured, to: widget) }
    public static func opened(_ widget: Placement) -> Event { .happened(.opened, to: widget) }
    public static func rendered(_ widget: Placement) -> Event { .happened(.rendered, to: widget) }
}

/// What happened to one widget, by its name on the wire.
///
/// This type has everything that differs between acts for the rules and the counts; all other code treats acts alike. A
/// constraint of `census.device_use` also lists the uses.
public enum WidgetAct: String, CaseIterable, Hashable, Sendable {
    case installed = "widget_installed"
    case removed = "widget_removed"
    case configured = "widget_configured"
    /// The user tapped it, or the OS logged an impression.
    case opened = "widget_opened"
    /// The OS asked for a timeline, not in preview; on Android it called `onUpdate`.
    case rendered = "widget_rendered"

    /// What an act means for the rules.
    var sign: Sign {
        switch self {
        case .installed: .added
        case .removed: .gone
        case .configured, .opened: .used
        case .rendered: .rendered
        }
    }

    /// As what its events are counted.
    var use: Use {
        switch self {
        case .installed: .installed
        case .removed: .removed
        case .configured: .configured
        case .opened: .opened
        case .rendered: .rendered
        }
    }

    enum Sign {
        /// There is one more widget.
        case added
        /// There is one widget less.
        case gone
        /// Somebody uses a widget, so there is one (R7).
        case used
        /// A widget was rendered. On WidgetKit that proves nothing, because galleries render, too.
        case rendered
    }
}

extension Event {
    /// The type on the wire and in `observation.type`.
    public var type: EventType {
        switch self {
        case .reported, .readFailed: .widgetsReported
        case .happened(let act, to: _): .widget(act)
        case .restored: .widgetsRestored
        case .appOpened: .appOpened
        }
    }

    /// The placements in the event.
    public var placements: [Placement] {
        switch self {
        case .reported(let claimed): Array(claimed.keys)
        case .happened(_, to: let widget): [widget]
        case .readFailed, .restored, .appOpened: []
        }
    }

    /// How many widgets a report lists, or how many instances an event renames; otherwise 0.
    var listed: Int {
        switch self {
        case .reported(let claimed): claimed.count
        case .restored(let instances): instances.count
        case .readFailed, .happened, .appOpened: 0
        }
    }

    /// What a successful report lists; nil for other events.
    var list: [Placement: Int]? { if case .reported(let claimed) = self { claimed } else { nil } }

    /// The event as it counts on WidgetKit, where placements have no identity.
    var withoutInstances: Event {
        switch self {
        case .reported(let claimed):
            guard claimed.keys.contains(where: { $0.instance != nil }) else { return self }
            let counts = claimed.map { ($0.key.withoutInstance, $0.value) }
            return .reported(Dictionary(counts, uniquingKeysWith: +))
        case .happened(let act, to: let widget): return .happened(act, to: widget.withoutInstance)
        case .readFailed, .restored, .appOpened: return self
        }
    }
}

/// The types of events on the wire (docs/reference/contract.md).
public enum EventType: Hashable, Sendable, CaseIterable, RawRepresentable {
    case widgetsReported
    case widget(WidgetAct)
    case widgetsRestored
    case appOpened

    public static let allCases =
        [.widgetsReported] + WidgetAct.allCases.map(EventType.widget) + [.widgetsRestored, .appOpened]

    public init?(rawValue: String) {
        switch rawValue {
        case EventType.widgetsReported.rawValue: self = .widgetsReported
        case EventType.widgetsRestored.rawValue: self = .widgetsRestored
        case EventType.appOpened.rawValue: self = .appOpened
        default:
            guard let act = WidgetAct(rawValue: rawValue) else { return nil }
            self = .widget(act)
        }
    }

    public var rawValue: String {
        switch self {
        case .widgetsReported: "widgets_reported"
        case .widget(let act): act.rawValue
        case .widgetsRestored: "widgets_restored"
        case .appOpened: "app_opened"
        }
    }
}
