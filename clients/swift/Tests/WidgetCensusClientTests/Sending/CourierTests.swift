import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Delivery` {
    private let phone = TestPhone()

    private func note(_ count: Int, on census: WidgetCensus) {
        for number in 0..<count { census.recorder.note(.opened, Widget("weather", intent: "e\(number)")) }
    }

    @Test func `sends what waits, and nothing twice`() async {
        let census = phone.start()
        note(250, on: census)
        await census.courier.deliver()
        await census.courier.deliver()
        #expect(phone.server.landed.values.allSatisfy { $0.times == 1 } && phone.server.landed.count == 250)
        #expect(phone.server.state.withValue { $0.batches } == [100, 100, 50])
        #expect(phone.waiting.isEmpty)
    }

    @Test func `has one request at a time, however many ask`() async {
        let census = phone.start()
        note(20, on: census)
        phone.server.state.withValue { $0.thinks = .milliseconds(50) }
        await withTaskGroup { group in for _ in 0..<20 { group.addTask { await census.courier.deliver() } } }
        #expect(phone.server.state.withValue { $0.worst } == 1)
        #expect(phone.server.state.withValue { $0.batches } == [20])
    }

    @Test func `asks no sooner than told, restarts or not`() async {
        note(1, on: phone.start())
        phone.server.mood = .refuses(503, after: 300)
        for _ in 0..<400 {
            await phone.start().courier.deliver()
            phone.pass(10)
        }
        let asked = phone.server.state.withValue { $0.asked }
        #expect(asked.count > 2)
        for (first, second) in zip(asked, asked.dropFirst()) { #expect(second.timeIntervalSince(first) >= 300) }
    }

    @Test func `stamps each attempt, and changes nothing else`() async throws {
        let census = phone.start()
        note(1, on: census)
        phone.server.mood = .cutAfter
        await census.courier.deliver()
        phone.pass(3600)
        phone.server.mood = .open
        await census.courier.deliver()
        let batches = phone.server.state.withValue { $0.requests }.compactMap(WireBatch.init)
        #expect(batches.count == 2 && batches[0].events == batches[1].events)
        #expect(batches[1].sentAt.timeIntervalSince(batches[0].sentAt) == 3600)
    }

    @Test func `halves for a narrow server`() async {
        let census = phone.start()
        note(100, on: census)
        phone.server.mood = .narrow(7)
        await census.courier.deliver()
        #expect(phone.server.landed.count == 100)
        #expect(phone.server.state.withValue { $0.batches.max() } == 6)
    }

    @Test func `tells what was dropped and what was refused`() async {
        let census = phone.start()
        note(2, on: census)
        phone.server.mood = .refuses(422, after: nil)
        await census.courier.deliver()
        #expect(phone.problems == [.dropped(events: 2, status: 422, code: "", message: "")])
        #expect(phone.waiting.isEmpty)
    }

    @Test func `tells why each event of a batch was refused`() async {
        let census = phone.start()
        note(2, on: census)
        phone.server.mood = .says(
            422,
            #"{"code":"all_refused","message":"every event was rejected; see `rejected`","pointer":"/events","rejected":["#
                + #"{"index":0,"id":"e1","code":"too_old","message":"old"},"#
                + #"{"index":1,"id":"e2","code":"invalid_widget","message":"no kind"}]}"#)
        await census.courier.deliver()
        #expect(
            phone.problems == [
                .refused(event: "e1", code: "too_old", message: "old"),
                .refused(event: "e2", code: "invalid_widget", message: "no kind"),
            ])
        #expect(phone.waiting.isEmpty)
    }

    @Test func `tells what the server says`() async {
        let census = phone.start()
        note(1, on: census)
        for status in [403, 503] {
            phone.server.mood = .says(status, #"{"code":"wrong_app","message":"another app's","pointer":""}"#)
            await census.courier.deliver()
            phone.pass(3600)
        }
        #expect(
            phone.problems == [
                .keyNotAccepted(status: 403, code: "wrong_app", message: "another app's"),
                .notSent(status: 503, code: "wrong_app", message: "another app's"),
            ])
    }

    @Test func `ends with its task, without a pause, and leaves the rest to the next one`() async throws {
        let census = phone.start()
        note(1, on: census)
        phone.server.state.withValue { $0.thinks = .seconds(60) }
        let sending = Task { await census.send() }
        while phone.server.state.withValue({ $0.inFlight }) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        phone.server.state.withValue { $0.thinks = .zero }
        let start = ContinuousClock.now
        sending.cancel()
        // It is under way when the cancelled one ends.
        await census.send()
        await sending.value
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(phone.problems == [] && phone.server.landed.count == 1 && phone.waiting.isEmpty)
    }

    @Test(arguments: ["census.example.com", "ftp://census.example.com", "https:", "https:///v1", "", "localhost:8080"])
    func `says at once that the URL is invalid`(url: String) async throws {
        let census = phone.start(transport: URLSessionTransport(url: url, key: "key"))
        for _ in 0..<100 where phone.problems.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(phone.problems == [.invalidURL(url)])
        note(1, on: census)
        await census.courier.deliver()
        #expect(phone.waiting.count == 1)
    }

    @Test func `tells what the system says where nothing listens`() async throws {
        let census = phone.start(transport: URLSessionTransport(url: "http://127.0.0.1:9/", key: "key"))
        note(1, on: census)
        await census.courier.deliver()
        guard case .notSent(nil, let code, let message)? = phone.problems.first else {
            return #expect(Bool(false), "\(phone.problems)")
        }
        #expect(code == "NSURLErrorDomain -1004" && !message.isEmpty && phone.problems.count == 1)
    }

    @Test(arguments: [401, 403]) func `keeps what a wrong key can't send, and says so`(status: Int) async {
        let census = phone.start()
        note(2, on: census)
        phone.server.mood = .refuses(status, after: nil)
        await census.courier.deliver()
        #expect(phone.problems == [.keyNotAccepted(status: status, code: "", message: "")])
        #expect(phone.waiting.count == 2)
        phone.pass(3600)
        phone.server.mood = .open
        await census.courier.deliver()
        #expect(phone.server.landed.count == 2)
    }

    @Test(arguments: [nil, 200, 301, 404, 503]) func `says that nothing is sent yet`(status: Int?) async {
        let census = phone.start()
        note(2, on: census)
        phone.server.mood = status.map { .refuses($0, after: nil) } ?? .cutBefore
        await census.courier.deliver()
        let cut = status == nil ? FakeServer.cut : NoAnswer(code: "", message: "")
        #expect(phone.problems == [.notSent(status: status, code: cut.code, message: cut.message)])
    }

    @Test(arguments: [false, true])
    func `says that the target is not in the app group`(isExtension: Bool) async throws {
        _ = phone.start(isExtension: isExtension, shared: TestPhone.withoutGroup)
        for _ in 0..<100 where phone.problems.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(phone.problems == [.noAppGroup])
    }

    @Test func `tells how many were evicted, until a batch arrives`() async {
        let census = phone.start(limits: QueueLimits(files: 20, bytes: 1 << 20))
        note(100, on: census)
        phone.server.mood = .cutBefore
        await census.courier.deliver()
        let waiting = phone.disk.files(in: TestPhone.shared + "/queue").filter { $0.hasSuffix(".event") }.count
        phone.pass(3600)
        phone.server.mood = .open
        await census.courier.deliver()
        note(1, on: census)
        await census.courier.deliver()
        #expect(waiting <= 20)
        #expect(phone.server.state.withValue { $0.evicted } == 100 - waiting)
        #expect(phone.waiting.isEmpty)
    }

    @Test func `waits while there is no id, and while the device is locked`() async {
        let census = phone.start()
        note(1, on: census)
        phone.world.withValue { $0.keychain = .notNow }
        await census.courier.deliver()
        phone.world.withValue { $0.keychain = .absent }
        phone.disk.state.withValue { $0.isLocked = true }
        await census.courier.deliver()
        #expect(phone.server.state.withValue { $0.requests.isEmpty })
        #expect(phone.world.withValue { $0.keychain } == .absent)
        phone.disk.state.withValue { $0.isLocked = false }
        await census.courier.deliver()
        #expect(phone.server.landed.count == 1)
    }

    @Test func `gives an extension's first events the app's installation`() async throws {
        let appExtension = phone.start(isExtension: true)
        appExtension.rendered("weather")
        await appExtension.courier.deliver()
        #expect(phone.waiting.count == 1)
        let census = phone.start()
        census.recorder.note(.opened, Widget("weather"))
        appExtension.rendered("weather")
        await census.courier.deliver()
        let contexts = phone.server.landed.values.sorted { $0.event.at < $1.event.at }.map(\.context.installation)
        #expect(contexts.count == 3 && Set(contexts.map { $0?.id }).count == 1)
        #expect(contexts.filter { $0?.rebooted == nil }.count == 1)
    }

    @Test func `wakes up by itself when the pause is over`() async {
        var surroundings = Courier.Surroundings()
        surroundings.fraction = { 0.02 }
        let disk = MemoryDisk()
        let folder = Folder("/q", files: ProcessFiles(disk))
        let server = FakeServer()
        let installation = InstallationIdentity(own: folder, shared: folder, documentsCreated: { nil })
        installation.prepare(in: nil, bootSession: nil, now: Date())
        struct Key: Keychain {
            func read() -> KeychainAnswer { .found("6F1D") }
            func add(_ id: String) {}
            func remove() {}
        }
        let device = DeviceIdentity(keychain: Key(), folder: folder)
        let queue = EventQueue(folder: folder)
        let courier = Courier(
            queue: queue, installation: installation,
            consents: ConsentEnforcer(shared: folder, own: folder, device: device),
            destination: Destination(device: device, transport: server, toForget: DevicesToForget(folder: folder)),
            surroundings: surroundings, tell: { _ in })
        #expect((try? queue.append(.sample())) == true)
        server.mood = .cutBefore
        await courier.deliver()
        await courier.deliver()
        server.mood = .open
        for _ in 0..<100 where server.landed.isEmpty { try? await Task.sleep(for: .milliseconds(20)) }
        #expect(server.landed.count == 1)
    }
}
