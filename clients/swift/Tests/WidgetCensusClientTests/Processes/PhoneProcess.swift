import Foundation
import Testing

@testable import WidgetCensusClient

/// What a process of a phone is to do. The test process starts itself again to be one, since only a process of its own can be
/// killed as the system kills apps.
struct PhoneTask: Codable, Sendable {
    var folder: String
    var isExtension = false
    /// Begins each tag.
    var name: String
    var seed: UInt64
    /// How many events it notes; then it sends until nothing waits, and ends.
    var events: Int
    /// Nil: it sends to nobody.
    var address: String?
    var key = ""
    /// How many of a hundred requests fail on the way.
    var failures = 0
    /// How fast its clock runs, so that a Retry-After passes sooner.
    var haste = 1.0

    static let variable = "WIDGET_CENSUS_CLIENT_TEST_PHONE"

    static var ofThisProcess: PhoneTask? {
        guard let text = ProcessInfo.processInfo.environment[variable] else { return nil }
        return try? JSONDecoder().decode(PhoneTask.self, from: Data(text.utf8))
    }
}

@Suite(.enabled(if: PhoneTask.ofThisProcess != nil)) struct `Phone process` {
    @Test func `lives as it is told to`() async throws {
        let task = try #require(PhoneTask.ofThisProcess)
        let journal = try Journal(task.folder + "/journal-\(task.name)")
        let census = WidgetCensus(task.parts(journal))
        var random = Seeded(task.seed)
        journal.write("started")
        for number in 0..<task.events {
            let tag = "\(task.name)-\(number)"
            journal.write("begins \(tag)")
            census.recorder.note(
                random.pick([.opened, .rendered, .configured]), Widget("weather", family: "systemSmall", intent: tag))
            journal.write("kept \(tag)")
            if !task.isExtension, task.address != nil, random.chance(20) { await census.courier.deliver() }
        }
        while !task.isExtension, task.address != nil, try census.waits {
            await census.courier.deliver()
            try await Task.sleep(for: .milliseconds(20))
        }
        journal.write("ended")
    }
}

extension PhoneTask {
    fileprivate func parts(_ journal: Journal) -> Parts {
        var surroundings = Courier.Surroundings()
        // Without pauses but those that the server asks for.
        surroundings.fraction = { 0 }
        let start = Date()
        surroundings.now = { [haste] in start.addingTimeInterval(Date().timeIntervalSince(start) * haste) }
        let transport = address.map { URLSessionTransport(url: $0, key: key) }
        return Parts(
            application: Application(
                id: "com.example.weather", version: "1.0", build: "1", platform: "ios", osVersion: "26.1",
                osBuild: "23B74", isExtension: isExtension, sharedFolder: folder + "/group",
                ownFolder: folder + "/app"),
            channel: "production", list: EmptyScreen(),
            transport: BadNetwork(wire: transport, failures: failures, seed: seed, journal: journal),
            keychain: FileKeychain(path: folder + "/keychain"), documentsCreated: { Date() },
            surroundings: surroundings, tell: { journal.write("problem \($0)") })
    }
}

extension WidgetCensus {
    fileprivate var waits: Bool {
        get throws { try !EventQueue(folder: gallery.folder).names().isEmpty }
    }
}

/// What a process did, written so that it survives its kill.
final class Journal: Sendable {
    private let file: Int32

    init(_ path: String) throws {
        file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw FileFailure(errno: errno) }
    }

    deinit { close(file) }

    func write(_ line: String) {
        append(Array((line + "\n").utf8), to: file)
    }
}

private func append(_ bytes: [UInt8], to file: Int32) { _ = write(file, bytes, bytes.count) }

private struct EmptyScreen: WidgetList {
    func read() async throws(ReadFailure) -> [Widget] { [] }
}

struct FileKeychain: Keychain {
    let path: String

    func read() -> KeychainAnswer {
        guard let data = try? SystemFiles().contents(of: path) else { return .absent }
        return .found(String(decoding: data, as: UTF8.self))
    }

    /// Like a keychain's, it is there whole or not at all.
    func add(_ id: String) {
        let draft = path + "-" + UUID().uuidString
        guard (try? SystemFiles().create(draft, holding: Data(id.utf8))) != nil else { return }
        _ = link(draft, path)
        unlink(draft)
    }

    func remove() { unlink(path) }
}

/// Loses requests and answers, and puts 503 in the place of others.
private final class BadNetwork: Transport {
    private let wire: URLSessionTransport?
    private let failures: Int
    private let random: Locked<Seeded>
    private let journal: Journal

    init(wire: URLSessionTransport?, failures: Int, seed: UInt64, journal: Journal) {
        self.wire = wire
        self.failures = failures
        random = Locked(Seeded(~seed))
        self.journal = journal
    }

    func answer(to request: Request) async throws(NoAnswer) -> Answer {
        let (fails, way) = random.withValue { ($0.chance(failures), $0.below(3)) }
        if fails, way == 0 { throw FakeServer.cut }
        if fails, way == 1 { return Answer(status: 503) }
        let answer = try? await wire?.answer(to: request)
        journal.write("answer \(answer?.status ?? 0)")
        guard !fails, let answer else { throw FakeServer.cut }
        return answer
    }
}
