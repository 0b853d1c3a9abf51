internal import HTTPTypes
internal import Synchronization

/// Lets few people read at once: phones that report need the store's connections more.
///
/// The others wait in line, and are told to come back when the line is long or their turn does not come in time.
final class ReadPlaces: Sendable {
    private struct State {
        var free: Int
        var nextNumber = 0
        /// In their order.
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>
    private let longest: Int
    private let patience: Duration

    /// - Parameters:
    ///   - count: how many may read at once.
    ///   - longest: how many may wait.
    ///   - patience: how long.
    init(count: Int = 2, longest: Int = 64, patience: Duration = .seconds(5)) {
        state = Mutex(State(free: count))
        self.longest = longest
        self.patience = patience
    }

    /// Runs work once there is a place.
    ///
    /// - Throws: ``Problem``: 503 when there is none in time; otherwise what the work throws.
    func run<T: Sendable>(_ work: () async throws -> T) async throws -> T {
        guard await enter() else { throw Problem.readersWait }
        defer { leave() }
        return try await work()
    }

    private func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            let number: Int? = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    continuation.resume(returning: true)
                    return nil
                }
                guard state.waiting.count < longest else {
                    continuation.resume(returning: false)
                    return nil
                }
                state.nextNumber += 1
                state.waiting.append((state.nextNumber, continuation))
                return state.nextNumber
            }
            guard let number else { return }
            Task { [patience] in
                try? await Task.sleep(for: patience)
                giveUp(number)
            }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    private func giveUp(_ number: Int) {
        let late = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let place = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: place).continuation
        }
        late?.resume(returning: false)
    }
}

extension Problem {
    static let readersWait = Problem(
        .serviceUnavailable, "readers_wait", "too many people are reading at once: ask again",
        headers: [.retryAfter: "2"])
}
