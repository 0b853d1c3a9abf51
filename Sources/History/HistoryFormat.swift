/// Where another analytics tool's export has what an event needs.
///
/// The places are from the tools' public documentation of their exports.
package struct HistoryFormat: Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case ga4, amplitude, mixpanel, posthog, segment, telemetrydeck, csv
    }

    /// The places of a field: the first one that has a value counts.
    typealias Places = [String]

    package let name: Name
    var event: Places
    /// When it happened.
    var time: Places
    /// When the tool's server received it; without any it is ``time``.
    var received: Places
    var device: Places
    /// Identifies the event; without any the whole line does.
    var id: Places
    var app: Places
    var version: Places
    var platform: Places
    var system: Places
    /// What the app sent with the event.
    var properties: Places

    package init(_ name: Name) {
        self.name = name
        switch name {
        case .ga4:
            event = ["event_name"]
            time = ["event_timestamp"]
            received = []
            device = ["user_pseudo_id"]
            id = []
            app = ["app_info.id"]
            version = ["app_info.version"]
            platform = ["platform", "device.operating_system"]
            system = ["device.operating_system_version"]
            properties = ["event_params"]
        case .amplitude:
            event = ["event_type"]
            time = ["event_time", "client_event_time"]
            received = ["server_received_time", "server_upload_time"]
            device = ["device_id"]
            id = ["$insert_id", "uuid"]
            app = []
            version = ["version_name"]
            platform = ["os_name", "platform"]
            system = ["os_version"]
            properties = ["event_properties"]
        case .mixpanel:
            event = ["event"]
            time = ["properties.time"]
            received = ["properties.mp_processing_time_ms"]
            device = ["properties.$device_id", "properties.distinct_id"]
            id = ["properties.$insert_id"]
            app = ["properties.$app_id"]
            version = ["properties.$app_version_string", "properties.$app_version"]
            platform = ["properties.$os"]
            system = ["properties.$os_version"]
            properties = ["properties"]
        case .posthog:
            event = ["event"]
            time = ["timestamp"]
            received = ["created_at", "inserted_at"]
            device = ["properties.$device_id", "distinct_id"]
            id = ["uuid"]
            app = ["properties.$app_namespace"]
            version = ["properties.$app_version"]
            platform = ["properties.$os_name", "properties.$os"]
            system = ["properties.$os_version"]
            properties = ["properties"]
        case .segment:
            event = ["event"]
            time = ["timestamp", "originalTimestamp"]
            received = ["receivedAt"]
            device = ["context.device.id", "anonymousId"]
            id = ["messageId"]
            app = ["context.app.namespace"]
            version = ["context.app.version"]
            platform = ["context.os.name", "context.device.type"]
            system = ["context.os.version"]
            properties = ["properties"]
        case .telemetrydeck:
            event = ["type", "signalType"]
            time = ["receivedAt"]
            received = ["receivedAt"]
            device = ["clientUser"]
            id = ["id"]
            app = []
            version = ["payload.TelemetryDeck.AppInfo.version", "payload.appVersion"]
            platform = ["payload.TelemetryDeck.Device.platform", "payload.platform"]
            system = ["payload.TelemetryDeck.Device.systemVersion", "payload.systemVersion"]
            properties = ["payload"]
        case .csv:
            event = ["event"]
            time = ["time"]
            received = ["received_at"]
            device = ["device"]
            id = ["id"]
            app = ["app"]
            version = ["version"]
            platform = ["platform"]
            system = ["os_version"]
            properties = []
        }
    }
}
