import Foundation
import Testing

@testable import WidgetCensusClient

/// Random lives of a phone with a server that hides whatever its newest list lacks.
@Suite struct `Gallery histories` {
    @Test func `never hide what the device's own list or an event since names`() async {
        var hidden = 0
        let seeds = Seeds.of(0..<150)
        for seed in seeds {
            var history = GalleryHistory(seed: seed)
            for _ in 0..<60 { hidden += await history.step() }
        }
        // It would be easy to never hide anything.
        #expect(hidden > seeds.count)
    }
}

private struct GalleryHistory {
    private static let kinds = ["weather", "radar", "old_kind"]

    private let phone = TestPhone()
    private var random: Seeded
    private var version = 1
    private var app: (files: ProcessFiles, census: WidgetCensus)
    private var screen: Set<String> = []
    /// What the device knows it holds: its newest list, and what events named since. After a kill, what it knows in any case.
    private var known: Set<String> = []
    /// The ids of all reports that were kept or sent.
    private var reports: Set<String> = []

    init(seed: UInt64) {
        random = Seeded(seed)
        app = (ProcessFiles(phone.disk), phone.start())
        restart()
    }

    /// - Returns: how many kinds were hidden.
    mutating func step() async -> Int {
        phone.pass(1)
        switch random.below(13) {
        case 0, 1: place()
        case 2: if let kind = screen.randomElement(using: &random) { screen.remove(kind) }
        case 3..<6: await readList()
        case 6, 7: await ask()
        case 8: phone.pass(Double(random.below(30)) * 86400)
        case 9:
            phone.server.mood = random.pick([.open, .open, .open, .cutBefore, .cutAfter, .refuses(503, after: nil)])
        case 10: restart()
        case 11: deliverList()
        default: changePhone()
        }
        let policies = [app.census.knownPolicy, phone.start(isExtension: true).knownPolicy]
        let hidden = policies.map { policy in Self.kinds.filter(policy.hides) }
        for kinds in hidden { #expect(kinds.filter(known.contains).isEmpty) }
        return hidden[1].count
    }

    private mutating func place() {
        let kind = random.pick(Self.kinds)
        screen.insert(kind)
        // The device can't know of one that nobody draws or taps, until it reads the next list.
        guard random.chance(50) else { return }
        // An extension that lives on, so what it says is kept.
        phone.start(isExtension: true).recorder.note(random.pick([.rendered, .opened, .configured]), Widget(kind))
        known.insert(kind)
    }

    /// The system tells the extension which widgets there are.
    private mutating func deliverList() {
        phone.start(isExtension: true).report(screen.sorted().map { Widget($0) })
        known.formUnion(screen)
        reports = keptReports()
    }

    private mutating func readList() async {
        setScreen()
        await app.census.reportAndSend()
        learn()
    }

    private mutating func ask() async {
        await readList()
        answerFromLists()
        let policy = await app.census.policy()
        learn()
        #expect(Self.kinds.filter(policy.hides).filter(known.contains).isEmpty)
    }

    private func setScreen() {
        let widgets = screen.sorted().map { Widget($0) }
        phone.world.withValue { $0.screen = .success(widgets) }
    }

    private mutating func learn() {
        let before = reports
        reports = keptReports()
        // A report that is kept counts, however soon after it the process was killed.
        known = app.files.isDead && reports == before ? known.intersection(screen) : screen
        if app.files.isDead { restart() }
    }

    private func keptReports() -> Set<String> {
        let queue = EventQueue(folder: Folder(TestPhone.shared, files: ProcessFiles(phone.disk)))
        let waiting = ((try? queue.names()) ?? []).compactMap { try? queue.event($0)?.event }
        let all = waiting + phone.server.landed.values.map(\.event)
        return Set(all.filter { $0.type == .reported && $0.surface == nil }.map(\.id))
    }

    /// The server hides what the newest list that it has lacks, whatever events said.
    private func answerFromLists() {
        let lists = phone.server.landed.values.filter { $0.event.widgets != nil && $0.event.surface == nil }
        guard let newest = lists.max(by: { $0.event.at < $1.event.at })?.event else { return }
        let held = Set(newest.widgets?.map(\.kind) ?? [])
        let kinds = Self.kinds.map { #""\#($0)":"\#(held.contains($0) ? "show" : "hide")""# }.joined(separator: ",")
        let until = WireTime.text(of: newest.at.addingTimeInterval(28 * 86400))
        let body = #"{"version":1,"kinds":{\#(kinds)},"report":{"id":"\#(newest.id)"},"valid_until":"\#(until)"}"#
        phone.server.state.withValue { $0.policy = Answer(status: 200, body: Data(body.utf8)) }
    }

    private mutating func restart() {
        let files = ProcessFiles(phone.disk, seed: random.next())
        if random.chance(50) { files.kill(afterSteps: random.below(80)) }
        let controls = PlacementList(surface: .control) { [Widget("old_kind")] }
        app = (files, phone.start(files: files, reporting: [controls]))
    }

    private mutating func changePhone() {
        if random.chance(50) {
            version += 1
            let name = "\(version).0"
            phone.world.withValue { $0.version = name }
            restart()
        } else {
            let offset = random.pick([0.0, 0.0, -7200.0, 86400.0 * 40])
            phone.world.withValue { $0.offset = offset }
        }
    }
}
