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

    @Test func `a refusal is remembered for a while, and room is asked for`() {
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

    @Test func `names that were let in unwritten are written with the next batch that uses them`() {
        var names = AppNames()
        let (batch, fresh) = names.sifted(Self.batch(["a", "b"]), Self.caps)
        #expect(Self.accepted(batch) == ["a", "b"])
        names.assume(fresh)
        #expect(names.sifted(Self.batch(["b"]), Self.caps).fresh.kinds == ["b"])
        names.took(fresh, at: start)
        #expect(names.assumed.isEmpty)
        #expect(names.sifted(Self.batch(["b"]), Self.caps).fresh.isEmpty)
    }

    /// Two nodes on one store, which is away now and then. Batches that came while it was are stored later, in any order.
    @Test(arguments: UInt64(0)..<300) func `no name is accepted that is not written, and a node alone keeps the caps`(
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

    /// Each of its two questions had the whole patience once, and the turn before them had none.
    @Test func `a slow store makes no batch wait longer than its patience`() async throws {
        try await TestStore.with { test in
            let names = NameGate(store: test.store)
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
