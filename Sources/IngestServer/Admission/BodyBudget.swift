internal import CensusStore
internal import Synchronization

/// Memory for the requests in progress, reserved before a body is read, and for answers until their clients have taken them.
///
/// A request that does not fit is turned away at once: the phone keeps its data, a process without memory loses it.
final class BodyBudget: Sendable {
    private let budget: Mutex<ByteBudget>
    private let metrics: IngestMetrics

    init(_ limits: AdmissionLimits, metrics: IngestMetrics) {
        self.budget = Mutex(ByteBudget(total: limits.bytes, share: limits.bytesPerKey))
        self.metrics = metrics
    }

    var taken: Int { budget.withLock { $0.taken } }
    var total: Int { budget.withLock { $0.total } }

    /// An empty reservation for a request with this key.
    func reservation(_ key: KeyHash) -> Reservation { Reservation(self, key) }

    /// Reserves memory for an answer, until the value is let go.
    ///
    /// - Parameter isOwed: what was stored must be acknowledged, even where that takes more than there is.
    /// - Throws: ``Problem``: 503 when there is no room.
    func answer(_ bytes: Int, to key: KeyHash, isOwed: Bool) throws -> Answer {
        // A single answer may be larger than all that a key may have: then it is the key's only one.
        let bytes = min(bytes, budget.withLock { $0.share })
        if isOwed {
            budget.withLock { $0.owe(key, from: 0, to: bytes) }
        } else {
            try change(key, from: 0, to: bytes)
        }
        return Answer(owner: self, key: key, bytes: bytes)
    }

    /// An answer's share.
    final class Answer: Sendable {
        private let owner: BodyBudget
        private let key: KeyHash
        private let bytes: Int

        fileprivate init(owner: BodyBudget, key: KeyHash, bytes: Int) {
            self.owner = owner
            self.key = key
            self.bytes = bytes
        }

        deinit { owner.budget.withLock { $0.owe(key, from: bytes, to: 0) } }
    }

    private func change(_ key: KeyHash, from old: Int, to new: Int) throws {
        guard budget.withLock({ $0.change(key, from: old, to: new) }) else {
            metrics.countTurnedAway(.room)
            throw Problem.noRoom
        }
    }

    /// One request's share, which ``end()`` gives back. Only that request's task holds it.
    final class Reservation {
        let key: KeyHash
        private let owner: BodyBudget
        private(set) var bytes = 0

        fileprivate init(_ owner: BodyBudget, _ key: KeyHash) {
            self.owner = owner
            self.key = key
        }

        /// - Throws: ``Problem``: 503 when there is no room for more.
        func resize(to bytes: Int) throws {
            guard bytes != self.bytes else { return }
            try owner.change(key, from: self.bytes, to: bytes)
            self.bytes = bytes
        }

        /// Gives back what is no longer needed.
        func shrink(to bytes: Int) {
            guard bytes < self.bytes else { return }
            _ = owner.budget.withLock { $0.change(key, from: self.bytes, to: bytes) }
            self.bytes = bytes
        }

        /// The request was answered.
        func end() { shrink(to: 0) }
    }
}

/// How much memory and how many threads requests may take.
package struct AdmissionLimits: Hashable, Sendable {
    /// For all requests that are being read, decoded, or wait for their commit.
    package var bytes = 64 << 20
    /// For requests with one key.
    package var bytesPerKey = 16 << 20
    /// A body that inflates to more waits its turn to be decoded: a smaller one takes a few milliseconds at most.
    package var lightBytes = 16 << 10
    /// Bytes of memory for each byte of a light body while it is decoded: `[1,1,…]` and widgets of one letter are the worst.
    package var decodedFactor = 16
    /// Heavy bodies that may wait for their turn: of one key, and of all.
    package var waitingPerKey = 16
    package var waiting = 64
    /// How long a heavy body waits for its turn.
    package var turn: Duration = .milliseconds(2_500)

    package init() {}
}
