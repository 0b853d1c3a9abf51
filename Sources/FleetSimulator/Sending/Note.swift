import CensusCore

/// One event as the app wrote it down, at the true time: the device's clock comes in when it is sent.
struct Note: Sendable {
    /// Which of the app's parts wrote it.
    enum Source: String, Sendable {
        case app
        /// iOS's widget extension.
        case `extension`
        /// Android's.
        case provider
    }

    /// Who sends it: what a batch says once for all of its events. One object for all notes of one batch.
    final class Context: Sendable {
        let device: String
        let system: OperatingSystem
        let installation: String
        let firstLaunchedAt: Timestamp
        let appVersion: String

        init(
            device: String, system: OperatingSystem, installation: String, firstLaunchedAt: Timestamp,
            appVersion: String
        ) {
            self.device = device
            self.system = system
            self.installation = installation
            self.firstLaunchedAt = firstLaunchedAt
            self.appVersion = appVersion
        }
    }

    /// Counts a phone's notes, in the order in which they were written.
    var number: Int
    var id: RandomUUID
    var at: Timestamp
    var surface = Surface.widget
    var source = Source.app
    var event: Event
    var testimony = Testimony.nothing
    /// Of the event; the testimony knows the widget.
    var naming = Naming.full
    var context: Context
}

extension Note.Context {
    /// Nil while the app is not installed, and before it is launched.
    static func current(_ device: SimulatedDevice, before: Note.Context?) -> Note.Context? {
        guard let app = device.app, let launched = app.firstLaunchedAt else { return nil }
        if let before, before.installation == app.id, before.device == device.id, before.system == device.system,
            before.appVersion == app.version
        {
            return before
        }
        return Note.Context(
            device: device.id, system: device.system, installation: app.id, firstLaunchedAt: launched,
            appVersion: app.version)
    }
}
