import Foundation

/// Notes what happens, with the circumstances in which it happened, and puts it into the queue.
struct Recorder: Sendable {
    private let application: Application
    private let channel: String
    private let queue: EventQueue
    private let gallery: GalleryKeeper
    private let installation: InstallationKeeper
    private let bootSession: @Sendable () -> String?
    private let now: @Sendable () -> Date
    private let tell: @Sendable (WidgetCensus.Problem) -> Void

    init(_ parts: Parts, queue: EventQueue, gallery: GalleryKeeper, installation: InstallationKeeper) {
        application = parts.application
        channel = parts.channel
        self.queue = queue
        self.gallery = gallery
        self.installation = installation
        bootSession = parts.bootSession
        now = parts.surroundings.now
        tell = parts.tell
    }

    /// Reads the list and keeps its report, or that it could not be read.
    func report(from list: any WidgetList) async {
        let named = gallery.namedSoFar()
        keep(await read(list), named: named)
    }

    /// Reads the list, and keeps its report only if it says something else than the newest.
    func reportNews(from list: any WidgetList) async {
        let named = gallery.namedSoFar()
        let report = await read(list)
        guard !gallery.knows(report.widgets?.map(\.kind), named: named) else { return }
        keep(report, named: named)
    }

    private func read(_ list: any WidgetList) async -> Event {
        var event = Event(id: UUID().uuidString, type: .reported, at: now(), source: source)
        do {
            event.widgets = try await list.read().counted
        } catch {
            event.error = error
        }
        event.at = now()
        return event
    }

    private func keep(_ report: Event, named: [String]) {
        gallery.keep(report: report.id, kinds: report.widgets?.map(\.kind), named: named)
        keep(report)
    }

    func note(_ type: Event.Kind, _ widget: Widget) {
        gallery.note(kind: widget.kind, isRendering: type == .rendered)
        keep(Event(id: UUID().uuidString, type: type, at: now(), source: source, widget: widget))
    }

    private var source: String { application.isExtension ? "extension" : "app" }

    private func keep(_ event: Event) {
        do {
            try queue.append(QueuedEvent(context: context(), event: event))
        } catch {
            tell(.notKept)
        }
    }

    private func context() -> EventContext {
        let session = bootSession()
        installation.prepare(bootSession: session, now: now())
        return EventContext(
            app: .init(id: application.id, version: application.version, channel: channel),
            device: .init(
                platform: application.platform, osVersion: application.osVersion, osBuild: application.osBuild),
            installation: installation.current?.context(bootSession: session),
            galleryPolicy: gallery.policy(now: now()).version)
    }
}
