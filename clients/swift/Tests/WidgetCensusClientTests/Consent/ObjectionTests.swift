import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Objection` {
    private let phone = TestPhone()

    private func note(_ tags: String..., on census: WidgetCensus) {
        for tag in tags { census.recorder.note(.opened, Widget("weather", intent: tag)) }
    }

    /// A phone that has sent something, with something that waits.
    private func counted() async -> WidgetCensus {
        let census = phone.start()
        note("sent", on: census)
        await census.reportAndSend()
        note("waits", on: census)
        phone.start(isExtension: true).rendered("weather")
        return census
    }

    private var tags: Set<String> { Set(phone.server.landed.values.compactMap(\.event.widget?.intent)) }
    private var device: String? {
        if case .found(let id) = phone.world.withValue({ $0.keychain }) { id } else { nil }
    }
    private var deletions: [Request] {
        phone.server.state.withValue { $0.requests.filter { $0.method == "DELETE" } }
    }
    /// What lies on the disk about the user's widgets.
    private var traces: [String] {
        phone.disk.state.withValue { state in
            state.files.filter { path, data in
                path.contains("/named/") || String(decoding: data, as: UTF8.self).contains(/weather|"id"/)
            }.keys.sorted()
        }
    }

    @Test func `deletes what waits, and has the service forget the device`() async throws {
        let census = await counted()
        let old = try #require(device)
        #expect(!traces.isEmpty && tags == ["sent"])
        #expect(census.consents.object())
        #expect(traces == [] && device == nil)
        await census.courier.deliver()
        #expect(deletions.map(\.headers) == [["Census-Device": old]])
        #expect(deletions.first?.path == "/v1/device" && deletions.first?.body == nil)
        #expect(phone.server.landed.isEmpty && phone.problems.isEmpty)
    }

    @Test func `is kept by all processes, those that run and those to come`() async {
        let app = await counted()
        let appExtension = phone.start(isExtension: true)
        #expect(app.consents.object())
        await app.courier.deliver()
        let requests = phone.server.state.withValue { $0.requests.count }
        for census in [app, appExtension, phone.start(), phone.start(isExtension: true)] {
            note("never", on: census)
            await census.reportAndSend()
            #expect(await census.policy() == .showsAll)
            #expect(traces == [] && device == nil)
        }
        #expect(phone.server.state.withValue { $0.requests.count } == requests)
        #expect(phone.problems.isEmpty)
    }

    @Test func `lasts until the user agrees again, and then another device begins`() async throws {
        let first = await counted()
        let old = try #require(device)
        let installation = phone.server.landed.values.first?.context.installation
        #expect(first.consents.object())
        await first.courier.deliver()
        #expect(first.optIn() && phone.start().optIn())
        phone.start(isExtension: true).rendered("weather")
        note("new", on: first)
        await first.reportAndSend()
        #expect(tags == ["new"] && device != old && device != nil)
        let landed = phone.server.landed.values
        #expect(landed.count == 3 && landed.allSatisfy { $0.device == device })
        let new = Set(landed.map(\.context.installation))
        #expect(new.allSatisfy { $0?.id != installation?.id && $0?.firstLaunchedAt == nil && $0?.rebooted == nil })
        #expect(Set(new.map { $0?.id }).count == 1)
        #expect(deletions.count == 1)
        // It is known to all processes.
        note("later", on: phone.start())
        await phone.start().courier.deliver()
        #expect(tags == ["new", "later"] && phone.server.landed.values.allSatisfy { $0.device == device })
    }

    @Test func `where nobody objected, to agree changes nothing`() async {
        let census = await counted()
        let old = device
        #expect(census.optIn())
        await census.courier.deliver()
        #expect(tags == ["sent", "waits"] && device == old && deletions.isEmpty)
    }

    /// 204 comes from some Wi-Fi, too, and does not name the device.
    @Test(arguments: [nil, 200, 202, 204, 301, 400, 401, 403, 404, 405, 429, 500, 503])
    func `is told again until the service has answered, over restarts`(status: Int?) async {
        let census = await counted()
        #expect(census.consents.object())
        phone.server.mood = status.map { .refuses($0, after: nil) } ?? .cutBefore
        for _ in 0..<20 {
            await phone.start().courier.deliver()
            phone.pass(60)
        }
        #expect((3..<20).contains(deletions.count))
        let isKey = status == 401 || status == 403
        let cut = status == nil ? FakeServer.cut : NoAnswer(code: "", message: "")
        let problem = WidgetCensus.Problem.notSent(status: status, code: cut.code, message: cut.message)
        #expect(
            phone.problems.first == (isKey ? .keyNotAccepted(status: status ?? 0, code: "", message: "") : problem))
        phone.server.mood = .open
        phone.pass(3600)
        let before = deletions.count
        for _ in 0..<3 { await phone.start().courier.deliver() }
        #expect(deletions.count == before + 1 && Set(deletions.map(\.headers)).count == 1)
    }

    @Test func `in an extension is carried out by the app`() async throws {
        _ = await counted()
        let old = try #require(device)
        let appExtension = phone.start(isExtension: true)
        #expect(appExtension.optOut() && !appExtension.optIn())
        // It can't reach the app's own container.
        #expect(traces == [TestPhone.own + "/state/installation.json"] && device == old)
        // What an extension was keeping at that moment.
        let late = EventQueue(folder: Folder(TestPhone.shared, files: ProcessFiles(phone.disk)))
        try late.append(.sample(tag: "late"))
        await phone.start().courier.deliver()
        #expect(traces == [] && deletions.map(\.headers) == [["Census-Device": old]])
        #expect(phone.start().optIn())
        // Later still.
        try late.append(.sample(tag: "later"))
        let census = phone.start()
        note("new", on: census)
        await census.courier.deliver()
        #expect(tags == ["new"] && phone.waiting.isEmpty)
    }

    @Test func `forgets each device of a phone that was offline for long`() async {
        var devices: Set<String?> = []
        phone.server.mood = .cutBefore
        for _ in 0..<3 {
            let census = phone.start()
            note("tag", on: census)
            phone.pass(3600)
            await census.courier.deliver()
            devices.insert(device)
            #expect(census.consents.object() && census.optIn())
        }
        phone.server.mood = .open
        phone.pass(3600)
        await phone.start().courier.deliver()
        #expect(Set(deletions.map { $0.headers["Census-Device"] }).isSuperset(of: devices) && devices.count == 3)
        #expect(phone.server.state.withValue { $0.forgotten } == Set(devices.compactMap(\.self)))
    }

    @Test func `that no proxy lets through does not hold up what comes after it`() async {
        let census = await counted()
        #expect(census.consents.object() && census.optIn())
        note("new", on: census)
        let wire = NoDeletion(server: phone.server)
        for _ in 0..<3 {
            await phone.start(transport: wire).courier.deliver()
            phone.pass(3600)
        }
        #expect(tags.contains("new"))
    }

    private struct NoDeletion: Transport {
        let server: FakeServer
        func answer(to request: Request) async throws(NoAnswer) -> Answer {
            request.method == "DELETE" ? Answer(status: 405) : try await server.answer(to: request)
        }
    }

    @Test func `while a list or an answer is under way keeps neither`() async {
        let census = await counted()
        struct SlowScreen: WidgetList {
            let census: WidgetCensus
            func read() async throws(ReadFailure) -> [Widget] {
                #expect(census.consents.object())
                return [Widget("weather")]
            }
        }
        await census.recorder.report(from: SlowScreen(census: census))
        #expect(traces == [])
        #expect(census.optIn())
        await census.reportAndSend()
        struct SlowServer: Transport {
            let census: WidgetCensus
            func answer(to request: Request) async -> Answer {
                if request.method == "GET" { #expect(census.consents.object()) }
                return Answer(status: 200, body: Data(#"{"version":1,"kinds":{"weather":"hide"}}"#.utf8))
            }
        }
        let asking = phone.start(transport: SlowServer(census: census))
        await asking.courier.deliver(thenAsk: asking.gallery)
        #expect(!phone.disk.files(in: TestPhone.shared + "/state").contains { $0.hasSuffix("gallery.json") })
    }

    @Test func `is not kept, and nothing is deleted, while the device is locked`() async {
        let census = await counted()
        let (before, old) = (traces, device)
        phone.disk.state.withValue { $0.isLocked = true }
        #expect(!census.consents.object() && !census.optIn())
        phone.disk.state.withValue { $0.isLocked = false }
        #expect(traces == before && device == old)
        #expect(census.consents.object() && traces == [])
    }

    @Test func `stands while the keychain can't look`() async {
        let census = await counted()
        let old = phone.world.withValue { $0.keychain }
        phone.world.withValue { $0.keychain = .notNow }
        #expect(census.consents.object() && !census.optIn())
        await census.courier.deliver()
        note("never", on: census)
        #expect(traces == [] && deletions.isEmpty)
        phone.world.withValue { $0.keychain = old }
        await census.courier.deliver()
        #expect(deletions.count == 1 && census.optIn())
    }

    @Test func `says so if the disk is full, and deletes what waits`() async {
        let census = await counted()
        phone.disk.state.withValue { $0.isFull = true }
        #expect(!census.consents.object())
        #expect(traces == [])
        phone.disk.state.withValue { $0.isFull = false }
        #expect(census.consents.object())
    }

    @Test func `that can't be read stops everything, and deletes nothing`() async {
        let census = await counted()
        let (before, requests) = (traces, phone.server.state.withValue { $0.requests.count })
        phone.disk.state.withValue { $0.files[TestPhone.shared + "/state/consent.json"] = Data("{}".utf8) }
        note("never", on: census)
        await census.reportAndSend()
        #expect(await census.policy() == .showsAll)
        #expect(traces == before && phone.problems.contains(.notStored))
        #expect(phone.server.state.withValue { $0.requests.count } == requests)
        // The next word of the user replaces it.
        #expect(census.optIn())
        note("new", on: census)
        await census.courier.deliver()
        #expect(tags == ["new"] && deletions.count == 1)
    }
}
