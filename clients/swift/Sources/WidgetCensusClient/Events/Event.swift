import Foundation

/// An event of the ingest API.
struct Event: Hashable, Codable, Sendable {
    enum Kind: String, Codable, Sendable, CaseIterable {
        case reported = "widgets_reported"
        case installed = "widget_installed"
        case removed = "widget_removed"
        case configured = "widget_configured"
        case opened = "widget_opened"
        case rendered = "widget_rendered"

        init(_ act: WidgetEvent.Act) {
            self =
                switch act {
                case .installed: .installed
                case .removed: .removed
                case .configured: .configured
                case .opened: .opened
                case .rendered: .rendered
                }
        }
    }

    var id: String
    var type: Kind
    var at: Date
    /// Nil for widgets.
    var surface: Surface?
    /// Where it was recorded: `app` or `extension`.
    var source: String?
    var widgets: [Widget]?
    var error: ReadFailure?
    var widget: Widget?
}

/// Why the list of widgets could not be read. The client sends it, because a failed read is never an empty list.
struct ReadFailure: Error, Hashable, Codable, Sendable {
    var domain: String
    var code: Int

    /// WidgetCenter returned no result in time.
    static let timeout = ReadFailure(domain: "WidgetCensus", code: 1)
}

/// The circumstances in which an event happened. A batch has only events of one context.
///
/// They are stored with the event. If they were read when sending, a list from before a restart would look like one from after
/// it.
struct EventContext: Hashable, Codable, Sendable {
    var app: App
    var device: Device
    /// Nil if the event happened in an extension before the app first ran. The app adds it when it sends.
    var installation: Installation?
    /// The version of the gallery policy in effect.
    var galleryPolicy: Int?

    struct App: Hashable, Codable, Sendable {
        var id: String
        var version: String
        var channel: String
    }

    struct Device: Hashable, Codable, Sendable {
        var platform: String
        var osVersion: String?
        var osBuild: String?
    }

    struct Installation: Hashable, Codable, Sendable {
        var id: String
        var firstLaunchedAt: Date?
        /// Nil if unknown.
        var rebooted: Bool?
    }
}
