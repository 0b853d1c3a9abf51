import Foundation

@testable import WidgetCensusClient

/// A phone of the tests: a disk, a clock, a keychain, a home screen, and the app's processes on it.
final class TestPhone: Sendable {
    struct World {
        var now = Date(timeIntervalSince1970: 1_790_000_000)
        /// By how much the phone's clock is wrong.
        var offset: TimeInterval = 0
        var bootSession: String? = "boot-1"
        var version = "1.0"
        var keychain = KeychainAnswer.absent
        var screen: Result<[Widget], ReadFailure> = .success([])
        var documentsCreated: Date?
        var problems: [WidgetCensus.Problem] = []
        var fraction = 0.5
    }

    let disk = MemoryDisk()
    let world = Locked(World())
    let server: FakeServer
    static let shared = "/group"
    static let own = "/support/app"
    /// Where everything is without a group.
    static let withoutGroup = "/support"

    init() {
        let world = world
        server = FakeServer(now: { world.withValue { $0.now } })
        world.withValue { $0.documentsCreated = $0.now.addingTimeInterval(-5) }
    }

    var clock: Date { world.withValue { $0.now.addingTimeInterval($0.offset) } }

    func pass(_ seconds: TimeInterval) { world.withValue { $0.now += seconds } }

    /// Starts a process of the app, or of its extension.
    func start(
        files: (any Files)? = nil, isExtension: Bool = false, limits: QueueLimits = QueueLimits(),
        transport: (any Transport)? = nil, shared: String = TestPhone.shared,
        consent: ConsentRequirement = .notRequired,
        reporting others: [PlacementList] = []
    ) -> WidgetCensus {
        let world = world
        var surroundings = Courier.Surroundings()
        surroundings.now = { world.withValue { $0.now.addingTimeInterval($0.offset) } }
        surroundings.fraction = { world.withValue { $0.fraction } }
        surroundings.sleep = nil
        let application = Application(
            id: "com.example.weather", version: world.withValue { $0.version }, build: "1", platform: "ios",
            osVersion: "26.1", osBuild: "23B74", isExtension: isExtension, sharedFolder: shared,
            ownFolder: TestPhone.own)
        return WidgetCensus(
            Parts(
                application: application, channel: "production", consent: consent, files: files ?? ProcessFiles(disk),
                list: Screen(world: world), others: others.bySurface, transport: transport ?? server,
                keychain: WorldKeychain(world: world),
                bootSession: { world.withValue { $0.bootSession } },
                documentsCreated: { world.withValue { $0.documentsCreated } }, surroundings: surroundings,
                limits: limits, tell: { problem in world.withValue { $0.problems.append(problem) } }))
    }

    var problems: [WidgetCensus.Problem] { world.withValue { $0.problems } }
    var waiting: [String] { disk.files(in: TestPhone.shared + "/queue") }

    private struct Screen: WidgetList {
        let world: Locked<World>
        func read() async throws(ReadFailure) -> [Widget] { try world.withValue { $0.screen }.get() }
    }

    private struct WorldKeychain: Keychain {
        let world: Locked<World>
        func read() -> KeychainAnswer { world.withValue { $0.keychain } }
        func add(_ id: String) { world.withValue { if $0.keychain == .absent { $0.keychain = .found(id) } } }
        func remove() { world.withValue { if $0.keychain != .notNow { $0.keychain = .absent } } }
    }
}

extension WidgetCensus {
    /// Without the sending in the background that `report()` starts, so that histories are repeatable.
    func reportAndSend() async {
        await store()
        await send()
    }
}

extension QueuedEvent {
    /// An event of the tests.
    static func sample(
        _ type: Event.Kind = .opened, at date: Date = Date(timeIntervalSince1970: 1_790_000_000), tag: String = "tag",
        galleryPolicy: Int? = nil
    ) -> QueuedEvent {
        QueuedEvent(
            context: EventContext(
                app: .init(id: "com.example.weather", version: "1.0", channel: "production"),
                device: .init(platform: "ios", osVersion: "26.1", osBuild: nil),
                installation: .init(id: "A0C2", firstLaunchedAt: nil, rebooted: nil), galleryPolicy: galleryPolicy),
            event: Event(id: tag, type: type, at: date, widget: Widget("weather", family: "systemSmall", intent: tag)))
    }
}
