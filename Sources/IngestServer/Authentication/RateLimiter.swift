internal import CensusStore
internal import Synchronization

/// Keeps one key from using up the server. Charges requests before their body is read, bytes before they are decoded, and
/// events after that.
final class RateLimiter: Sendable {
    private struct Buckets {
        var requests: TokenBucket
        var events: TokenBucket
        var kibibytes: TokenBucket
        /// Microseconds of processor time.
        var processor: TokenBucket

        /// How many seconds until no bucket is empty; nil if none is empty now.
        mutating func wait(_ now: ContinuousClock.Instant) -> Int? {
            [requests.wait(now), events.wait(now), kibibytes.wait(now), processor.wait(now)].compactMap { $0 }.max()
        }

        mutating func areFull(_ now: ContinuousClock.Instant) -> Bool {
            requests.isFull(now) && events.isFull(now) && kibibytes.isFull(now) && processor.isFull(now)
        }
    }

    private let limits: RateLimits
    /// By the key's hash.
    private let buckets = Mutex(Remembered())

    private struct Remembered {
        var buckets: [KeyHash: Buckets] = [:]
        /// Past this many keys, full buckets are removed. It grows with the keys in use, so that this doesn't happen at each
        /// request.
        var limit = RateLimiter.remembered
    }

    private static let remembered = 4_096

    init(_ limits: RateLimits) { self.limits = limits }

    /// - Throws: ``Problem``: 429, with the time to wait.
    func admit(_ key: KeyHash, now: @autoclosure () -> ContinuousClock.Instant = .now) throws {
        guard limits != .none else { return }
        let now = now()
        let wait = buckets.withLock { all -> Int? in
            if all.buckets.count > all.limit { RateLimiter.forget(&all, now) }
            let wait = all.buckets[key, default: fresh(now)].wait(now)
            if wait == nil { all.buckets[key]?.requests.take(1) }
            return wait
        }
        if let wait { throw Problem.rateLimited(wait) }
    }

    /// Checks the key's rate again for an admitted request that has waited.
    ///
    /// - Throws: ``Problem``: 429, with the time to wait.
    func check(_ key: KeyHash, now: ContinuousClock.Instant = .now) throws {
        guard limits != .none else { return }
        // The request itself was charged when it was admitted.
        let wait = buckets.withLock { all -> Int? in
            guard var mine = all.buckets[key] else { return nil }
            defer { all.buckets[key] = mine }
            return [mine.events.wait(now), mine.kibibytes.wait(now), mine.processor.wait(now)].compactMap { $0 }.max()
        }
        if let wait { throw Problem.rateLimited(wait) }
    }

    func charge(_ key: KeyHash, events: Int, now: @autoclosure () -> ContinuousClock.Instant = .now) {
        guard limits.events > 0 else { return }
        let now = now()
        buckets.withLock { $0.buckets[key, default: fresh(now)].events.take(events) }
    }

    /// - Parameter bytes: inflated.
    func charge(_ key: KeyHash, bytes: Int, now: @autoclosure () -> ContinuousClock.Instant = .now) {
        guard limits.kibibytes > 0 else { return }
        let now = now()
        buckets.withLock { $0.buckets[key, default: fresh(now)].kibibytes.take((bytes + 1_023) / 1_024) }
    }

    /// - Parameter processor: the processor time for decoding a large body.
    func charge(_ key: KeyHash, processor: Duration, now: ContinuousClock.Instant = .now) {
        guard limits.kibibytes > 0 else { return }
        buckets.withLock { $0.buckets[key, default: fresh(now)].processor.take(Int(processor / .microseconds(1))) }
    }

    private func fresh(_ now: ContinuousClock.Instant) -> Buckets {
        Buckets(
            requests: TokenBucket(rate: limits.requests, now: now),
            events: TokenBucket(rate: limits.events, now: now),
            kibibytes: TokenBucket(rate: limits.kibibytes, now: now),
            processor: TokenBucket(rate: limits.kibibytes > 0 ? RateLimits.processor : 0, now: now))
    }

    private static func forget(_ all: inout Remembered, _ now: ContinuousClock.Instant) {
        for key in Array(all.buckets.keys) {
            guard var buckets = all.buckets[key] else { continue }
            if buckets.areFull(now) { all.buckets[key] = nil }
        }
        all.limit = max(remembered, 2 * all.buckets.count)
    }
}

/// The rate limits for one key on one node; 0 means no limit.
package struct RateLimits: Hashable, Sendable {
    /// Per second, for all phones with the app together, because they share its key.
    package var requests: Int
    /// Per second. An event counts once for each widget that it lists, and at least once.
    package var events: Int
    /// Per second, inflated.
    package var kibibytes: Int

    /// Microseconds of processor time per second for the large bodies of one key, because their cost doesn't follow from their
    /// size.
    static let processor = 500_000

    /// How many seconds' worth an idle key can save up.
    static let burst = 2

    package static let none = RateLimits(requests: 0, events: 0, kibibytes: 0)

    package init(requests: Int = 1_000, events: Int = 50_000, kibibytes: Int = 16 << 10) {
        self.requests = requests
        self.events = events
        self.kibibytes = kibibytes
    }
}
