import SeededRandom

@testable import Postgres

/// The results of the pool's actions, kept by a model that makes no decisions.
struct PoolWorld {
    var waiting: Set<Int> = []
    var busy: Set<Int> = []
    var opening: Set<Int> = []
    var closing: Set<Int> = []
    var isShutDown = false

    mutating func carryOut(_ actions: [PoolState.Action]) {
        for action in actions {
            switch action {
            case .open(let id): opening.insert(id)
            case .close(let id):
                closing.insert(id)
            case .hand(let id, let waiter):
                precondition(waiting.remove(waiter) != nil, "handed to nobody")
                precondition(busy.insert(id).inserted, "handed out twice")
            case .refuse(let waiter, _):
                precondition(waiting.remove(waiter) != nil, "refused twice")
            case .interrupt: break
            case .finishShutdown: isShutDown = true
            }
        }
    }

    mutating func randomEvent(
        _ step: Int, _ pool: inout PoolState, _ now: ContinuousClock.Instant, _ random: inout Seeded
    ) -> [PoolState.Action] {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            waiting.insert(step)
            let deadline = now + .seconds(Int.random(in: 1...20, using: &random))
            return pool.acquire(step, deadline: deadline, isReturning: Int.random(in: 0..<8, using: &random) == 0)
        case 4:
            return waiting.randomElement(using: &random).map { pool.cancel($0) } ?? []
        case 5, 6:
            guard let id = opening.sorted().randomElement(using: &random) else { return [] }
            opening.remove(id)
            let roll = Int.random(in: 0..<6, using: &random)
            return roll < 2 ? pool.openFailed(id, isSaturated: roll == 0, at: now) : pool.opened(id, at: now)
        case 7, 8:
            guard let id = busy.sorted().randomElement(using: &random) else { return [] }
            busy.remove(id)
            let conditions: [Connection.Condition] = [.clean, .clean, .clean, .lost, .unanswered]
            return pool.release(id, conditions.randomElement(using: &random) ?? .clean, at: now)
        default:
            guard let id = closing.sorted().randomElement(using: &random) else { return pool.tick(now) }
            closing.remove(id)
            return pool.closed(id)
        }
    }

    /// Finishes one operation that is still in progress; nil if there is none.
    mutating func finishingEvent(_ pool: inout PoolState, _ now: ContinuousClock.Instant) -> [PoolState.Action]? {
        if let id = busy.popFirst() { return pool.release(id, .clean, at: now) }
        if let id = opening.popFirst() { return pool.opened(id, at: now) }
        if let id = closing.popFirst() { return pool.closed(id) }
        return nil
    }
}
