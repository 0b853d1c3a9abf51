import Foundation
import Testing

@testable import WidgetCensusClient

/// Phones with random lives: processes killed at any write, full and locked disks, servers that fail, clocks that jump, restarts,
/// updates.
@Suite struct `Histories` {
    @Test(arguments: Seeds.of(0..<100)) func `what was kept arrives once, as it happened`(seed: UInt64) async {
        var history = History(seed: seed)
        for _ in 0..<60 { await history.step() }
        await history.settle()
        let landed = history.phone.server.landed
        let tags = landed.values.compactMap(\.event.widget?.intent)
        #expect(Set(tags).count == tags.count, "an event has two ids")
        #expect(history.kept.subtracting(tags).sorted().prefix(5) == [], "lost")
        #expect(Set(tags).subtracting(history.noted.keys).isEmpty)
        #expect(history.phone.server.state.withValue { $0.conflicts }.isEmpty)
        #expect(history.phone.waiting.count == 0)
        // A kill leaves drafts, and never a damaged file among the others.
        #expect(history.phone.disk.files(in: TestPhone.shared + "/aside").isEmpty)
        for event in landed.values {
            guard let noted = event.event.widget?.intent.flatMap({ history.noted[$0] }) else { continue }
            #expect(event.context.app.version == noted.version)
            if let rebooted = event.context.installation?.rebooted { #expect(rebooted == noted.rebooted) }
        }
        // One phone stays one device and one installation.
        #expect(Set(landed.values.map { $0.context.installation?.id }).count <= 1)
    }

    @Test(arguments: Seeds.of(0..<50)) func `a small queue loses only what it tells of`(seed: UInt64) async {
        var history = History(seed: seed, limits: QueueLimits(files: 12, bytes: 1 << 20), isKilled: false)
        for _ in 0..<60 {
            await history.step()
            #expect(history.phone.waiting.filter { $0.hasSuffix(".event") }.count <= 12)
        }
        await history.settle()
        let lost = history.kept.subtracting(history.phone.server.landed.values.compactMap(\.event.widget?.intent))
        let told = history.phone.server.state.withValue { $0.evicted }
        // A batch whose answer was lost tells it again.
        #expect(history.answersLost > 0 ? told >= lost.count : told == lost.count)
    }

    @Test(arguments: Seeds.of(0..<150))
    func `what the user objects to is forgotten, and what they agree to arrives once`(seed: UInt64) async {
        var history = History(seed: seed, decides: true)
        for _ in 0..<60 { await history.step() }
        await history.settle()
        let server = history.phone.server.state.withValue { $0 }
        let tags = server.landed.values.compactMap(\.event.widget?.intent)
        #expect(Set(tags).count == tags.count, "an event has two ids")
        #expect(history.kept.subtracting(tags).sorted().prefix(5) == [], "lost")
        #expect(history.objected.intersection(tags).sorted().prefix(5) == [], "came back")
        #expect(server.conflicts.isEmpty)
        #expect(server.senders.values.allSatisfy { $0.count == 1 }, "an event or an installation joins two devices")
        let devices = server.senders.values.reduce(into: Set()) { $0.formUnion($1) }
        #expect(devices.subtracting(server.forgotten) == Set(server.landed.values.map(\.device)))
        #expect(devices.subtracting(server.forgotten).count <= 1 && history.phone.waiting.isEmpty)
    }
}

/// One phone's life.
private struct History {
    struct Noted { var version: String, rebooted: Bool }

    let phone = TestPhone()
    /// By tag: what was said, kept or not.
    var noted: [String: Noted] = [:]
    /// What the client took: it said no word, and its process lived on.
    var kept: Set<String> = []
    /// What was said before the user objected, or while they did.
    var objected: Set<String> = []
    var answersLost = 0
    private var random: Seeded
    private let limits: QueueLimits
    private let isKilled: Bool
    private var app: (files: ProcessFiles, census: WidgetCensus)?
    private var appExtension: (files: ProcessFiles, census: WidgetCensus)?
    private var boots = 1
    private var version = 1
    private let decides: Bool
    private var agrees = true
    /// Whether the client has taken the user's last decision. Until then it is told again, and may keep or not.
    private var isDecided = true

    init(seed: UInt64, limits: QueueLimits = QueueLimits(), isKilled: Bool = true, decides: Bool = false) {
        random = Seeded(seed)
        self.limits = limits
        self.isKilled = isKilled
        self.decides = decides
    }

    mutating func step() async {
        switch random.below(decides ? 14 : 12) {
        case 0..<6: note()
        case 6: await process(isExtension: false).census.courier.deliver()
        case 7: phone.pass(Double(random.below(4000)))
        case 8: changeDoor()
        case 9: changeDisk()
        case 10: endProcess()
        case 12, 13:
            if isDecided { agrees.toggle() }
            decide(in: process(isExtension: !agrees && random.chance(30)))
        default: changePhone()
        }
        if !isDecided, random.chance(50) { decide(in: process(isExtension: false)) }
    }

    private mutating func decide(in process: (files: ProcessFiles, census: WidgetCensus)) {
        let isTaken = agrees ? process.census.consents.agree() : process.census.consents.object()
        isDecided = isTaken && !process.files.isDead
        if isDecided, !agrees { objected = Set(noted.keys) }
        if !agrees { kept = [] }
    }

    /// Everything is well again, for long enough.
    mutating func settle() async {
        phone.disk.state.withValue { ($0.isFull, $0.isLocked) = (false, false) }
        phone.server.mood = .open
        phone.world.withValue { $0.offset = 0 }
        app = nil
        // The app opens once, which gives the extension's first events their installation.
        let process = start(isExtension: false, mayEnd: false)
        let census = process.census
        if decides {
            for agreement in [agrees, true] {
                agrees = agreement
                decide(in: process)
            }
            await census.courier.deliver()
            #expect(isDecided)
        }
        let problems = phone.problems.count
        noted["last"] = Noted(version: "\(version).0", rebooted: boots > 1)
        census.recorder.note(.opened, Widget("weather", intent: "last"))
        if phone.problems.count == problems { kept.insert("last") }
        for _ in 0..<20 where !(phone.waiting + phone.disk.files(in: TestPhone.shared + "/forget")).isEmpty {
            await census.courier.deliver()
            phone.pass(86400)
        }
    }

    private mutating func note() {
        for _ in 0...random.below(8) {
            let process = process(isExtension: random.chance(40))
            let tag = "e\(noted.count)"
            noted[tag] = Noted(version: "\(version).0", rebooted: boots > 1)
            let problems = phone.problems.count
            process.census.recorder.note(
                random.pick([.opened, .rendered, .configured, .installed]), Widget("weather", intent: tag))
            if !agrees, isDecided { objected.insert(tag) }
            if phone.problems.count == problems, !process.files.isDead, agrees, isDecided { kept.insert(tag) }
        }
    }

    private mutating func process(isExtension: Bool) -> (files: ProcessFiles, census: WidgetCensus) {
        if let running = isExtension ? appExtension : app, !running.files.isDead { return running }
        let process = start(isExtension: isExtension, mayEnd: isKilled)
        if isExtension { appExtension = process } else { app = process }
        return process
    }

    private mutating func start(isExtension: Bool, mayEnd: Bool) -> (files: ProcessFiles, census: WidgetCensus) {
        let files = ProcessFiles(phone.disk, seed: random.next())
        if mayEnd, random.chance(70) { files.kill(afterSteps: random.below(120)) }
        return (files, phone.start(files: files, isExtension: isExtension, limits: limits))
    }

    private mutating func endProcess() {
        if random.chance(50) { app = nil } else { appExtension = nil }
    }

    private mutating func changeDoor() {
        phone.server.mood = random.pick([
            .open, .open, .cutBefore, .cutAfter, .refuses(503, after: random.below(1000)), .refuses(429, after: 5),
            .refuses(500, after: nil), .refuses(401, after: nil), .refuses(200, after: nil),
            .narrow(1 + random.below(10)),
        ])
        if phone.server.mood == .cutAfter { answersLost += 1 }
    }

    private mutating func changeDisk() {
        let isFull = random.chance(30)
        let isLocked = random.chance(20)
        phone.disk.state.withValue { ($0.isFull, $0.isLocked) = (isFull, isLocked) }
    }

    private mutating func changePhone() {
        let hour = 3600.0
        let offset = random.pick([0, -2 * hour, 24 * hour, 4 * 365 * 24 * hour])
        phone.world.withValue { $0.offset = offset }
        guard random.chance(50) else { return }
        // A restart or an update ends all processes.
        (app, appExtension) = (nil, nil)
        if random.chance(50) {
            boots += 1
            // No device starts in less.
            phone.pass(60)
            let session = "boot-\(boots)"
            phone.world.withValue { $0.bootSession = session }
        } else {
            version += 1
            let name = "\(version).0"
            phone.world.withValue { $0.version = name }
        }
    }
}
