import Foundation

/// Counts the app's widgets: `let census = WidgetCensus(url: "https://…", key: "…", appGroup: "group.…")`.
///
/// Create one in the app and one in the widget extension, with the same arguments. A call stores its event on disk before it
/// returns, and the app sends it when it can. No call throws, waits for the network, or crashes the app.
public final class WidgetCensus: Sendable {
    /// A problem that developers want to know about while they integrate the client. Nothing needs to be done on the device.
    public enum Problem: Hashable, Sendable {
        /// The server accepted the batch but rejected this event.
        case refused(event: String, code: String, message: String)
        /// The server will never accept these events, so they are deleted.
        case dropped(events: Int, status: Int, code: String, message: String)
        /// The server doesn't accept the key. All events wait until the app has another key, or the server accepts this one.
        case keyNotAccepted(status: Int)
        /// There was no response (nil), or one that asks for a retry or is not the service's. The client retries automatically.
        case notSent(status: Int?)
        /// An event could not be stored on the device, because the disk is full or the device has not been unlocked yet.
        case notKept
        /// The target is not in the app group. The app counts without its extension, and the extension counts nothing.
        case noAppGroup
    }

    private let isExtension: Bool
    let recorder: Recorder
    let gallery: GalleryEvidence
    let courier: Courier
    let consents: ConsentEnforcer
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
        let installation = InstallationIdentity(own: own, shared: shared, documentsCreated: parts.documentsCreated)
        gallery = GalleryEvidence(folder: shared, release: application.release)
        recorder = Recorder(parts, queue: queue, gallery: gallery, installation: installation)
        let device = DeviceIdentity(keychain: parts.keychain, folder: shared)
        consents = ConsentEnforcer(shared: shared, own: own, device: device)
        courier = Courier(
            queue: queue, installation: installation, consents: consents,
            destination: Destination(
                device: device, transport: parts.transport, toForget: DevicesToForget(folder: shared)),
            surroundings: parts.surroundings, tell: parts.tell)
        // In a task, because the closure might use this client, which is not initialized yet.
        if !application.hasGroup { Task { parts.tell(.noAppGroup) } }
    }

    // MARK: - Lists

    /// Reads which widgets are on the home screen and reports them. Call this whenever the app comes to the foreground.
    ///
    /// - Returns: a task to await in a background task. It ends when the report was sent or must wait.
    @discardableResult
    public func report() -> Task<Void, Never> {
        Task {
            guard !isExtension else { return }
            await recorder.report(from: list)
            await courier.deliver()
        }
    }

    // MARK: - Events

    // `kind` and `family` are WidgetKit's (`systemSmall`). `intent` is the class name of the configuration intent; nil if
    // unknown.

    /// The user placed a widget. Call this only if the app is certain; lists show it, too.
    public func installed(_ kind: String, family: String? = nil, intent: String? = nil) {
        note(.installed, Widget(kind, family: family, intent: intent))
    }

    /// The user removed a widget. Call this only if the app is certain.
    public func removed(_ kind: String, family: String? = nil, intent: String? = nil) {
        note(.removed, Widget(kind, family: family, intent: intent))
    }

    /// The user changed a widget's settings.
    public func configured(_ kind: String, family: String? = nil, intent: String? = nil) {
        note(.configured, Widget(kind, family: family, intent: intent))
    }

    /// The user tapped a widget.
    public func opened(_ kind: String, family: String? = nil, intent: String? = nil) {
        note(.opened, Widget(kind, family: family, intent: intent))
    }

    /// WidgetKit requested a timeline, but not for a preview.
    public func rendered(_ kind: String, family: String? = nil, intent: String? = nil) {
        note(.rendered, Widget(kind, family: family, intent: intent))
    }

    private func note(_ type: Event.Kind, _ widget: Widget) {
        recorder.note(type, widget)
        deliver()
    }

    private func deliver() {
        guard !isExtension else { return }
        Task { await courier.deliver() }
    }

    // MARK: - When the user objects

    /// The user objects. Deletes the waiting events, stores and sends nothing until ``resume()``, in the app and its
    /// extensions, and has the service erase this device, with retries. You can call this at every start.
    ///
    /// - Returns: false if the objection could not be recorded, or not everything was deleted; call it again.
    @discardableResult
    public func forget() -> Bool {
        let isKept = consents.object()
        deliver()
        return isKept
    }

    /// The user agrees again, and the device starts over with a new id. If nobody objected, nothing happens. You can call this
    /// at every start.
    ///
    /// - Returns: false in an extension, and if it failed; call it again. Until then the objection stays.
    @discardableResult
    public func resume() -> Bool { consents.agree() }

    // MARK: - The gallery

    /// Returns the kinds to hide from the gallery. Reads the list, reports it if it differs from the newest, and asks the
    /// server unless its last response is less than an hour old.
    ///
    /// In an extension, returns ``knownPolicy``.
    public func policy() async -> GalleryPolicy {
        if !isExtension {
            await recorder.reportNews(from: list)
            await courier.deliver(thenAsk: gallery)
        }
        return knownPolicy
    }

    /// The kinds to hide from the gallery, from what is stored on the device. For a widget's body, which can't wait.
    ///
    /// After an update of the app or the system, nothing is hidden until the app has asked again.
    public var knownPolicy: GalleryPolicy { gallery.policy(now: now()) }
}

/// The parts of a client, which tests replace.
struct Parts: Sendable {
    var application: Application
    var channel: String
    var files: any Files = SystemFiles()
    var list: any WidgetList
    var transport: any Transport
    var keychain: any Keychain
    var bootSession: @Sendable () -> String? = { BootSession.current() }
    var documentsCreated: @Sendable () -> Date?
    var surroundings = Courier.Surroundings()
    var limits = QueueLimits()
    var tell: @Sendable (WidgetCensus.Problem) -> Void = { _ in }
}
