internal import Hummingbird

/// The door's paths as metrics and logs name them: a closed set, whatever paths are asked for.
enum Route: String, CaseIterable, Sendable {
    case events, livez, readyz, metrics, noop, other
    case galleryPolicy = "gallery_policy"

    init(path: String) {
        switch path {
        case "/v1/events": self = .events
        case "/v1/gallery-policy": self = .galleryPolicy
        case "/livez", "/healthz": self = .livez
        case "/readyz": self = .readyz
        case "/metrics": self = .metrics
        case "/noop": self = .noop
        default: self = .other
        }
    }
}
