import Foundation

/// Counts the app's widgets: `let census = WidgetCensus(url: address, key: "…", appGroup: "group.…")`.
///
/// Create one in the app and one in the widget extension, with the same arguments. A call stores its event on disk before it
/// returns, and the app sends it when it can.
public final class WidgetCensus: Census {
    private let isExtension: Bool
    let recorder: Recorder
    let gallery: GalleryEvidence
    let courier: Courier
    let consents: ConsentEnforcer
    private let list: any WidgetList
    private let others: [SurfaceList]
    private let now: @Sendable () -> Date

    init(_ parts: Parts) {
        let application = parts.application
        isExtension = application.isExtension
        list = parts.list
        others = parts.others
        now = parts.surroundings.now
        let shared = Folder(application.sharedFolder, files: parts.files)
        let own = isExtension ? nil : Folder(application.ownFolder, files: parts.files)
        let before = application.folderBeforeGroup.map { Folder($0, files: parts.files) }
        let queue = EventQueue(folder: shared, limits: parts.limits)
        let installation = InstallationIdentity(own: own, shared: shared, documentsCreated: parts.documentsCreated)
        gallery = GalleryEvidence(folder: shared, release: application.release)
        let file = ConsentFile(folder: shared, before: before, requirement: parts.consent)
        recorder = Recorder(
            parts, queue: queue, gallery: gallery, installation: installation,
            consents: file)
        let device = DeviceIdentity(keychain: parts.keychain, folder: shared, consents: file)
        consents = ConsentEnforcer(shared: shared, own: own, before: before, device: device, consents: file)
        courier = Courier(
            queue: queue, installation: installation, consents: consents,
            destination: Destination(
                device: device, transport: parts.transport, toForget: DevicesToForget(folder: shared)),
            surroundings: parts.surroundings, tell: parts.tell)
        // In a task, because the closure might use this client, which is not initialized yet.
        let problems = [application.hasGroup ? nil : .noAppGroup, parts.transport.problem].compactMap(\.self)
        if !problems.isEmpty { Task { problems.forEach(parts.tell) } }
    }

    public func report() async {
        await store()
        deliver()
    }

    /// Reads the lists, and stores a report of each.
    func store() async {
        guard !isExtension else { return }
        await recorder.report(from: list)
        for other in others { await recorder.report(from: other.list, on: other.surface) }
    }

    /// Stores a report of a list that the system delivered.
    func report(_ widgets: [Widget]) {
        recorder.report(widgets)
        deliver()
    }

    public func send() async {
        if !isExtension { await courier.deliverUnlessCancelled() }
    }

    public func record(_ event: WidgetEvent) {
        let widget = Widget(event.kind, family: event.family, intent: event.intent)
        recorder.note(Event.Kind(event.act), widget, on: event.surface)
        deliver()
    }

    private func deliver() {
        guard !isExtension else { return }
        Task { await courier.deliver() }
    }

    @discardableResult
    public func optOut() -> Bool {
        let isKept = consents.object()
        deliver()
        return isKept
    }

    @discardableResult
    public func optIn() -> Bool { consents.agree() }

    @discardableResult
    public func policy() async -> GalleryPolicy {
        if !isExtension {
            await recorder.reportNews(from: list)
            await courier.deliver(thenAsk: gallery)
        }
        return knownPolicy
    }

    public var knownPolicy: GalleryPolicy { gallery.policy(now: now()) }
}

/// The parts of a client, which tests replace.
struct Parts: Sendable {
    var application: Application
    var channel: String
    var consent = ConsentRequirement.notRequired
    var files: any Files = SystemFiles()
    var list: any WidgetList
    /// Of the surfaces besides widgets.
    var others: [SurfaceList] = []
    var transport: any Transport
    var keychain: any Keychain
    var bootSession: @Sendable () -> String? = { BootSession.current() }
    var documentsCreated: @Sendable () -> Date?
    var surroundings = Courier.Surroundings()
    var limits = QueueLimits()
    var tell: @Sendable (WidgetCensus.Problem) -> Void = { _ in }
}
