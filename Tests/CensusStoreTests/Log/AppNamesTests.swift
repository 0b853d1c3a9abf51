import Postgres
import PostgresTesting
import Testing

@testable import CensusCore
@testable import CensusStore

@Suite struct `App names` {
    private static let caps = NameCaps(appNumber: 1, kinds: 4, families: 3)
    private let start = ContinuousClock.now

    private static func batch(_ kinds: [String], family: String = "small") -> Batch {
        var batch = Batch(
            appID: "app", deviceID: "device", installationID: "installation",
            circumstances: .init(platform: .ios, osVersion: "18.1", appVersion: "1"), events: [])
        for (index, kind) in kinds.enumerated() {
            let event = EncodedEvent(.installed(Placement(kind: kind, family: family)))
            batch.events.append(
                .success(
                    BatchEvent(
                        index: index, id: "\(index)", occurredAt: Timestamp(seconds: 0), at: Timestamp(seconds: 0),
                        surface: .widget, source: nil, event: event)))
        }
        return batch
    }

    private static func accepted(_ batch: Batch) -> [String] {
        batch.events.compactMap { try? $0.get() }.flatMap { $0.event.models.map(\.kind) }
    }

    private static func families(_ batch: Batch) -> [String?] {
        batch.events.compactMap { try? $0.get() }.flatMap { $0.event.models.map(\.family) }
    }

    @Test func `a rejection is remembered for a while, and the store is asked while there is room`() {
        var names = AppNames()
        #expect(names.admitted(Self.batch(["a"]), Self.caps, at: start) == nil)
        var full = KnownNames(of: Self.batch(["a", "b", "c"]))
        names.took(full, at: start)
        #expect(names.admitted(Self.batch(["a"]), Self.caps, at: start) != nil)
        #expect(names.admitted(Self.batch(["d"]), Self.caps, at: start) == nil, "there is room for one")
        full.kinds.insert("d")
        names.took(full, at: start)
        #expect(names.admitted(Self.batch(["a", "e"]), Self.caps, at: start).map(Self.accepted) == ["a"])
        #expect(names.admitted(Self.batch(["e"]), Self.caps, at: start + AppNames.memory) == nil)
    }

    @Test func `declared names and WidgetKit's families don't count toward the caps`() {
        var names = AppNames()
        var declared = KnownNames()
        declared.kinds = ["d", "e"]
        declared.families = ["mine"]
        var full = KnownNames(of: Self.batch(["a", "b", "c", "x"]))
        full.families = ["1", "2", "3", "systemSmall"]
        names.took(full, declared: declared, at: start)
        #expect(Self.accepted(names.sifted(Self.batch(["d", "y", "e"]), Self.caps).batch) == ["d", "e"])
        for (family, counted) in [("mine", "mine"), ("systemLarge", "systemLarge"), ("2", "2"), ("4", Batch.other)] {
            let sifted = names.sifted(Self.batch(["a"], family: family), Self.caps)
            #expect(Self.families(sifted.batch) == [counted])
            #expect(sifted.batch.warnings.map(\.code) == (family == "4" ? [.otherFamily] : []))
        }
        // Names that were used before they were declared stop counting.
        full.families = ["1", "2", "mine"]
        var later = AppNames()
        later.took(full, declared: declared, at: start)
        #expect(Self.families(later.sifted(Self.batch(["a"], family: "4"), Self.caps).batch) == ["4"])
    }

    @Test func `widgets whose families are past the cap are summed by kind`() throws {
        var names = AppNames()
        var full = KnownNames(of: Self.batch(["a", "b"]))
        full.families = ["1", "2", "3"]
        names.took(full, at: start)
        var batch = Self.batch(["a"])
        guard case .success(var event) = batch.events[0] else { return }
        event.event = EncodedEvent(
            .reported([
                Placement(kind: "a", family: "1"): 1, Placement(kind: "a", family: "4"): 2,
                Placement(kind: "a", family: "5"): 3, Placement(kind: "b", family: "5"): 4, Placement(kind: "b"): 5,
            ]))
        batch.events[0] = .success(event)
        let sifted = names.sifted(batch, Self.caps)
        #expect(
            try sifted.batch.events[0].get().event.decoded()
                == .reported([
                    Placement(kind: "a", family: "1"): 1, Placement(kind: "a", family: Batch.other): 5,
                    Placement(kind: "b", family: Batch.other): 4, Placement(kind: "b"): 5,
                ]))
        #expect(sifted.fresh.families.isEmpty)
        // A stored batch stays as it is.
        #expect(names.sifted(sifted.batch, Self.caps).batch.events == sifted.batch.events)
    }

    @Test func `names that were admitted unwritten are written with the next batch that uses them`() {
        var names = AppNames()
        let (batch, fresh) = names.sifted(Self.batch(["a", "b"]), Self.caps)
        #expect(Self.accepted(batch) == ["a", "b"])
        names.assume(fresh)
        #expect(names.sifted(Self.batch(["b"]), Self.caps).fresh.kinds == ["b"])
        names.took(fresh, at: start)
        #expect(names.assumed.isEmpty)
        #expect(names.sifted(Self.batch(["b"]), Self.caps).fresh.isEmpty)
    }

    /// Two nodes on one store, which is sometimes away. Batches that arrive meanwhile are stored later, in any order.
    @Test(arguments: UInt64(0)..<300) func `every accepted name is written, and a single node keeps the caps`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        let isAlone = random.chance(50)
        var nodes = [AppNames(), AppNames()]
        var stored = KnownNames()
        var late: [KnownNames] = []
        for step in 0..<60 {
            let node = isAlone ? 0 : random.below(2)
            let now = start + .milliseconds(200 * step)
            let kinds = (0...random.below(3)).map { _ in "kind \(random.below(8))" }
            let batch = Self.batch(kinds, family: "family \(random.below(5))")
            if random.chance(25) {
                let (admitted, fresh) = nodes[node].sifted(batch, Self.caps)
                nodes[node].assume(fresh)
                late.append(KnownNames(of: admitted))
                let unwritten = KnownNames(of: admitted).kinds.subtracting(nodes[node].known.kinds)
                #expect(unwritten.isSubset(of: fresh.kinds), "seed \(seed)")
            } else if let admitted = nodes[node].admitted(batch, Self.caps, at: now) {
                #expect(KnownNames(of: admitted).kinds.isSubset(of: stored.kinds), "seed \(seed)")
            } else {
                nodes[node].took(stored, at: now)
                let (admitted, fresh) = nodes[node].sifted(batch, Self.caps)
                stored.formUnion(fresh)
                nodes[node].wrote(fresh)
                #expect(KnownNames(of: admitted).kinds.isSubset(of: stored.kinds), "seed \(seed)")
            }
            if random.chance(20), !late.isEmpty { stored.formUnion(late.remove(at: random.below(late.count))) }
            guard isAlone else { continue }
            let used = late.reduce(stored) { $0.union($1) }
            #expect(used.kinds.count <= 4 && used.families.count <= 3, "seed \(seed)")
        }
    }

    /// Regression: each of its two queries had the whole patience, and the wait before them had no limit.
    @Test func `a slow store makes no batch wait longer than its patience`() async throws {
        try await TestStore.with { test in
            let names = NameLimiter(store: test.store)
            let (writing, admitted) = try await test.store.pool.transaction("reader") { connection in
                try await connection.execute(
                    script: Statement("reader", "lock table census.known_name in access exclusive mode"))
                // Names can be read again soon, but not written.
                let writing = Task {
                    try await test.execute("lock table census.known_name in share mode; select pg_sleep(20)")
                }
                #expect(try await eventually { try await test.isWaitingForLock() })
                let admitted = Task {
                    let start = ContinuousClock.now
                    await #expect(throws: StoreError.self) {
                        _ = try await names.admit(Self.batch(["new"]), caps: test.app.caps, patience: .seconds(2))
                    }
                    return ContinuousClock.now - start
                }
                try await Task.sleep(for: .milliseconds(1_500))
                return (writing, admitted)
            }
            let taken = await admitted.value
            #expect(taken < .seconds(3), "\(taken)")
            writing.cancel()
            _ = await writing.result
        }
    }
}
