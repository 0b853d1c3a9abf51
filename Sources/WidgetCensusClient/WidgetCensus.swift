import Foundation

/// Counts the app's widgets: `let census = WidgetCensus(url: "https://…", key: "…", appGroup: "group.…")`.
///
/// Make one in the app and one in the widget extension, with the same arguments. What happens is kept on disk before a call
/// returns, and sent by the app when it can be. No call fails, waits for the network, or stops the app.
public final class WidgetCensus: Sendable {
    /// What the people who integrate the client may want to know. Nothing needs to be done on the device.
    public enum Problem: Hashable, Sendable {
        /// The server took the batch, but not this event.
        case refused(event: String, code: String, message: String)
        /// The server will never take these events; they are gone.
        case dropped(events: Int, status: Int, code: String, message: String)
        /// Everything waits until the key is corrected or known.
        case keyNotAccepted(status: Int)
        /// No answer (nil), or one that is not the service's: what waits is sent again automatically.
        case notSent(status: Int?)
        /// An event could not be kept on the device: its disk is full, or it was not unlocked yet.
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
        // Later: the receiver may use this very client, which does not exist yet.
        if !application.hasGroup { Task { parts.tell(.noAppGroup) } }
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

    // `kind` and `family` as WidgetKit has them (`systemSmall`), `intent` the class name of the configuration intent; nil where
    // that is not known.

    /// The user placed a widget. Call it only if the app knows for certain: lists show it, too.
    public func installed(_ kind: String, family: String? = nil, intent: String? = nil) {
        note(.installed, Widget(kind, family: family, intent: intent))
    }

    /// The user removed a widget. Call it only if the app knows for certain.
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

    /// A timeline was requested, and not for a preview.
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

    /// The user objects: deletes what waits, keeps and sends nothing until ``resume()``, in the app and its extensions, and has the
    /// service forget this device, trying again until it has. May be called at every start.
    ///
    /// - Returns: false if that could not be recorded, or not everything was deleted: call it again.
    @discardableResult
    public func forget() -> Bool {
        let isKept = consents.object()
        deliver()
        return isKept
    }

    /// The user agrees again: the device starts over, with a new id. If nobody objected, nothing happens. May be called at
    /// every start.
    ///
    /// - Returns: false in an extension, and if it could not be done: call it again. Until then the user objects.
    @discardableResult
    public func resume() -> Bool { consents.agree() }

    // MARK: - The gallery

    /// Which kinds the gallery may hide. Reads the list, reports it if it differs from the newest, and asks the server unless
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

/// What a client is made of. Tests pass in others.
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
