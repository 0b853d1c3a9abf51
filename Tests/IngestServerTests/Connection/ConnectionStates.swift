import NIOCore
import SeededRandom
import Testing

@testable import IngestServer

@Suite struct `Connection states` {
    private var state = ConnectionState(at: .uptimeNanoseconds(0))
    private var now = NIODeadline.uptimeNanoseconds(0)

    private mutating func head() -> ConnectionState.Intake { state.headArrived() }

    /// A whole request without a body arrives, and begins if it may.
    private mutating func request() -> Bool {
        _ = state.headArrived()
        _ = state.endArrived()
        let begins = state.mayBegin
        if begins {
            state.begin(isLast: false, at: now)
            state.received()
        }
        state.readEnded(at: now)
        return begins
    }

    private mutating func answer() -> Bool {
        let isLast = state.answer()
        state.answered(at: now)
        return isLast
    }

    private mutating func turn() -> ConnectionState.Turn? { state.turnChange() }

    private mutating func lateness(after time: TimeAmount) -> ConnectionState.Lateness? {
        now = now + time
        return state.lateness(at: now)
    }

    /// `#expect` can't evaluate a mutating call, so callers pass its result.
    private func expect<T: Equatable>(_ found: T, _ wanted: T, _ place: SourceLocation = #_sourceLocation) {
        #expect(found == wanted, sourceLocation: place)
    }

    @Test mutating func `a request counts as work from its last byte to its response`() {
        expect(turn(), nil)
        state.readEnded(at: now)
        expect(turn(), .wait)
        expect(turn(), nil)
        expect(head(), .take)
        expect(turn(), .wait)
        state.begin(isLast: false, at: now)
        _ = state.endArrived()
        state.received()
        expect(turn(), .work)
        expect(state.deadline == nil, true)
        expect(answer(), false)
        expect(turn(), .wait)
    }

    @Test mutating func `the next request waits until the previous response was written and read`() {
        expect(request(), true)
        expect(request(), false)
        state.block(true, at: now)
        expect(turn(), .wait)
        expect(answer(), false)
        expect(state.mayBegin, false)
        expect(state.mayRead, false)
        state.block(false, at: now)
        expect(state.mayBegin, true)
    }

    @Test mutating func `requests past the limit are dropped, and the last one within it ends the connection`() {
        for _ in 0..<ConnectionState.mostAtOnce { expect(head(), .take); _ = state.endArrived() }
        expect(head(), .drop)
        expect(state.isStopped, true)
        for number in 1...ConnectionState.mostAtOnce {
            expect(state.mayBegin, true)
            state.begin(isLast: false, at: now)
            state.received()
            expect(answer(), number == ConnectionState.mostAtOnce)
            expect(state.ends(), number == ConnectionState.mostAtOnce)
        }
        expect(state.flushed(at: now), false)
        expect(state.isOver, false)
        state.ended()
        expect(state.isOver, true)
    }

    @Test mutating func `the deadline of a head that arrives byte by byte begins at its first byte`() {
        state.readEnded(at: now)
        expect(lateness(after: .seconds(9)), nil)
        state.readEnded(at: now)
        expect(lateness(after: .seconds(1)), .end(.close))
    }

    @Test mutating func `a slow head leaves less time for its body, and a head that had to wait does not`() {
        state.readEnded(at: now)
        now = now + .seconds(6)
        expect(head(), .take)
        state.begin(isLast: false, at: now)
        state.readEnded(at: now)
        expect(lateness(after: .seconds(3)), nil)
        expect(lateness(after: .seconds(1)), .failBody)
        state.failBody()
        expect(state.deadline == nil, true)
        expect(answer(), true)
    }

    @Test mutating func `after an early response, the rest of the body is discarded until its deadline`() {
        expect(head(), .take)
        state.begin(isLast: false, at: now)
        expect(state.passed(10_000), true)
        expect(state.mayRead, false)
        expect(answer(), false)
        expect(state.mayRead, true)
        expect(state.passed(10_000), false)
        expect(lateness(after: .seconds(9)), nil)
        expect(lateness(after: .seconds(1)), .end(.close))
        state.received()
        expect(state.mayBegin, true)
    }

    @Test mutating func `a large body is read on demand, and no faster than its reader`() {
        expect(head(), .take)
        state.begin(isLast: false, at: now)
        expect(state.mayRead, true)
        _ = state.passed(8_192)
        expect(state.mayRead, false)
        state.asked()
        expect(state.mayRead, true)
        state.filled(true)
        expect(state.mayRead, false)
        state.filled(false)
        expect(state.mayRead, true)
    }

    @Test mutating func `a connection whose client reads nothing counts as waiting, and is reset`() {
        expect(request(), true)
        expect(turn(), .work)
        state.block(true, at: now)
        expect(turn(), .wait)
        expect(lateness(after: .seconds(10)), .end(.reset, isUntaken: true))
        state.block(false, at: now)
        expect(turn(), .work)
    }

    @Test mutating func `a silent connection ends`() {
        expect(lateness(after: .seconds(19)), nil)
        expect(lateness(after: .seconds(1)), .end(.close))
    }

    @Test mutating func `when the server stops, it answers requests that have begun and closes idle connections`() {
        var idle = state
        idle.quiesce()
        expect(idle.ends(), true)
        expect(request(), true)
        state.quiesce()
        expect(state.ends(), false)
        expect(answer(), true)
        expect(state.ends(), true)
    }

    @Test mutating func `when the server stops, requests that were parsed are answered, and no more are parsed`() {
        expect(request(), true)
        _ = head()
        _ = state.endArrived()
        state.quiesce()
        expect(head(), .drop)
        expect(answer(), false)
        expect(state.mayBegin, true)
        state.begin(isLast: false, at: now)
        state.received()
        expect(state.ends(), false)
        expect(answer(), true)
        expect(state.ends(), true)
    }

    @Test mutating func `when the server stops, a request whose body is in transit is still received`() {
        _ = head()
        state.begin(isLast: false, at: now)
        state.quiesce()
        expect(state.bodyArrived(10), .take)
        expect(state.endArrived(), .take)
        state.received()
        expect(head(), .drop)
        expect(answer(), true)
        expect(state.ends(), true)
    }

    @Test mutating func `nonsense after requests gets its response after theirs and ends the connection`() {
        expect(request(), true)
        expect(state.broke(), .take)
        expect(state.broke(), .drop)
        expect(answer(), false)
        expect(state.mayBegin, true)
        state.begin(isLast: true, at: now)
        state.received()
        expect(answer(), true)
        expect(state.ends(), true)
    }

    /// A client sends, stops, reads and disconnects at random, and the server responds at random.
    @Test(arguments: UInt64(0)..<512)
    func `each request gets one response in order, and none waits forever`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        var world = ConnectionWorld(seed: seed)
        for _ in 0..<200 { world.step(&random) }
        world.end()
    }
}

/// A model around a connection's state, with parts in transit, a server and a clock.
private struct ConnectionWorld {
    private enum Part { case head, body, end, broken }

    private let seed: UInt64
    private var state = ConnectionState(at: .uptimeNanoseconds(0))
    private var now = NIODeadline.uptimeNanoseconds(0)
    private var parts: [Part] = []
    /// Whether the client is in the middle of a request.
    private var isSending = false
    private var isBlocked = false
    private var begun = 0
    private var answered = 0
    private var hasAnnouncedLast = false
    private var hasEnded = false
    private var isReceived = true

    init(seed: UInt64) { self.seed = seed }

    mutating func step(_ random: inout Seeded) {
        guard !hasEnded else { return }
        now = now + .milliseconds(Int64(random.below(random.chance(5) ? 8_000 : 300)))
        switch random.below(12) {
        case 0...4 where state.mayRead || state.isStopped: arrive(&random)
        case 5, 6: answer()
        case 7 where random.chance(30):
            isBlocked.toggle()
            state.block(isBlocked, at: now)
        case 8: state.asked()
        case 9: state.filled(random.chance(30))
        case 10 where random.chance(3): state.quiesce()
        case 11 where random.chance(3): state.ended()
        default: break
        }
        pass()
        settle()
    }

    private mutating func arrive(_ random: inout Seeded) {
        for _ in 0...random.below(4) {
            if random.chance(2) {
                take(.broken, state.broke())
            } else if !isSending {
                isSending = true
                take(.head, state.headArrived())
            } else if random.chance(40) {
                take(.body, state.bodyArrived(random.below(4_000)))
            } else {
                isSending = false
                take(.end, state.endArrived())
            }
        }
        state.readEnded(at: now)
    }

    private mutating func take(_ part: Part, _ intake: ConnectionState.Intake) {
        switch intake {
        case .take: parts.append(part)
        case .cutOff: parts.append(.broken)
        case .drop: #expect(state.isStopped, "seed \(seed)")
        }
    }

    private mutating func pass() {
        while let part = parts.first {
            switch part {
            case .head:
                guard state.mayBegin else { return }
                begin(isLast: false)
            case .body: _ = state.passed(1_000)
            case .end:
                state.received()
                isReceived = true
            case .broken:
                if state.isReceiving {
                    state.failBody()
                } else {
                    guard state.mayBegin else { return }
                    begin(isLast: true)
                    state.received()
                    isReceived = true
                }
            }
            parts.removeFirst()
        }
    }

    private mutating func begin(isLast: Bool) {
        #expect(begun == answered && isReceived && !hasAnnouncedLast && !isBlocked, "seed \(seed)")
        begun += 1
        isReceived = false
        state.begin(isLast: isLast, at: now)
    }

    private mutating func answer() {
        guard begun > answered else { return }
        answered += 1
        #expect(!hasAnnouncedLast, "seed \(seed)")
        hasAnnouncedLast = state.answer()
        state.answered(at: now)
    }

    private mutating func settle() {
        if isBlocked { #expect(!state.mayRead || state.isStopped, "seed \(seed)") }
        if state.ends() {
            #expect(begun == answered, "a response is missing, seed \(seed)")
            hasEnded = state.flushed(at: now)
        }
        if state.isOver { hasEnded = true }
        look()
    }

    private mutating func look() {
        guard !hasEnded else { return }
        guard let deadline = state.deadline else {
            #expect(begun > answered, "no deadline and no pending request, seed \(seed)")
            return
        }
        guard deadline <= now else { return }
        switch state.lateness(at: now) {
        case .failBody:
            #expect(begun > answered, "seed \(seed)")
            state.failBody()
        case .end: hasEnded = true
        case nil: Issue.record("a deadline that means nothing, seed \(seed)")
        }
    }

    /// The client does nothing more. The server responds, and time passes.
    mutating func end() {
        for _ in 0..<200 where !hasEnded {
            answer()
            pass()
            settle()
            now = now + .seconds(2)
        }
        #expect(hasEnded, "the connection never ends, seed \(seed)")
    }
}
