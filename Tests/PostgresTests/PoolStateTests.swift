@testable import Postgres
import SeededRandom
import Testing

@Suite struct `Pool state` {
    private let start = ContinuousClock.now

    private func state(_ connections: Int, waiters: Int = 100) -> PoolState {
        PoolState(limits: .init(maximumConnections: connections, maximumWaiters: waiters))
    }

    private func later(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test func `the pool opens one connection for each waiter, up to the limit`() {
        var pool = state(2)
        #expect(pool.acquire(1, deadline: later(5)) == [.open(1)])
        #expect(pool.acquire(2, deadline: later(5)) == [.open(2)])
        #expect(pool.acquire(3, deadline: later(5)) == [])
        #expect(pool.opened(2, at: start) == [.hand(2, to: 1)])
        #expect(pool.release(2, .clean, at: start) == [.hand(2, to: 2)])
        #expect(pool.opened(1, at: start) == [.hand(1, to: 3)])
        #expect(pool.release(1, .clean, at: start) == [])
        #expect(pool.acquire(4, deadline: later(5)) == [.hand(1, to: 4)])
    }

    @Test func `the pool replaces a lost connection while a caller waits`() {
        var pool = state(1)
        _ = pool.acquire(1, deadline: later(5)) + pool.opened(1, at: start)
        #expect(pool.acquire(2, deadline: later(5)) == [])
        #expect(pool.release(1, .lost, at: start) == [.close(1)])
        #expect(pool.closed(1) == [.open(2)])
        #expect(pool.opened(2, at: start) == [.hand(2, to: 2)])
    }

    @Test func `an unresponsive connection makes the pool close the idle ones, too`() {
        var pool = state(3)
        for waiter in 1...3 { _ = pool.acquire(waiter, deadline: later(5)) + pool.opened(waiter, at: start) }
        _ = pool.release(1, .clean, at: start) + pool.release(2, .clean, at: start)
        #expect(pool.release(3, .unanswered, at: start) == [.close(3), .close(1), .close(2)])
        #expect(pool.idle.isEmpty)
    }

    @Test func `a failed attempt rejects one waiter, and the pool tries again for the next`() {
        var pool = state(1)
        _ = pool.acquire(1, deadline: later(5)) + pool.acquire(2, deadline: later(5))
        #expect(pool.openFailed(1, isSaturated: false, at: start) == [.refuse(1, .cannotOpen), .open(2)])
        #expect(pool.openFailed(2, isSaturated: false, at: start) == [.refuse(2, .cannotOpen)])
        #expect(pool.total == 0)
    }

    @Test func `callers wait for the connections in use while the server is full`() {
        var pool = state(3)
        _ = pool.acquire(1, deadline: later(5)) + pool.opened(1, at: start)
        #expect(pool.acquire(2, deadline: later(5)) == [.open(2)])
        #expect(pool.openFailed(2, isSaturated: true, at: start) == [])
        #expect(pool.acquire(3, deadline: later(5)) == [])
        #expect(pool.release(1, .clean, at: start) == [.hand(1, to: 2)])
        #expect(pool.nextDeadline == later(1))
        #expect(pool.tick(later(1)) == [.open(3)])
        #expect(pool.openFailed(3, isSaturated: true, at: later(1)) == [])
        #expect(pool.release(1, .lost, at: start) == [.close(1)])
        #expect(pool.closed(1) == [.open(4)])
    }

    @Test func `a returning caller goes to the front of the queue`() {
        var pool = state(1)
        _ = pool.acquire(1, deadline: later(5)) + pool.opened(1, at: start) + pool.acquire(2, deadline: later(5))
        #expect(pool.release(1, .lost, at: start) == [.close(1)])
        #expect(pool.acquire(3, deadline: later(4), isReturning: true) == [])
        #expect(pool.closed(1) == [.open(2)])
        #expect(pool.opened(2, at: start) == [.hand(2, to: 3)])
    }

    @Test func `waiters and idle connections each end at their own deadline`() {
        var pool = state(2)
        _ = pool.acquire(1, deadline: later(5)) + pool.opened(1, at: start) + pool.release(1, .clean, at: start)
        #expect(pool.nextDeadline == later(60))
        #expect(pool.acquire(2, deadline: later(7)) == [.hand(1, to: 2)])
        #expect(pool.nextDeadline == nil)
        #expect(pool.acquire(3, deadline: later(7)) == [.open(2)])
        #expect(pool.nextDeadline == later(7))
        #expect(pool.tick(later(6)) == [])
        #expect(pool.tick(later(7)) == [.refuse(3, .overdue)])
        #expect(pool.opened(2, at: later(8)) == [])
        #expect(pool.tick(later(67)) == [])
        #expect(pool.tick(later(68)) == [.close(2)])
    }

    @Test func `shutdown ends after its grace period, or when the last connection closes`() {
        var pool = state(3)
        for waiter in 1...2 { _ = pool.acquire(waiter, deadline: later(5)) + pool.opened(waiter, at: start) }
        _ =
            pool.release(1, .clean, at: start) + pool.acquire(3, deadline: later(5))
            + pool.acquire(4, deadline: later(5))
        #expect(pool.shutDown(graceEnds: later(9)) == [.refuse(4, .poolClosed)])
        #expect(pool.acquire(5, deadline: later(5)) == [.refuse(5, .poolClosed)])
        #expect(pool.opened(3, at: start) == [.close(3)])
        #expect(pool.closed(3) == [])
        #expect(pool.release(1, .clean, at: start) == [.close(1)])
        #expect(pool.closed(1) == [])
        #expect(pool.tick(later(9)) == [.interrupt(2), .finishShutdown])
        #expect(pool.nextDeadline == nil)
        #expect(pool.release(2, .clean, at: start) == [.close(2)])
        #expect(pool.closed(2) == [.finishShutdown])
    }

    @Test func `late events change nothing`() {
        var pool = state(1)
        #expect(pool.cancel(7) == [])
        #expect(pool.release(7, .clean, at: start) == [])
        #expect(pool.opened(7, at: start) == [])
        #expect(pool.openFailed(7, isSaturated: false, at: start) == [])
        #expect(pool.closed(7) == [])
        #expect(pool.total == 0)
    }

    /// Random events against a model that only counts: each caller gets one outcome, and no connection is lost.
    @Test(arguments: UInt64(0)..<100) func `no order of events loses a caller or a connection`(seed: UInt64) {
        var random = Seeded(seed)
        var pool = state(Int.random(in: 1...4, using: &random), waiters: 6)
        var world = PoolWorld()
        for step in 1...400 {
            let now = later(step)
            world.carryOut(world.randomEvent(step, &pool, now, &random))
            #expect(pool.total <= pool.limits.maximumConnections)
            #expect(pool.idle.isEmpty || pool.waiters.isEmpty, "a caller waits although a connection is idle")
            let mayOpen = pool.total < pool.limits.maximumConnections && pool.saturatedUntil == nil
            #expect(pool.waiters.isEmpty || !mayOpen || pool.opening.count >= pool.waiters.count)
            if let end = pool.saturatedUntil { #expect(pool.nextDeadline.map { $0 <= end } ?? false) }
            #expect(Set(pool.waiters.map(\.id)) == world.waiting)
            #expect(pool.busy == world.busy && pool.opening == world.opening && pool.closing == world.closing)
        }
        world.carryOut(pool.shutDown(graceEnds: later(1000)))
        while let event = world.finishingEvent(&pool, later(500)) { world.carryOut(event) }
        #expect(pool.total == 0)
        #expect(world.waiting.isEmpty)
        #expect(world.isShutDown)
    }
}
