import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Gallery` {
    private let phone = TestPhone()

    /// A server that hides all kinds that its newest list lacks.
    private func open(_ hidden: [String], report: String?, until: TimeInterval = 86400, status: Int = 200) {
        let kinds =
            hidden.map { "\"\($0)\":\"hide\"" } + ["\"shown\":\"show\"", "\"general\":\"hide_unless_installed\""]
        let base = report.map { #","report":{"id":"\#($0)","at":"2026-09-21T14:13:20Z"}"# } ?? ""
        let validUntil = WireTime.text(of: phone.world.withValue { $0.now } + until)
        let body = #"{"version":3,"kinds":{\#(kinds.joined(separator: ","))}\#(base),"valid_until":"\#(validUntil)"}"#
        phone.server.state.withValue { state in
            state.policy = Answer(status: status, headers: ["etag": "\"x\""], body: Data(body.utf8))
        }
    }

    private func newestReport() -> String? {
        phone.server.landed.values.filter { $0.event.type == .reported }.max { $0.event.at < $1.event.at }?.event.id
    }

    /// Reports a screen, and has the server hide `old_kind` on that ground.
    private func hidden(on census: WidgetCensus) async -> GalleryPolicy {
        phone.pass(1)
        await census.reportAndSend()
        open(["old_kind"], report: newestReport())
        return await census.policy()
    }

    @Test func `hides what the server and the device's own list allow`() async {
        let census = phone.start()
        let policy = await hidden(on: census)
        #expect(policy.hides("old_kind") && policy.version == 3)
        #expect(!policy.hides("shown") && !policy.hides("general") && !policy.hides("never heard of"))
        #expect(phone.start(isExtension: true).knownPolicy == policy)
    }

    @Test func `tells the version that is applied with each event`() async {
        let census = phone.start()
        #expect(await hidden(on: census).hides("old_kind"))
        census.recorder.note(.opened, Widget("other"))
        await census.courier.deliver()
        #expect(phone.server.landed.values.contains { $0.event.type == .opened && $0.context.galleryPolicy == 3 })
    }

    @Test func `shows all before the first answer`() async {
        let census = phone.start()
        #expect(census.knownPolicy == .showsAll)
        #expect(await census.policy() == .showsAll)
    }

    @Test func `shows what the device's own list holds, whatever the server says`() async {
        phone.world.withValue { $0.screen = .success([Widget("old_kind")]) }
        #expect(await !hidden(on: phone.start()).hides("old_kind"))
    }

    @Test func `shows all if the answer rests on another list`() async {
        let census = phone.start()
        await census.reportAndSend()
        open(["old_kind"], report: "another")
        #expect(await census.policy() == .showsAll)
        open(["old_kind"], report: nil)
        #expect(await census.policy() == .showsAll)
    }

    @Test func `shows all after a list that could not be read`() async {
        let census = phone.start()
        #expect(await hidden(on: census).hides("old_kind"))
        phone.world.withValue { $0.screen = .failure(ReadFailure(domain: "CHSErrorDomain", code: 1101)) }
        await census.reportAndSend()
        #expect(census.knownPolicy == .showsAll)
        #expect(await census.policy() == .showsAll)
        #expect(phone.server.landed.values.contains { $0.event.error?.code == 1101 && $0.event.widgets == nil })
    }

    /// The service knows a newer list than the app has read.
    @Test func `shows all after a list that the system delivered, until the app reads one`() async {
        let census = phone.start()
        #expect(await hidden(on: census).hides("old_kind"))
        phone.pass(1)
        phone.start(isExtension: true).report([Widget("old_kind")])
        #expect(!census.knownPolicy.hides("old_kind"))
        await census.send()
        open(["old_kind"], report: newestReport())
        phone.pass(3600)
        await census.courier.deliver(thenAsk: census.gallery)
        #expect(census.knownPolicy == .showsAll)
        #expect(await hidden(on: census).hides("old_kind"))
    }

    @Test func `hides a kind in spite of later lists of other surfaces`() async {
        let controls = PlacementList(surface: .control) { [Widget("old_kind")] }
        let census = phone.start(reporting: [controls])
        phone.pass(1)
        await census.reportAndSend()
        let widgets = phone.server.landed.values.first { $0.event.surface == nil }?.event.id
        open(["old_kind"], report: widgets)
        #expect(await census.policy().hides("old_kind"))
    }

    @Test(arguments: [Event.Kind.installed, .removed, .configured, .opened, .rendered])
    func `shows a kind that an event named since the list`(type: Event.Kind) async {
        let census = phone.start()
        #expect(await hidden(on: census).hides("old_kind"))
        phone.start(isExtension: true).recorder.note(type, Widget("old_kind"))
        #expect(!census.knownPolicy.hides("old_kind"))
        // The next list says it better.
        phone.pass(1)
        await census.reportAndSend()
        open(["old_kind"], report: newestReport())
        #expect(await census.policy().hides("old_kind"))
    }

    /// The list was asked for before the widget was there.
    @Test func `shows a kind that an event named while the list was read`() async {
        let census = phone.start()
        #expect(await hidden(on: census).hides("old_kind"))
        struct SlowScreen: WidgetList {
            let appExtension: WidgetCensus
            func read() async throws(ReadFailure) -> [Widget] {
                appExtension.rendered("old_kind")
                return []
            }
        }
        phone.pass(1)
        await census.recorder.report(from: SlowScreen(appExtension: phone.start(isExtension: true)))
        await census.courier.deliver()
        open(["old_kind"], report: newestReport())
        await census.courier.deliver(thenAsk: census.gallery)
        #expect(!census.knownPolicy.hides("old_kind"))
    }

    @Test func `shows all when app, build or system changed, until it has asked again`() async {
        #expect(await hidden(on: phone.start()).hides("old_kind"))
        phone.world.withValue { $0.version = "2.0" }
        let updated = phone.start()
        #expect(updated.knownPolicy == .showsAll)
        #expect(await hidden(on: updated).hides("old_kind"))
    }

    @Test(arguments: [0, -1, 86401, 1e9, -1e9])
    func `shows all once the answer has expired, and while the clock says that it lies ahead`(jump: TimeInterval) async
    {
        let census = phone.start()
        #expect(await hidden(on: census).hides("old_kind"))
        phone.world.withValue { $0.offset = jump }
        #expect(census.knownPolicy.hides("old_kind") == (jump == 0))
    }

    @Test(arguments: [nil, 304, 401, 404, 429, 500, 503])
    func `shows all if the server is asked in vain`(status: Int?) async {
        let census = phone.start()
        #expect(await hidden(on: census).hides("old_kind"))
        phone.pass(3600)
        phone.server.state.withValue { $0.policy = status.map { Answer(status: $0) } }
        // 304 confirms what is known.
        #expect(await census.policy().hides("old_kind") == (status == 304))
        #expect(census.knownPolicy.hides("old_kind") == (status == 304))
    }

    @Test(arguments: ["", "{}", #"{"version":3}"#, #"{"version":3,"kinds":{"old_kind":1}}"#, "<html>"])
    func `shows all if the answer is none`(body: String) async {
        let census = phone.start()
        #expect(await hidden(on: census).hides("old_kind"))
        phone.pass(3600)
        phone.server.state.withValue { $0.policy = Answer(status: 200, body: Data(body.utf8)) }
        #expect(await census.policy() == .showsAll)
    }

    @Test func `asks once an hour, and names what it knows`() async {
        let census = phone.start()
        for _ in 0..<5 { _ = await hidden(on: census) }
        func questions() -> [Request] { phone.server.state.withValue { $0.requests.filter { $0.method == "GET" } } }
        let before = questions().count
        for _ in 0..<5 { _ = await census.policy() }
        #expect(questions().count == before)
        phone.pass(3600)
        _ = await census.policy()
        #expect(questions().count == before + 1)
        #expect(questions().last?.headers["If-None-Match"] == "\"x\"")
        #expect(questions().last?.headers["Census-Device"] != nil)
    }

    @Test func `shows all when a newer list could not be kept`() async {
        let census = phone.start()
        #expect(await hidden(on: census).hides("old_kind"))
        phone.world.withValue { $0.screen = .success([Widget("old_kind")]) }
        phone.disk.state.withValue { $0.isFull = true }
        await census.reportAndSend()
        #expect(census.knownPolicy == .showsAll)
        #expect(phone.problems == [.notStored])
    }

    @Test func `shows all where more was named than can be kept`() async {
        let census = phone.start()
        #expect(await hidden(on: census).hides("old_kind"))
        for number in 0..<600 { census.gallery.note(kind: "k\(number)", isRendering: false) }
        #expect(census.knownPolicy == .showsAll || !census.knownPolicy.hides("old_kind"))
        #expect(phone.disk.files(in: TestPhone.shared + "/named").count == 512)
    }
}
