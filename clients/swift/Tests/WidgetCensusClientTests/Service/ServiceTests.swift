import Foundation
import Testing

@testable import WidgetCensusClient

/// The client against the real service.
@Suite(
    .serialized, .enabled(if: ClientPackage.isOnLinux && PhoneTask.ofThisProcess == nil),
    .enabled(if: RunningService.program != nil, "set CENSUS_PROGRAM to the path of widget-census"))
struct `Service` {
    @Test
    func `gets each event once, whatever phones and network do, and is never told to hide what they hold`() async throws
    {
        let service = try await RunningService.start()
        do {
            let key = try await service.key()
            try await warnsOfNothing(service, key: key)
            try await forgetsWhoObjects(service, key: key)
            try await phonesAreKilled(service, key: key)
            try await nothingHeldIsHidden(service, key: key)
        } catch {
            await service.end()
            throw error
        }
        await service.end()
    }

    // MARK: - What the server thinks of a batch

    private func warnsOfNothing(_ service: RunningService, key: String) async throws {
        let phone = TestPhone()
        phone.world.withValue { $0.now = Date() }
        phone.world.withValue { $0.screen = .success([Widget("weather", family: "systemSmall", intent: "CityIntent")]) }
        // The first batch, as the wire had it.
        phone.server.mood = .cutBefore
        let census = phone.start(reporting: [
            PlacementList(surface: .control) { [Widget("light")] },
            PlacementList(surface: .liveActivity) { [Widget("ride"), Widget("ride")] },
        ])
        await census.recorder.report(from: BrokenScreen())
        for type in Event.Kind.allCases where type != .reported {
            // The order of what has one time is unknown.
            phone.world.withValue { $0.now += 0.001 }
            census.recorder.note(type, Widget("weather"))
        }
        phone.world.withValue { $0.now += 0.001 }
        census.recorder.note(.opened, Widget("light"), on: .control)
        await census.reportAndSend()
        var request = try #require(phone.server.state.withValue { $0.requests.first })
        request.path = "/v1/validate"
        let answer = try await URLSessionTransport(url: service.address, key: key).answer(to: request)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 202 && text.contains(#""accepted":10"#) && !text.contains("warnings"), "\(text)")
    }

    // MARK: - When the user objects

    private func forgetsWhoObjects(_ service: RunningService, key: String) async throws {
        func stored() async throws -> [String] {
            try await service.rows("select count(*), count(distinct device_id) from census.observation")
        }
        let wire = EveryOtherAnswer(wire: URLSessionTransport(url: service.address, key: key))
        for _ in 0..<3 {
            let phone = TestPhone()
            phone.world.withValue { ($0.now, $0.fraction) = (Date(), 0) }
            let census = phone.start(transport: wire)
            for _ in 0..<2 {
                for _ in 0..<5 { census.recorder.note(.opened, Widget("weather")) }
                await census.courier.deliver()
                #expect(try await stored() == ["5|1"])
                #expect(census.consents.object())
                await census.courier.deliver()
                #expect(try await stored() == ["0|0"])
                #expect(phone.disk.files(in: TestPhone.shared + "/forget").isEmpty)
                #expect(census.optIn())
            }
        }
        #expect(try await service.rows("select count(*) from census.forgotten") == ["6"])
    }

    // MARK: - Each event once

    private func phonesAreKilled(_ service: RunningService, key: String) async throws {
        let phones = try (0..<6).map { _ in try PhoneLaunch() }
        defer { phones.forEach { $0.remove() } }
        try await each(of: phones) { phone, number in try await live(phone, number, service, key: key) }
        // PostgreSQL dies, too, and the server answers 503 until it is back.
        async let killings: Void = killStore(
            of: service, until: { try phones.flatMap { try $0.all("answer") }.contains("503") })
        try await each(of: phones) { phone, number in try await settle(phone, number, service, key: key) }
        await killings
        let rows = try await service.rows(
            "select content->'widget'->>'intent' from census.observation where type <> 'widgets_reported'")
        let begun = try phones.flatMap { try $0.all("begins") }
        let kept = try phones.flatMap { try $0.all("kept") }
        let answers = try phones.flatMap { try $0.all("answer") }
        #expect(kept.count > 200)
        #expect(Set(rows).count == rows.count, "an event landed twice")
        #expect(Set(kept).subtracting(rows).sorted().prefix(5) == [], "lost")
        #expect(Set(rows).subtracting(begun).isEmpty, "never claimed")
        #expect(answers.contains("503"))
        #expect(try phones.flatMap { try $0.all("problem") }.allSatisfy { $0.hasPrefix("notSent") })
        let devices = try await service.rows(
            "select count(distinct (device_id, installation_id)) from census.observation")
        #expect(devices == ["\(phones.count)"])
        print("phones killed 24 times: \(kept.count) events kept, \(rows.count) landed, \(answers.count) answers")
    }

    /// Once is not enough on a crowded machine, where PostgreSQL can be back before a phone sends.
    private func killStore(of service: RunningService, until isEnough: @Sendable () throws -> Bool) async {
        for _ in 0..<30 {
            if (try? isEnough()) == true { return }
            try? service.killStore()
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func each(
        of phones: [PhoneLaunch], _ body: @escaping @Sendable (PhoneLaunch, UInt64) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            for (number, phone) in phones.enumerated() { group.addTask { try await body(phone, UInt64(number)) } }
            try await group.waitForAll()
        }
    }

    /// Four lives that end by a kill, each beside an extension.
    private func live(_ phone: PhoneLaunch, _ number: UInt64, _ service: RunningService, key: String) async throws {
        var random = Seeded(number)
        for life in 0..<4 {
            let task = PhoneTask(
                folder: phone.folder, name: "\(number)-\(life)", seed: random.next(), events: 100_000,
                address: service.address, key: key, failures: 40)
            let beside = PhoneTask(
                folder: phone.folder, isExtension: true, name: "\(number)-\(life)-extension", seed: random.next(),
                events: 10)
            let end = Duration.milliseconds(random.below(400))
            async let app: Void = phone.run(task, killAfter: end)
            async let appExtension: Void = phone.run(beside)
            _ = try await (app, appExtension)
        }
    }

    private func settle(_ phone: PhoneLaunch, _ number: UInt64, _ service: RunningService, key: String) async throws {
        try await phone.run(
            PhoneTask(
                folder: phone.folder, name: "\(number)-last", seed: 0, events: 1, address: service.address, key: key,
                failures: 20, haste: 10))
        #expect(phone.lines(of: "\(number)-last").last == "ended")
    }

    // MARK: - Nothing held is hidden

    private func nothingHeldIsHidden(_ service: RunningService, key: String) async throws {
        // Kinds can be marked once they were seen.
        let first = TestPhone()
        first.world.withValue { $0.screen = .success(galleryKinds.map { Widget($0) }) }
        first.world.withValue { $0.now = Date() }
        await first.start(transport: URLSessionTransport(url: service.address, key: key)).reportAndSend()
        try await Task.sleep(for: .seconds(1))
        for kind in galleryKinds.dropLast() {
            _ = try await service.run(["kinds", "mark", kind, "--legacy", "--app", "com.example.weather"])
        }
        // A node reads decisions once a second.
        try await Task.sleep(for: .seconds(1.2))
        let hidden = await withTaskGroup { group in
            for seed in 0..<8 {
                group.addTask {
                    let wire = URLSessionTransport(url: service.address, key: key)
                    var phone = GalleryPhone(seed: UInt64(seed), transport: wire)
                    var hidden = 0
                    for _ in 0..<12 { hidden += await phone.step() }
                    return hidden
                }
            }
            return await group.reduce(0, +)
        }
        #expect(hidden > 10, "nothing was hidden at all")
        print("8 phones: \(hidden) kinds hidden, none of them held")
    }
}

private final class EveryOtherAnswer: Transport {
    private let wire: URLSessionTransport
    private let count = Locked(0)

    init(wire: URLSessionTransport) { self.wire = wire }

    func answer(to request: Request) async throws(NoAnswer) -> Answer {
        let answer = try await wire.answer(to: request)
        let isLost = count.withValue { count in
            count += 1
            return !count.isMultiple(of: 2)
        }
        if isLost { throw FakeServer.cut }
        return answer
    }
}

private struct BrokenScreen: WidgetList {
    func read() async throws(ReadFailure) -> [Widget] { throw ReadFailure(domain: "CHSErrorDomain", code: 1101) }
}

/// The last one is not legacy.
private let galleryKinds = ["weather", "radar", "forecast"]

/// A phone whose widgets come and go, and whose gallery must not hide one that is there.
private struct GalleryPhone {
    private let phone = TestPhone()
    private var random: Seeded
    private var held: Set<String> = []
    private var census: WidgetCensus
    private let transport: any Transport
    private var version = 1

    init(seed: UInt64, transport: any Transport) {
        random = Seeded(seed)
        self.transport = transport
        phone.world.withValue { $0.now = Date() }
        census = phone.start(transport: transport)
    }

    /// - Returns: how many kinds it hid.
    mutating func step() async -> Int {
        phone.world.withValue { $0.now = max($0.now + 0.001, Date()) }
        let policy = census.knownPolicy
        // What the gallery offers is placed; what is placed is rendered, or seen in the next list.
        if random.chance(50),
            let kind = galleryKinds.filter({ !policy.hides($0) }).randomElement(using: &random)
        {
            held.insert(kind)
            phone.start(isExtension: true).recorder.note(.rendered, Widget(kind))
        } else if let kind = held.sorted().first, random.chance(30) {
            held.remove(kind)
        }
        check(census.knownPolicy)
        let screen = held.map { Widget($0, family: "systemSmall") }
        let fails = random.chance(15)
        phone.world.withValue {
            $0.screen = fails ? .failure(ReadFailure(domain: "CHSErrorDomain", code: 1101)) : .success(screen)
        }
        if random.chance(20) {
            version += 1
            let name = "\(version).0"
            phone.world.withValue { $0.version = name }
            census = phone.start(transport: transport)
        }
        if random.chance(50) { await census.reportAndSend() }
        return check(await census.policy())
    }

    @discardableResult
    private func check(_ policy: GalleryPolicy) -> Int {
        let hidden = galleryKinds.filter(policy.hides)
        #expect(hidden.filter(held.contains).isEmpty)
        return hidden.count
    }
}
