internal import Hummingbird

/// The door's paths as metrics and logs name them: a closed set, whatever clients ask for.
enum Route: Int, CaseIterable, Sendable {
    case events, galleryPolicy, device, livez, readyz, metrics, other

    var name: String {
        switch self {
        case .events: "events"
        case .galleryPolicy: "gallery_policy"
        case .device: "device"
        case .livez: "livez"
        case .readyz: "readyz"
        case .metrics: "metrics"
        case .other: "other"
        }
    }

    init(path: String) {
        switch path {
        case "/v1/events": self = .events
        case "/v1/gallery-policy": self = .galleryPolicy
        case "/v1/device": self = .device
        case "/livez", "/healthz": self = .livez
        case "/readyz": self = .readyz
        case "/metrics": self = .metrics
        default: self = .other
        }
    }
}
