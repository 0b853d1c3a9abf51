import CensusCore

/// One event as the app noted it, at the true time. The error of the device's clock is applied when it is sent.
struct Note: Sendable {
    /// The part of the app that noted it.
    enum Source: String, Sendable {
        case app
        /// The widget extension, on iOS.
        case `extension`
        /// The widget provider, on Android.
        case provider
    }

    /// The sender, which is the same for all events of a batch. All notes of one batch share one object.
    final class Context: Sendable {
        let device: String
        let system: OperatingSystem
        let installation: String
        let firstLaunchedAt: Timestamp
        let appVersion: String
        /// Whether the phone had restarted since the first launch when the notes were written.
        let rebooted: Bool
        let bootWords: BootWords

        init(
            device: String, system: OperatingSystem, installation: String, firstLaunchedAt: Timestamp,
            appVersion: String, rebooted: Bool, bootWords: BootWords
        ) {
            self.device = device
            self.system = system
            self.installation = installation
            self.firstLaunchedAt = firstLaunchedAt
            self.appVersion = appVersion
            self.rebooted = rebooted
            self.bootWords = bootWords
        }
    }

    /// Numbers a phone's notes in the order of writing.
    var number: Int
    var id: RandomUUID
    var at: Timestamp
    var surface = Surface.widget
    var source = Source.app
    var event: Event
    var testimony = Testimony.nothing
    /// Which fields of the widget the event has. The testimony has all of them.
    var naming = Naming.full
    var context: Context
}

extension Note.Context {
    /// Nil while the app is not installed, and before its first launch.
    static func current(_ device: SimulatedDevice, before: Note.Context?) -> Note.Context? {
        guard let app = device.app, let launched = app.firstLaunchedAt else { return nil }
        let rebooted = device.bootedAt > launched
        if let before, before.installation == app.id, before.device == device.id, before.system == device.system,
            before.appVersion == app.version, before.rebooted == rebooted
        {
            return before
        }
        return Note.Context(
            device: device.id, system: device.system, installation: app.id, firstLaunchedAt: launched,
            appVersion: app.version, rebooted: rebooted,
            bootWords: BootWords(device: device.id, platform: device.system.platform))
    }
}

/// One delivery, and the notes in it.
struct Sent: Sendable {
    var delivery: Delivery
    var notes: ArraySlice<Note>
}
