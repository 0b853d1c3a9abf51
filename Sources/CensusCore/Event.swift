/// What happened, or what was seen, on one surface of one device.
public enum Event: Hashable, Sendable {
    /// The complete list as the OS gave it: how many of each placement.
    case reported([Placement: Int])
    /// The list could not be read. Says nothing of widgets.
    case readFailed(domain: String, code: Int64)
    case installed(Placement)
    case removed(Placement)
    case configured(Placement)
    /// The user tapped it, or the OS logged an impression.
    case opened(Placement)
    /// A timeline was asked for, not in preview; Android's `onUpdate`.
    case rendered(Placement)
    /// Android's `onRestored`: old instance to new.
    case restored([Text: String])

    /// The type on the wire and in `observation.type`.
    public var type: EventType {
        switch self {
        case .reported, .readFailed: .widgetsReported
        case .installed: .widgetInstalled
        case .removed: .widgetRemoved
        case .configured: .widgetConfigured
        case .opened: .widgetOpened
        case .rendered: .widgetRendered
        case .restored: .widgetsRestored
        }
    }

    /// The placements that the event names.
    public var placements: [Placement] {
        switch self {
        case .reported(let claimed): Array(claimed.keys)
        case .installed(let one), .removed(let one), .configured(let one), .opened(let one), .rendered(let one): [one]
        case .readFailed, .restored: []
        }
    }
}

extension Event {
    /// The event as it counts on WidgetKit, where nothing identifies a placement.
    var withoutInstances: Event {
        switch self {
        case .reported(let claimed):
            guard claimed.keys.contains(where: { $0.instance != nil }) else { return self }
            let counts = claimed.map { ($0.key.withoutInstance, $0.value) }
            return .reported(Dictionary(counts, uniquingKeysWith: +))
        case .installed(let one): return .installed(one.withoutInstance)
        case .removed(let one): return .removed(one.withoutInstance)
        case .configured(let one): return .configured(one.withoutInstance)
        case .opened(let one): return .opened(one.withoutInstance)
        case .rendered(let one): return .rendered(one.withoutInstance)
        case .readFailed, .restored: return self
        }
    }
}

/// The names of events on the wire: docs/contract.md, "POST /v1/events".
public enum EventType: String, Hashable, Sendable, CaseIterable {
    case widgetsReported = "widgets_reported"
    case widgetInstalled = "widget_installed"
    case widgetRemoved = "widget_removed"
    case widgetConfigured = "widget_configured"
    case widgetOpened = "widget_opened"
    case widgetRendered = "widget_rendered"
    case widgetsRestored = "widgets_restored"
}
