import Foundation

/// Records events with their circumstances, and adds them to the queue.
struct Recorder: Sendable {
    private let application: Application
    private let channel: String
    private let queue: EventQueue
    private let gallery: GalleryEvidence
    private let installation: InstallationIdentity
    private let consents: ConsentFile
    private let bootSession: @Sendable () -> String?
    private let now: @Sendable () -> Date
    private let tell: @Sendable (WidgetCensus.Problem) -> Void

    init(
        _ parts: Parts, queue: EventQueue, gallery: GalleryEvidence, installation: InstallationIdentity,
        consents: ConsentFile
    ) {
        application = parts.application
        channel = parts.channel
        self.queue = queue
        self.gallery = gallery
        self.installation = installation
        self.consents = consents
        bootSession = parts.bootSession
        now = parts.surroundings.now
        tell = parts.tell
    }

    /// Reads the list and stores a report of it, or of the failed read.
    func report(from list: any WidgetList, on surface: Surface = .widget) async {
        guard case .given(let era)? = consent() else { return }
        let named = gallery.namedSoFar()
        keep(await read(list, on: surface), named: named, era)
    }

    /// Reads the list, and stores a report only if it differs from the newest.
    func reportNews(from list: any WidgetList) async {
        guard case .given(let era)? = consent() else { return }
        let named = gallery.namedSoFar()
        let report = await read(list, on: .widget)
        guard !gallery.knows(report.widgets?.map(\.kind), named: named) else { return }
        keep(report, named: named, era)
    }

    /// - Returns: nil if it is unknown, so that nothing must be stored.
    private func consent() -> Consent? {
        if let consent = try? consents.consent() { return consent }
        gallery.showAll()
        tell(.notStored)
        return nil
    }

    private func read(_ list: any WidgetList, on surface: Surface) async -> Event {
        var event = event(.reported, on: surface)
        do {
            event.widgets = try await list.read().counted
        } catch {
            event.error = error
        }
        event.at = now()
        return event
    }

    private func keep(_ report: Event, named: [String], _ era: String?) {
        // The user might have objected while the list was read.
        guard consent() == .given(era: era) else { return }
        // The gallery's policy is about widgets.
        if report.surface == nil {
            gallery.keep(report: report.id, kinds: report.widgets?.map(\.kind), named: named)
        }
        keep(report, era)
    }

    /// Stores a report of a list that the system delivered, perhaps to the extension.
    ///
    /// The device's newest list stays, because only the app writes that. Until the app reads a newer one, the kinds delivered
    /// count as named by events, and the service's policy, which is based on this report, hides nothing.
    func report(_ widgets: [Widget]) {
        guard case .given(let era)? = consent() else { return }
        for kind in Set(widgets.map(\.kind)) { gallery.note(kind: kind, isRendering: true) }
        var event = event(.reported, on: .widget)
        event.widgets = widgets.counted
        keep(event, era)
    }

    func note(_ type: Event.Kind, _ widget: Widget, on surface: Surface = .widget) {
        guard case .given(let era)? = consent() else { return }
        gallery.note(kind: widget.kind, isRendering: type == .rendered)
        var event = event(type, on: surface)
        event.widget = widget
        keep(event, era)
    }

    private func event(_ type: Event.Kind, on surface: Surface) -> Event {
        Event(
            id: UUID().uuidString, type: type, at: now(), surface: surface == .widget ? nil : surface,
            source: application.isExtension ? "extension" : "app")
    }

    private func keep(_ event: Event, _ era: String?) {
        do {
            try queue.append(QueuedEvent(context: context(in: era), event: event, era: era))
        } catch {
            tell(.notStored)
        }
    }

    private func context(in era: String?) -> EventContext {
        let session = bootSession()
        installation.prepare(in: era, bootSession: session, now: now())
        return EventContext(
            app: .init(id: application.id, version: application.version, channel: channel),
            device: .init(
                platform: application.platform, osVersion: application.osVersion, osBuild: application.osBuild),
            installation: installation.current(in: era)?.context(bootSession: session),
            galleryPolicy: gallery.policy(now: now()).version)
    }
}
