/// Where another analytics tool's export has what an event needs.
///
/// The places are from the tools' public documentation of their exports.
package struct HistoryFormat: Sendable {
    package enum Name: String, CaseIterable, Sendable {
        case ga4, amplitude, mixpanel, posthog, segment, telemetrydeck, csv
    }

    /// The places of a field: the first one that has a value counts.
    typealias Places = [RecordPath]

    package let name: Name
    var event: Places
    /// When it happened.
    var time: Places
    /// When the tool's server received it; without any it is ``time``.
    var received: Places
    var device: Places
    /// Identifies the event; without any its content does.
    var id: Places
    var app: Places
    var version: Places
    var platform: Places
    var system: Places
    /// What the app sent with the event.
    var properties: Places
    /// Whether a debug build sent it.
    var test: Places = []
    /// The tool cuts texts off that have more bytes; nil if it keeps or drops them.
    var longestText: Int?

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
            platform = ["platform", "os_name"]
            system = ["os_version"]
            properties = ["event_properties"]
            longestText = 1_024
        case .mixpanel:
            event = ["event", "event_name"]
            time = ["properties.time", "time"]
            received = ["properties.$mp_api_timestamp_ms", "properties.mp_processing_time_ms"]
            device = ["properties.$device_id", "properties.distinct_id", "distinct_id"]
            id = ["properties.$insert_id", "insert_id"]
            app = ["properties.$app_id"]
            version = ["properties.$app_version_string", "properties.$app_version"]
            platform = ["properties.$os"]
            system = ["properties.$os_version"]
            properties = ["properties"]
            longestText = 255
        case .posthog:
            event = ["event"]
            time = ["timestamp"]
            received = ["created_at", "inserted_at", "_inserted_at"]
            device = ["properties.$device_id", "distinct_id"]
            id = ["uuid"]
            app = ["properties.$app_namespace"]
            version = ["properties.$app_version"]
            platform = ["properties.$os_name", "properties.$os"]
            system = ["properties.$os_version"]
            properties = ["properties"]
        case .segment:
            // Calls without a name are told apart by their type: identify, screen. Warehouses flatten the names of fields, and
            // Snowflake writes them in upper case.
            event = ["event", "EVENT", "type"]
            time = ["timestamp", "TIMESTAMP", "originalTimestamp", "original_timestamp", "ORIGINAL_TIMESTAMP"]
            received = ["receivedAt", "received_at", "RECEIVED_AT"]
            device = [
                "context.device.id", "context_device_id", "CONTEXT_DEVICE_ID", "anonymousId", "anonymous_id",
                "ANONYMOUS_ID",
            ]
            id = ["messageId", "message_id", "id", "ID"]
            app = ["context.app.namespace", "context_app_namespace", "CONTEXT_APP_NAMESPACE"]
            version = ["context.app.version", "context_app_version", "CONTEXT_APP_VERSION"]
            platform = [
                "context.os.name", "context_os_name", "CONTEXT_OS_NAME", "context.device.type", "context_device_type",
                "CONTEXT_DEVICE_TYPE",
            ]
            system = ["context.os.version", "context_os_version", "CONTEXT_OS_VERSION"]
            properties = ["properties"]
        case .telemetrydeck:
            event = ["type", "signalType"]
            time = ["receivedAt", "__time"]
            received = ["receivedAt", "__time"]
            device = ["clientUser"]
            id = ["id"]
            app = []
            // A query's result has the payload beside the signal's own fields.
            version = [
                "TelemetryDeck.AppInfo.version", "payload.TelemetryDeck.AppInfo.version", "appVersion",
                "payload.appVersion",
            ]
            platform = [
                "TelemetryDeck.Device.platform", "payload.TelemetryDeck.Device.platform", "platform",
                "payload.platform",
            ]
            system = [
                "TelemetryDeck.Device.systemVersion", "payload.TelemetryDeck.Device.systemVersion", "systemVersion",
                "payload.systemVersion",
            ]
            properties = ["payload"]
            test = ["isTestMode"]
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
