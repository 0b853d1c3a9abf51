internal import Synchronization

/// Gives one answer to all who ask the same question within a few seconds, for questions that cost much.
final class SharedAnswers<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Reading {
        var begun: Instant
        var task: Task<Answer, any Error>
    }

    /// How long an answer is given, from the start of its reading.
    private let goodFor: Duration
    private let readings = Mutex<[Question: Reading]>([:])

    init(goodFor: Duration) { self.goodFor = goodFor }

    /// - Parameter read: called unless an answer is known or being read.
    /// - Throws: what `read` threw, to all who waited for it. The next request reads again.
    func answer(
        to question: Question, at now: Instant = .now, read: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let task = readings.withLock { readings in
            readings = readings.filter { now < $0.value.begun + goodFor }
            if let known = readings[question] { return known.task }
            // Not the request's own task: others wait for it, too.
            let task = Task { try await read() }
            readings[question] = Reading(begun: now, task: task)
            return task
        }
        do { return try await task.value } catch {
            readings.withLock { readings in
                if readings[question]?.task == task { readings[question] = nil }
            }
            throw error
        }
    }
}
