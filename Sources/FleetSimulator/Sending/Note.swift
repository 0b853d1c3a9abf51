import CensusCore

/// One event as the app wrote it down, at the true time: the device's clock comes in when it is sent.
struct Note: Sendable {
    /// Who sends it: what a batch says once for all of its events.
    struct Context: Hashable, Sendable {
        var device: String
        var system: OperatingSystem
        var installation: String
        var firstLaunchedAt: Timestamp?
        var appVersion: String
    }

    /// Counts a phone's notes, in the order in which they were written.
    var number: Int
    var id: String
    var at: Timestamp
    var surface = Surface.widget
    var source: String
    var event: Event
    var testimony: Testimony
    var context: Context
}

extension Note.Context {
    /// Nil while the app is not installed, and before it is launched.
    init?(_ device: SimulatedDevice) {
        guard let app = device.app, app.firstLaunchedAt != nil else { return nil }
        self.init(
            device: device.id, system: device.system, installation: app.id, firstLaunchedAt: app.firstLaunchedAt,
            appVersion: app.version)
    }
}
