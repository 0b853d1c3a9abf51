internal import CensusStore

/// Lets the holders of keys ask the store in turns, few at once: one key's questions leave the store's connections to those
/// that report, and other keys' questions overtake the rest of its own.
final class StoreTurns: Sendable {
    private let turns: FairTurns
    private let usage: KeyUsage

    /// - Parameters:
    ///   - places: how many may ask at once.
    ///   - placesPerKey: how many of one key.
    ///   - patience: how long a question waits for its turn.
    init(
        places: Int, placesPerKey: Int, waitingPerKey: Int = 64, waiting: Int = 256, patience: Duration, usage: KeyUsage
    ) {
        let line = FairLine(
            places: places, placesPerKey: placesPerKey, bytes: .max, waitingPerKey: waitingPerKey, waiting: waiting)
        turns = FairTurns(line, patience: patience)
        self.usage = usage
    }

    /// - Returns: nil when too many wait, or the turn does not come in time.
    /// - Throws: what `work` throws.
    func run<T>(
        for key: KeyHash, _ work: () async throws(StoreError) -> T
    ) async throws(StoreError) -> T? {
        let outcome: Result<T, StoreError>?
        do {
            outcome = try await turns.run(key) { _ in
                let begun = ContinuousClock.now
                defer { usage.add(key, store: ContinuousClock.now - begun) }
                do throws(StoreError) { return .success(try await work()) } catch { return .failure(error) }
            }
        } catch {
            // Nothing else throws.
            outcome = nil
        }
        return try outcome?.get()
    }
}
