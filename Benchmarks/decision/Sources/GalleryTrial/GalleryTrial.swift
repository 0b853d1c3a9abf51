import CensusCore
import CensusStore
import Fleet
import IngestServer
import Logging
import Nightly
package import PostgresTesting
import SeededRandom

/// A simulated fleet that reports its widgets to two nodes on one PostgreSQL, and asks them what its gallery can show.
///
/// Only a batch, an act on a kind, or time changes a device's answer. So the store is read once after each batch, which gives the
/// answers for all days until the next one. Answers of the server at random moments in between are compared with them.
package struct GalleryTrial: Sendable {
    package struct Plan: Sendable {
        package var seed: UInt64
        package var devices: Int
        package var days: Int
        /// How often the app is opened, as a share of how often a weather app is.
        package var opening: Double
        package var reinstallsAMonth: Double?
        /// The share of devices whose events name only a kind.
        package var unnamedShare: Double
        /// One read in this many is compared with the server's answer.
        package var spots: Int
        /// Devices that are simulated side by side.
        package var together = 8_000

        package init(
            seed: UInt64, devices: Int, days: Int, opening: Double, reinstallsAMonth: Double? = nil,
            unnamedShare: Double = 0, spots: Int
        ) {
            self.seed = seed
            self.devices = devices
            self.days = days
            self.opening = opening
            self.reinstallsAMonth = reinstallsAMonth
            self.unnamedShare = unnamedShare
            self.spots = spots
        }
    }

    private static let appID = "com.example.weather"
    private static let readers = 8
    /// Long, because the machine might be busy.
    private static let patience: Duration = .seconds(60)

    private let plan: Plan
    private let fleet: WeatherFleet
    private let app: App
    private let secret: Secret
    private let nodes: [TrialNode]
    private let clock: TrialClock
    private let logger: Logger
    private var random: Seeded

    /// - Parameters:
    ///   - database: empty, or with the schema.
    ///   - isEnough: ends the trial early, before the next devices.
    package static func run(
        _ plan: Plan, on database: TestDatabase, isEnough: @Sendable (GalleryTally) -> Bool = { _ in false }
    ) async throws -> GalleryTally {
        var logger = Logger(label: "gallery-trial")
        logger.logLevel = .critical
        let fleet = WeatherFleet(
            WeatherFleet.Plan(
                appID: appID, devices: plan.devices, days: plan.days, seed: plan.seed,
                end: Timestamp(rfc3339: "2026-11-21T00:00:00Z") ?? .now, reinstallsAMonth: plan.reinstallsAMonth,
                unnamedShare: plan.unnamedShare, tapsADay: 0.12 * plan.opening, opening: plan.opening))
        let clock = TrialClock(fleet.plan.end)
        let stores = (0..<2).map { _ in
            Store(connectionString: database.connectionString, maximumConnections: 6, logger: logger)
        }
        _ = try await Migrator(store: stores[0], logger: logger).migrate()
        let zone = ReportingZone.utc
        try await PartitionKeeper(store: stores[0], logger: logger).keep(
            from: zone.day(of: fleet.plan.start) - 2, through: zone.day(of: fleet.plan.end) + 1)
        _ = try await stores[0].apps.add(appID)
        let key = try await stores[0].keys.add(app: appID, role: .write)
        let app = try await stores[0].apps.app(appID)
        let secret = try Secret("the secret of the gallery trial")
        return try await withThrowingTaskGroup(of: Void.self) { group in
            var nodes: [TrialNode] = []
            for store in stores {
                let (ports, port) = AsyncStream.makeStream(of: Int.self)
                var options = ServerOptions()
                options.rates = .none
                // Days of the trial pass within a second.
                options.decisionsKeptFor = .zero
                options.patience.question = GalleryTrial.patience
                let service = IngestService(
                    store: store, retention: Retention(days: 90), secret: secret, version: "trial", host: "127.0.0.1",
                    port: 0, options: options, now: { clock.now }, logger: logger, onListening: { port.yield($0) })
                group.addTask {
                    defer { port.finish() }
                    try await service.run()
                }
                guard let open = await ports.first(where: { _ in true }) else { throw CancellationError() }
                nodes.append(TrialNode(store: store, port: open, key: key))
            }
            var trial = GalleryTrial(
                plan: plan, fleet: fleet, app: app, secret: secret, nodes: nodes, clock: clock, logger: logger,
                random: Seeded(plan.seed).derived(for: "trial"))
            let result: Result<GalleryTally, any Error>
            do { result = .success(try await trial.run(isEnough)) } catch { result = .failure(error) }
            group.cancelAll()
            while let ended = await group.nextResult() { _ = ended }
            for store in stores { await store.shutdown() }
            return try result.get()
        }
    }

    private mutating func run(_ isEnough: @Sendable (GalleryTally) -> Bool) async throws -> GalleryTally {
        var tally = GalleryTally()
        for first in stride(from: 0, to: plan.devices, by: plan.together) {
            if isEnough(tally) { break }
            var devices = try await self.devices(first..<min(first + plan.together, plan.devices))
            let steps = devices.map(\.script.steps.count).max() ?? 0
            for step in 0..<steps { try await live(step, &devices, &tally) }
        }
        return tally
    }

    private func devices(_ phones: Range<Int>) async throws -> [TrialDevice] {
        try await withThrowingTaskGroup(of: [TrialDevice].self) { [fleet, plan] group in
            for start in stride(from: phones.lowerBound, to: phones.upperBound, by: 250) {
                group.addTask {
                    try (start..<min(start + 250, phones.upperBound)).flatMap { phone in
                        try DeviceScript.scripts(ofPhone: phone, in: fleet, seed: plan.seed)
                            .map { TrialDevice($0, seed: plan.seed) }
                    }
                }
            }
            // In order, so that a seed gives the same trial.
            return try await group.reduce(into: [], +=).sorted {
                ($0.script.phone, $0.script.device) < ($1.script.phone, $1.script.device)
            }
        }
    }

    /// One step of every device that has so many: commits its batch, then asks.
    private mutating func live(_ step: Int, _ devices: inout [TrialDevice], _ tally: inout GalleryTally) async throws {
        let positions = devices.indices.filter { step < devices[$0].script.steps.count }
        var batches: [(position: Int, batch: Batch, at: Timestamp)] = []
        for position in positions {
            let (at, what) = devices[position].script.steps[step]
            switch what {
            case .batch(let batch): batches.append((position, batch, at))
            case .forget:
                let device = secret.device(devices[position].script.device, app: app.id)
                _ = try await random.pick(nodes).store.forgetting.forget(device, of: app)
                devices[position].forgot()
                tally.forgotten += 1
            }
        }
        try await commit(batches.map { ($0.batch, $0.at) }, &tally)
        for (position, batch, _) in batches { devices[position].committed(batch) }
        try await decide(&tally)
        // A fold meanwhile must not change the answers.
        let isReconciled = positions.count > 20 && random.chance(25)
        let folding = isReconciled ? random.pick(nodes).store : nil
        async let folded: Void = fold(folding)
        let expected = try await ask(positions, step, &devices, &tally)
        try await folded
        for spot in expected {
            clock.set(spot.at)
            if let difference = try await random.pick(nodes).difference(from: spot) {
                tally.wrongHides += 1
                tally.note(difference)
            }
            tally.spotChecks += 1
        }
    }

    private func fold(_ store: Store?) async throws {
        if let store { _ = try await Reconciler(store: store, logger: logger).drain() }
    }

    /// Commits at both nodes at once, in any order. Some commits are cancelled and repeated, and some are sent twice.
    private mutating func commit(_ received: [(Batch, Timestamp)], _ tally: inout GalleryTally) async throws {
        var batches: [BatchRows] = []
        for (batch, received) in received {
            let admitted = try await nodes[0].names.admit(batch, caps: app.caps)
            batches.append(BatchRows(admitted, appNumber: app.number, secret: secret, received: received))
            tally.batches += 1
            tally.events += batch.events.count
        }
        batches.shuffle(using: &random)
        var parts: [(batches: [BatchRows], node: Int, patience: Duration?, isDoubled: Bool)] = []
        for start in stride(from: 0, to: batches.count, by: 300) {
            parts.append(
                (
                    Array(batches[start..<min(start + 300, batches.count)]), random.below(2),
                    random.chance(5) ? .milliseconds(1 + random.below(20)) : nil, random.chance(5)
                ))
        }
        tally.givenUp += try await withThrowingTaskGroup(of: Bool.self) { [nodes] group in
            for part in parts {
                group.addTask {
                    let (one, other) = (nodes[part.node].store, nodes[1 - part.node].store)
                    if let patience = part.patience {
                        do throws(StoreError) {
                            _ = try await one.within(patience) {
                                try await $0.log.append(part.batches, within: .seconds(60))
                            }
                        } catch {
                            try await GalleryTrial.append(part.batches, to: other)
                            return true
                        }
                    } else {
                        try await GalleryTrial.append(part.batches, to: one)
                    }
                    if part.isDoubled { try await GalleryTrial.append(part.batches, to: other) }
                    return false
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    /// Repeats it while PostgreSQL is too slow, as a client does.
    private static func append(_ batches: [BatchRows], to store: Store) async throws {
        for attempt in 0... {
            do throws(StoreError) {
                _ = try await store.log.append(batches, within: .seconds(60))
                return
            } catch {
                guard error.isStoreAway, attempt < 20 else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// A person marks, retires or reopens a kind.
    private mutating func decide(_ tally: inout GalleryTally) async throws {
        let store = random.pick(nodes).store
        let kinds = try await store.kinds.ofGallery(appNumber: app.number).kinds
        let marked = kinds.filter { $0.lifecycle != .active }.count
        guard random.chance(marked < 2 ? 100 : 20), !kinds.isEmpty else { return }
        let kind = random.pick(kinds)
        let lifecycle: Lifecycle =
            switch kind.lifecycle {
            case .active: .legacy
            case .legacy: random.chance(50) ? .retired : .active
            case .retired: .active
            }
        _ = try await store.kinds.mark(kind: kind.kind, KindDecision(lifecycle, by: "the trial"), app: app)
        tally.acts += 1
    }

    private mutating func ask(
        _ positions: [Int], _ step: Int, _ devices: inout [TrialDevice], _ tally: inout GalleryTally
    ) async throws -> [TrialDevice.Expected] {
        let kinds = try await random.pick(nodes).store.kinds.ofGallery(appNumber: app.number).kinds
        let size = (positions.count + GalleryTrial.readers - 1) / GalleryTrial.readers
        var expected: [TrialDevice.Expected] = []
        try await withThrowingTaskGroup(
            of: (devices: [(Int, TrialDevice)], expected: [TrialDevice.Expected], tally: GalleryTally).self
        ) { [app, secret, nodes, plan] group in
            for start in stride(from: 0, to: positions.count, by: max(size, 1)) {
                let some = positions[start..<min(start + size, positions.count)].map { ($0, devices[$0]) }
                var random = random.derived(for: start)
                group.addTask {
                    var (asked, expected, tally) = (some, [TrialDevice.Expected](), GalleryTally())
                    for index in asked.indices {
                        guard let asks = asked[index].1.asks(after: step) else { continue }
                        let device = secret.device(asked[index].1.script.device, app: app.id)
                        let store = random.pick(nodes).store
                        if random.chance(1) {
                            // A device without an answer in time shows everything; that says nothing about the next answer.
                            _ = try? await store.within(.microseconds(200)) {
                                try await $0.devices.state(of: device, fold: app.fold, deadline: GalleryTrial.patience)
                            }
                            tally.givenUp += 1
                        }
                        let state = try await store.devices.state(
                            of: device, fold: app.fold, deadline: GalleryTrial.patience)
                        let spot = asked[index].1.judge(
                            asks, state, window: app.fold.window, kinds: kinds, spots: plan.spots, tally: &tally)
                        if let spot { expected.append(spot) }
                    }
                    return (asked, expected, tally)
                }
            }
            for try await part in group {
                for (position, device) in part.devices { devices[position] = device }
                expected += part.expected
                tally += part.tally
            }
        }
        _ = random.next()
        return expected
    }
}
