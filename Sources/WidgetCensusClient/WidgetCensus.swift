import Foundation

/// Counts the app's widgets: `let census = WidgetCensus(url: "https://…", key: "…", appGroup: "group.…")`.
///
/// Make one in the app and one in the widget extension, with the same arguments. What happens is kept on disk before a call
/// returns, and sent by the app when it can be. No call fails, waits for the network, or stops the app.
public final class WidgetCensus: Sendable {
    /// What the people who integrate may want to know. Nothing needs to be done on the device.
    public enum Problem: Hashable, Sendable {
        /// The door took the batch, and not this event.
        case refused(event: String, code: String, message: String)
        /// The door will never take these events; they are gone.
        case dropped(events: Int, status: Int, code: String, message: String)
        /// Everything waits until the key is corrected or known.
        case keyNotAccepted(status: Int)
        /// The device did not let an event be kept: its disk is full, or it was not unlocked yet.
        case notKept
    }

    private let isExtension: Bool
    let recorder: Recorder
    let gallery: GalleryKeeper
    let courier: Courier
    private let list: any WidgetList
    private let now: @Sendable () -> Date

    init(_ parts: Parts) {
        let application = parts.application
        isExtension = application.isExtension
        list = parts.list
        now = parts.surroundings.now
        let shared = Folder(application.sharedFolder, files: parts.files)
        let own = isExtension ? nil : Folder(application.ownFolder, files: parts.files)
        let queue = EventQueue(folder: shared, limits: parts.limits)
        let installation = InstallationKeeper(own: own, shared: shared, documentsCreated: parts.documentsCreated)
        gallery = GalleryKeeper(folder: shared, release: application.release)
        recorder = Recorder(parts, queue: queue, gallery: gallery, installation: installation)
        courier = Courier(
            queue: queue, installation: installation,
            door: Door(device: DeviceIdentity(keychain: parts.keychain, folder: shared), transport: parts.transport),
            surroundings: parts.surroundings, tell: parts.tell)
    }

    // MARK: - Lists

    /// Reads which widgets are on the home screen, and reports it. Call it whenever the app comes to the foreground.
    ///
    /// - Returns: a task to wait for, in a background task. It ends when the report was sent, or must wait.
    @discardableResult
    public func report() -> Task<Void, Never> {
        Task {
            guard !isExtension else { return }
            await recorder.report(from: list)
            await courier.deliver()
        }
    }

    // MARK: - Events

    /// The user placed a widget. Only if the app knows it for certain: lists tell it, too.
    public func installed(_ widget: Widget) { note(.installed, widget) }
    /// The user removed a widget. Only if the app knows it for certain.
    public func removed(_ widget: Widget) { note(.removed, widget) }
    /// The user changed a widget's settings.
    public func configured(_ widget: Widget) { note(.configured, widget) }
    /// The user tapped a widget.
    public func opened(_ widget: Widget) { note(.opened, widget) }
    /// A timeline was asked for, and not for a preview.
    public func rendered(_ widget: Widget) { note(.rendered, widget) }

    private func note(_ type: Event.Kind, _ widget: Widget) {
        recorder.note(type, widget)
        guard !isExtension else { return }
        Task { await courier.deliver() }
    }

    // MARK: - The gallery

    /// Which kinds the gallery may hide. Reads the list, reports it if it is another than the newest, and asks the door unless
    /// its answer is younger than an hour.
    ///
    /// In an extension it is what ``knownPolicy`` says.
    public func policy() async -> GalleryPolicy {
        if !isExtension {
            await recorder.reportNews(from: list)
            await courier.deliver(thenAsk: gallery)
        }
        return knownPolicy
    }

    /// Which kinds the gallery may hide, by what is known on the device: for a widget's body, which can't wait.
    ///
    /// After an update of app or system nothing is hidden until the app has asked again.
    public var knownPolicy: GalleryPolicy { gallery.policy(now: now()) }
}
