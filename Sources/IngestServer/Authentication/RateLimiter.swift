internal import CensusStore
internal import Synchronization

/// Keeps one key from taking the share of all others. Requests are counted before their body is read, bytes before they
/// are decoded, events once they are known.
final class RateLimiter: Sendable {
    private struct Buckets {
        var requests: TokenBucket
        var events: TokenBucket
        var kibibytes: TokenBucket
        /// Microseconds of a processor.
        var processor: TokenBucket

        /// How many seconds until none of them is empty; nil when none is.
        mutating func wait(_ now: ContinuousClock.Instant) -> Int? {
            [requests.wait(now), events.wait(now), kibibytes.wait(now), processor.wait(now)].compactMap { $0 }.max()
        }

        mutating func areFull(_ now: ContinuousClock.Instant) -> Bool {
            requests.isFull(now) && events.isFull(now) && kibibytes.isFull(now) && processor.isFull(now)
        }
    }

    private let limits: RateLimits
    /// By the key's hash. Only known keys get here.
    private let buckets = Mutex(Remembered())

    private struct Remembered {
        var buckets: [KeyHash: Buckets] = [:]
        /// Past this many keys, those whose buckets are full are forgotten: not at each request, where many are in use.
        var limit = RateLimiter.remembered
    }

    private static let remembered = 4_096

    init(_ limits: RateLimits) { self.limits = limits }

    /// - Throws: ``Problem``: 429, with the time to come back.
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

    /// Checks that the key has something left, for a request that was admitted and has waited since.
    ///
    /// - Throws: ``Problem``: 429, with the time to come back.
    func check(_ key: KeyHash, now: ContinuousClock.Instant = .now) throws {
        guard limits != .none else { return }
        // The request itself was counted when it was admitted.
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

    /// - Parameter processor: what a large body took to be read.
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

/// What one key may do at one node; 0 is no limit.
package struct RateLimits: Hashable, Sendable {
    /// Per second. A key ships in an app, so this is for all of its phones together.
    package var requests: Int
    /// Per second; an event counts once for each widget that it lists, and at least once.
    package var events: Int
    /// Per second, inflated.
    package var kibibytes: Int

    /// Microseconds per second that the large bodies of one key may take of a processor: bytes alone don't say what they cost.
    static let processor = 500_000

    /// How many seconds' worth an unused key may save up.
    static let burst = 2

    package static let none = RateLimits(requests: 0, events: 0, kibibytes: 0)

    package init(requests: Int = 1_000, events: Int = 50_000, kibibytes: Int = 16 << 10) {
        self.requests = requests
        self.events = events
        self.kibibytes = kibibytes
    }
}
