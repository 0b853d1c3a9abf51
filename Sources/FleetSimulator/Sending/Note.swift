import CensusCore

/// One event as the app wrote it down, at the true time: the device's clock comes in when it is sent.
struct Note: Sendable {
    /// Who sends it: what a batch says once for all of its events.
    struct Context: Hashable, Sendable {
        var device: String
        var system: OperatingSystem
        var bootedAt: Timestamp
        var installation: String
        var firstLaunchedAt: Timestamp?
        var appVersion: String
    }

    var id: String
    var at: Timestamp
    var source: String
    var event: Event
    var context: Context
}

extension Note.Context {
    /// Nil while the app is not installed.
    init?(_ device: SimulatedDevice) {
        guard let app = device.app else { return nil }
        self.init(
            device: device.id, system: device.system, bootedAt: device.bootedAt, installation: app.id,
            firstLaunchedAt: app.firstLaunchedAt, appVersion: app.version)
    }
}
