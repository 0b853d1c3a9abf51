import Synchronization
import Testing

@testable import IngestServer

@Suite struct `Shared answers` {
    private struct Failure: Error {}

    private final class Reads: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func next() -> Int {
            number.withLock { number in
                number += 1
                return number
            }
        }
    }

    @Test func `all callers during a read get its answer`() async throws {
        let (answers, reads) = (SharedAnswers<String, Int>(goodFor: .seconds(5)), Reads())
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await answers.answer(to: "weather") {
                        for await _ in gate {}
                        return reads.next()
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(50))
            #expect(try await answers.answer(to: "radar") { 100 + reads.next() } == 101)
            opener.finish()
            for try await answer in group { #expect(answer == 2) }
        }
        #expect(reads.count == 2)
    }

    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { time.withLock { $0 } }
        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    @Test func `an answer is reused until it is too old`() async throws {
        let (clock, reads) = (Clock(), Reads())
        let answers = SharedAnswers<String, Int>(goodFor: .seconds(5)) { clock.now }
        for (passed, number) in [(0.0, 1), (4.9, 1), (0.1, 2), (4.9, 2), (0.1, 3)] {
            clock.pass(.seconds(passed))
            #expect(try await answers.answer(to: "weather") { reads.next() } == number)
        }
    }

    /// A read that took longer than answers live once began again beside the first one, and slowed it further.
    @Test func `a slow read is shared until it ends, and its answer is reused as long as any other`() async throws {
        let (clock, reads) = (Clock(), Reads())
        let answers = SharedAnswers<String, Int>(goodFor: .seconds(5)) { clock.now }
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        async let first = answers.answer(to: "weather") {
            beginning.finish()
            for await _ in gate {}
            return reads.next()
        }
        for await _ in begun {}
        clock.pass(.seconds(8))
        async let second = answers.answer(to: "weather") { reads.next() }
        try await Task.sleep(for: .milliseconds(50))
        opener.finish()
        #expect(try await [first, second] == [1, 1])
        clock.pass(.seconds(4))
        #expect(try await answers.answer(to: "weather") { reads.next() } == 1)
        clock.pass(.seconds(1))
        #expect(try await answers.answer(to: "weather") { reads.next() } == 2)
    }

    @Test func `a failure is not cached`() async throws {
        let (answers, reads) = (SharedAnswers<String, Int>(goodFor: .seconds(5)), Reads())
        await #expect(throws: Failure.self) { try await answers.answer(to: "weather") { throw Failure() } }
        #expect(try await answers.answer(to: "weather") { reads.next() } == 1)
    }
}
