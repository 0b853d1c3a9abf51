import Synchronization

/// A batch as an app would send it. A test can change every part.
struct Sample {
    private static let count = Atomic<Int>(0)

    var sentAt = "2026-11-21T10:00:00Z"
    var app = IngestTestServer.app
    var version = "1.0"
    var channel: String?
    var device: String
    var platform = "ios"
    var osVersion: String? = "17.1"
    var bootedAt: String?
    var installation: String
    var firstLaunchedAt: String?
    /// Each event as JSON.
    var events: [String] = []
    /// More members of the envelope, each with a leading comma.
    var more = ""

    /// A batch from a device that no other sample has.
    init(_ events: String...) {
        let number = Sample.count.add(1, ordering: .relaxed).newValue
        device = "raw-device-\(number)"
        installation = "raw-installation-\(number)"
        self.events = events
    }

    var json: String {
        func member(_ name: String, _ value: String?) -> String { value.map { #","\#(name)":"\#($0)""# } ?? "" }
        return """
            {"sent_at":"\(sentAt)",
            "app":{"id":"\(app)","version":"\(version)"\(member("channel", channel))},
            "device":{"id":"\(device)","platform":"\(platform)"\
            \(member("os_version", osVersion))\(member("booted_at", bootedAt))},
            "installation":{"id":"\(installation)"\(member("first_launched_at", firstLaunchedAt))},
            "events":[\(events.joined(separator: ","))]\(more)}
            """
    }

    static func opened(
        _ kind: String = "weather", id: String = "event", at: String = "2026-11-21T09:00:00Z", more: String = ""
    ) -> String {
        #"{"id":"\#(id)","type":"widget_opened","at":"\#(at)","widget":{"kind":"\#(kind)"\#(more)}}"#
    }

    static func reported(
        _ kinds: String..., id: String = "report", at: String = "2026-11-21T09:30:00Z", surface: String = "widget"
    ) -> String {
        let widgets = kinds.map { #"{"kind":"\#($0)","family":"systemSmall"}"# }.joined(separator: ",")
        return
            #"{"id":"\#(id)","type":"widgets_reported","at":"\#(at)","surface":"\#(surface)","widgets":[\#(widgets)]}"#
    }

    static func readFailed(id: String = "failed", at: String = "2026-11-21T09:40:00Z") -> String {
        #"{"id":"\#(id)","type":"widgets_reported","at":"\#(at)","error":{"domain":"CHSErrorDomain","code":1101}}"#
    }
}
