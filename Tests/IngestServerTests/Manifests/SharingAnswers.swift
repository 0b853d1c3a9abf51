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

    @Test func `all who ask while an answer is being read get it`() async throws {
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

    @Test func `an answer is given until it is too old`() async throws {
        let (answers, reads) = (SharedAnswers<String, Int>(goodFor: .seconds(5)), Reads())
        let begun = ContinuousClock.now
        for (after, number) in [(0.0, 1), (4.9, 1), (5, 2), (9.9, 2), (10, 3)] {
            let answer = try await answers.answer(to: "weather", at: begun + .seconds(after)) { reads.next() }
            #expect(answer == number, "\(after) s later")
        }
    }

    @Test func `a failure is not kept`() async throws {
        let (answers, reads) = (SharedAnswers<String, Int>(goodFor: .seconds(5)), Reads())
        await #expect(throws: Failure.self) { try await answers.answer(to: "weather") { throw Failure() } }
        #expect(try await answers.answer(to: "weather") { reads.next() } == 1)
    }
}
