internal import Synchronization

/// Gives one answer to all who ask the same question at about the same time, for questions that cost much.
final class SharedAnswers<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Reading {
        var number: Int
        var task: Task<Answer, any Error>
        /// Nil while it is being read.
        var ended: Instant?
    }

    private struct State {
        var readings: [Question: Reading] = [:]
        var count = 0
    }

    /// How long an answer is given after it was read.
    private let goodFor: Duration
    private let now: @Sendable () -> Instant
    private let state = Mutex(State())

    init(goodFor: Duration, now: @escaping @Sendable () -> Instant = { .now }) {
        (self.goodFor, self.now) = (goodFor, now)
    }

    /// - Parameter read: called unless an answer is known or being read, however long that takes.
    /// - Throws: what `read` threw, to all who waited for it. The next request reads again.
    func answer(
        to question: Question, read: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let now = now()
        let task = state.withLock { state in
            state.readings = state.readings.filter { _, reading in reading.ended.map { now < $0 + goodFor } ?? true }
            if let known = state.readings[question] { return known.task }
            state.count += 1
            let number = state.count
            // Not the request's own task: others wait for it, too.
            let task = Task {
                do {
                    let answer = try await read()
                    end(question, number, isKept: true)
                    return answer
                } catch {
                    end(question, number, isKept: false)
                    throw error
                }
            }
            state.readings[question] = Reading(number: number, task: task)
            return task
        }
        return try await task.value
    }

    private func end(_ question: Question, _ number: Int, isKept: Bool) {
        let now = now()
        state.withLock { state in
            guard state.readings[question]?.number == number else { return }
            if isKept { state.readings[question]?.ended = now } else { state.readings[question] = nil }
        }
    }
}
