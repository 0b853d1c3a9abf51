import Foundation

/// What happened, as the contract has it.
struct Event: Hashable, Codable, Sendable {
    enum Kind: String, Codable, Sendable, CaseIterable {
        case reported = "widgets_reported"
        case installed = "widget_installed"
        case removed = "widget_removed"
        case configured = "widget_configured"
        case opened = "widget_opened"
        case rendered = "widget_rendered"
    }

    var id: String
    var type: Kind
    var at: Date
    /// Where it was noted: in the app, or in its extension.
    var source: String?
    var widgets: [Widget]?
    var error: ReadFailure?
    var widget: Widget?
}

/// Why the list of widgets could not be read. It is sent: a failed read is never an empty list.
struct ReadFailure: Error, Hashable, Codable, Sendable {
    var domain: String
    var code: Int

    /// WidgetCenter did not answer in time.
    static let timeout = ReadFailure(domain: "WidgetCensus", code: 1)
}

/// The circumstances in which an event happened. They belong to it: a batch has only events of one context.
///
/// Reading them at sending time would be wrong: a list from before a restart would pass for one from after it.
struct EventContext: Hashable, Codable, Sendable {
    var app: App
    var device: Device
    /// Nil if the event happened in an extension before the app ever ran. The app adds its own.
    var installation: Installation?
    /// The version of the gallery policy that was applied.
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
