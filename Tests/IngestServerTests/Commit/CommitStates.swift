import PostgresTesting
import Testing

@testable import IngestServer

@Suite struct `Commit state` {
    private static func limits(_ change: (inout CommitState<Int>.Limits) -> Void = { _ in }) -> CommitState<Int>.Limits
    {
        var limits = CommitState<Int>.Limits()
        limits.gathering = .zero
        change(&limits)
        return limits
    }

    private func world(
        hasSpool: Bool = false, _ change: (inout CommitState<Int>.Limits) -> Void = { _ in }
    ) -> CommitWorld {
        CommitWorld(CommitState(limits: Self.limits(change), patience: Patience(), hasSpool: hasSpool))
    }

    @Test
    func `a batch that arrives alone is committed at once, and those that arrive meanwhile share the next commit`() {
        var world = world()
        world.come(rows: 1, bytes: 100)
        #expect(world.committers.count == 1)
        world.advance(0, .stored)
        for _ in 0..<5 { world.come(rows: 1, bytes: 100) }
        #expect(world.committers.count == 1 && world.state.held == 5)
        world.advance(0, .stored)
        world.advance(0, .stored)
        #expect(world.answers == [0: .kept])
        world.advance(0, .stored)
        #expect(world.groups.map(\.count) == [1, 5])
    }

    @Test func `a second committer begins when enough rows wait, but never a third`() {
        var world = world { $0.rowsForAnother = 10 }
        world.come(rows: 1, bytes: 100)
        world.advance(0, .stored)
        world.come(rows: 9, bytes: 100)
        #expect(world.committers.count == 1)
        world.come(rows: 1, bytes: 100)
        #expect(world.committers.count == 2)
        world.come(rows: 50, bytes: 100)
        #expect(world.committers.count == 2)
    }

    @Test func `while all committers work, the batches that they commit count as waiting, too`() {
        var world = world { $0.rowsForAnother = 10 }
        world.come(rows: 1, bytes: 100)
        world.advance(0, .stored)
        for _ in 0..<2 { world.come(rows: 5, bytes: 100) }
        world.advance(1, .stored)
        world.come(rows: 5, bytes: 100)
        #expect(world.state.held == 4, "three batches are being committed, and one waits")
        while !world.committers.isEmpty { world.advance(0, .stored) }
        #expect(world.state.held == 0 && world.state.committing == 0)
    }

    @Test func `batches that arrived during a commit count as waiting until the next one ends`() {
        var world = world { $0.gathering = .milliseconds(5) }
        world.come(rows: 1, bytes: 100)
        world.advance(0, .stored)
        for _ in 0..<4 { world.come(rows: 1, bytes: 100) }
        while !world.committers.isEmpty { world.advance(0, .stored) }
        #expect(world.state.held == 4, "they are gathered, but the store is behind")
        world.pass(5)
        while !world.committers.isEmpty { world.advance(0, .stored) }
        #expect(world.groups.map(\.count) == [1, 4])
        #expect(world.state.held == 0, "no batch arrived during the commit")
    }

    @Test func `batches that arrive soon after a commit began are gathered for the next one`() {
        var world = world { $0.gathering = .milliseconds(5) }
        world.come(rows: 1, bytes: 100)
        for _ in 0..<3 { world.advance(0, .stored) }
        world.advance(0, .stored)
        #expect(world.answers == [0: .kept] && world.committers.isEmpty, "nothing is left to commit")
        world.pass(1)
        for _ in 0..<3 { world.come(rows: 1, bytes: 100) }
        #expect(world.state.held == 0, "gathering doesn't count as waiting")
        world.pass(3)
        #expect(world.committers.isEmpty, "not five milliseconds yet")
        world.pass(1)
        while !world.committers.isEmpty { world.advance(0, .stored) }
        #expect(world.groups.map(\.count) == [1, 3])
        world.pass(5)
        world.come(rows: 1, bytes: 100)
        #expect(world.committers.count == 1, "a batch that arrives alone doesn't wait")
    }

    @Test func `enough rows are committed without gathering more`() {
        var world = world {
            $0.gathering = .milliseconds(5)
            $0.rowsAtOnce = 10
        }
        world.come(rows: 1, bytes: 100)
        while !world.committers.isEmpty { world.advance(0, .stored) }
        world.come(rows: 9, bytes: 100)
        #expect(world.committers.isEmpty)
        world.come(rows: 1, bytes: 100)
        #expect(world.committers.count == 1)
    }

    @Test func `a group stays within the limits, unless one batch alone exceeds them`() {
        var world = world {
            $0.rowsPerGroup = 10
            $0.bytesPerGroup = 1_000
        }
        for rows in [4, 6, 1, 30, 2] { world.come(rows: rows, bytes: 300) }
        for _ in 0..<3 { world.come(rows: 1, bytes: 400) }
        while !world.committers.isEmpty { world.advance(0, .stored) }
        #expect(world.groups.map(\.count) == [2, 1, 1, 2, 2])
    }

    @Test func `a batch past the limit of waiting bytes is admitted only if none waits`() {
        var state = CommitState<Int>(
            limits: Self.limits { $0.waitingBytes = 1_000 }, patience: Patience(), hasSpool: false)
        #expect(state.hasRoom(for: 5_000))
        _ = state.come(0, rows: 1, bytes: 900, at: .now, isTakenOver: false)
        #expect(state.hasRoom(for: 100))
        #expect(!state.hasRoom(for: 101))
    }

    @Test func `without a spool a batch that waits too long is turned away, even during its commit`() {
        var world = world()
        world.come(rows: 1, bytes: 100)
        world.advance(0, .stored)
        world.advance(0, .stored)
        world.come(rows: 1, bytes: 100)
        world.pass(1_600)
        #expect(world.answers == [1: .tooSlow])
        #expect(world.late == 1)
        world.pass(1_000)
        #expect(world.answers == [0: .tooSlow, 1: .tooSlow])
        // The store was slow, but not away.
        world.advance(0, .stored)
        #expect(world.answers[0] == .tooSlow)
        #expect(world.complaints == [])
    }

    @Test func `with a spool a batch that waits too long goes there, and the first to keep it answers`() {
        var world = world(hasSpool: true)
        world.come(rows: 1, bytes: 100)
        world.advance(0, .stored)
        world.advance(0, .stored)
        world.come(rows: 1, bytes: 100)
        world.pass(1_600)
        world.advanceSpool { _ in true }
        world.advanceSpool { _ in true }
        #expect(world.answers == [1: .kept])
        #expect(world.late == 0)
        world.pass(1_000)
        world.advance(0, .stored)
        #expect(world.answers == [0: .kept, 1: .kept])
        while world.isSpooling { world.advanceSpool { _ in true } }
        #expect(world.complaints == [])
        #expect(world.state.waitingBytes == 0)
    }

    @Test func `while the store is away all batches go to the spool, including those that wait`() {
        var world = world(hasSpool: true)
        for _ in 0..<3 { world.come(rows: 1, bytes: 100) }
        world.advance(0, .away)
        world.isTakenOver = true
        world.come(rows: 1, bytes: 100)
        while !world.committers.isEmpty { world.advance(0, .away) }
        #expect(world.state.queue.isEmpty)
        while world.isSpooling { world.advanceSpool { $0 != 2 } }
        #expect(world.answers == [0: .kept, 1: .kept, 2: .notSpooled, 3: .kept])
    }

    /// Random events against a model that makes no decisions. Each batch gets one result in time, and not before it
    /// is kept. No limit is exceeded.
    @Test(arguments: UInt64(0)..<100) func `every batch gets one correct result in time, in any order of events`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        let hasSpool = random.chance(60)
        var world = world(hasSpool: hasSpool) {
            $0.gathering = .milliseconds(random.below(10))
            $0.rowsAtOnce = 1 + random.below(20)
            $0.rowsForAnother = 1 + random.below(20)
            $0.rowsPerGroup = 1 + random.below(30)
            $0.bytesPerGroup = 200 + random.below(2_000)
            $0.bytesPerSpooledGroup = 200 + random.below(2_000)
            $0.waitingBytes = 1_000 + random.below(10_000)
        }
        let (limits, patience) = (world.state.limits, world.state.patience)
        let outcomes: [CommitWorld.Outcome] = [.stored, .stored, .stored, .away, .badData, .badData, .otherFault]
        for _ in 0..<500 {
            switch random.below(10) {
            case 0...3: world.come(rows: random.below(15), bytes: 1 + random.below(400))
            case 4...6 where !world.committers.isEmpty:
                world.advance(random.below(world.committers.count), random.pick(outcomes))
            case 7 where world.isSpooling: world.advanceSpool { _ in random.chance(80) }
            case 8 where hasSpool: world.isTakenOver = random.chance(30)
            default: world.pass(random.below(random.chance(10) ? 3_000 : 60))
            }
            check(world, limits, patience)
        }
        // The store and the spool work again, so every waiting batch gets its result.
        for _ in 0..<5_000 where !world.isQuiet {
            for number in world.committers.indices.reversed() { world.advance(number, .stored) }
            if world.isSpooling { world.advanceSpool { _ in true } }
            world.pass(1)
        }
        #expect(world.isQuiet)
        #expect(world.unanswered == [])
        #expect(world.state.waitingBytes == 0 && world.state.queuedRows == 0 && world.state.committing == 0)
        #expect(world.groups.allSatisfy { $0.count == 1 || $0.rows <= limits.rowsPerGroup })
        #expect(world.groups.allSatisfy { $0.count == 1 || $0.bytes <= limits.bytesPerGroup })
    }

    private func check(_ world: CommitWorld, _ limits: CommitState<Int>.Limits, _ patience: Patience) {
        let state = world.state
        #expect(world.complaints == [])
        #expect(world.committers.count == state.committers && state.committers <= limits.committers)
        #expect(state.queue.isEmpty || state.committers > 0 || world.gatherUntil != nil, "nothing commits the queue")
        #expect(state.isGathering == (world.gatherUntil != nil))
        #expect(state.handedOver.isEmpty || state.isSpooling, "nothing spools the waiting batches")
        #expect(state.hasSpool || state.handedOver.isEmpty)
        #expect(world.unanswered.isEmpty || state.isWatched, "nothing watches the waiting senders")
        #expect(state.queuedRows == state.queue.reduce(0) { $0 + $1.rows })
        let held = state.queue + state.handedOver + world.spooling
        #expect(state.waitingBytes == held.reduce(0) { $0 + $1.bytes })
        let limit = patience.commit + (state.hasSpool ? patience.spool : .zero) + .milliseconds(100)
        #expect(world.unanswered.allSatisfy { world.arrivedAt[$0].map { $0 + limit > world.now } ?? false })
    }
}
