internal import CensusStore
internal import HTTPTypes

/// Lets few people read at once: phones that report need the store's connections more.
///
/// The others wait in line, in turns by key, and are asked to come back when the line is long or their turn takes too long. One
/// place is always left for the readers of other keys.
final class ReadAdmission: Sendable {
    private let turns: FairTurns

    /// - Parameters:
    ///   - count: how many may read at once.
    ///   - longest: how many may wait, half of them with one key.
    ///   - patience: how long.
    init(count: Int = 3, longest: Int = 128, patience: Duration = .seconds(5)) {
        let line = FairLine(
            places: count, placesPerKey: max(1, count - 1), bytes: .max, waitingPerKey: max(1, longest / 2),
            waiting: longest)
        turns = FairTurns(line, patience: patience)
    }

    /// Runs work once there is a free place.
    ///
    /// - Throws: ``Problem``: 503 when there is none in time; otherwise what the work throws.
    func run<T>(for key: KeyHash, _ work: () async throws -> T) async throws -> T {
        guard let done = try await turns.run(key, { _ in try await work() }) else { throw Problem.readersWait }
        return done
    }
}

extension Problem {
    static let readersWait = Problem(
        .serviceUnavailable, "readers_wait", "too many people are reading at once: ask again",
        headers: [.retryAfter: "2"])
}
