internal import Synchronization

/// Keeps one key from taking what belongs to all: requests are counted before their body is read, events once they are
/// known.
final class RateLimiter: Sendable {
    private struct Buckets {
        var requests: TokenBucket
        var events: TokenBucket
    }

    private let limits: RateLimits
    /// By the key's hash. Only keys that open something get here.
    private let buckets = Mutex<[[UInt8]: Buckets]>([:])
    /// Past so many keys those at rest are forgotten.
    private static let remembered = 4_096

    init(_ limits: RateLimits) { self.limits = limits }

    /// - Throws: ``Problem``: 429, with when to come back.
    func admit(_ key: [UInt8], now: ContinuousClock.Instant = .now) throws {
        guard limits != .none else { return }
        let wait = buckets.withLock { all -> Int? in
            if all.count > RateLimiter.remembered { RateLimiter.forget(&all, now) }
            var buckets = all[key] ?? fresh(now)
            let wait = [buckets.requests.wait(now), buckets.events.wait(now)].compactMap { $0 }.max()
            if wait == nil { buckets.requests.take(1) }
            all[key] = buckets
            return wait
        }
        if let wait { throw Problem.rateLimited(wait) }
    }

    func charge(_ key: [UInt8], events: Int, now: ContinuousClock.Instant = .now) {
        guard limits.events > 0 else { return }
        buckets.withLock { $0[key, default: fresh(now)].events.take(events) }
    }

    private func fresh(_ now: ContinuousClock.Instant) -> Buckets {
        Buckets(
            requests: TokenBucket(rate: limits.requests, now: now), events: TokenBucket(rate: limits.events, now: now))
    }

    private static func forget(_ all: inout [[UInt8]: Buckets], _ now: ContinuousClock.Instant) {
        for key in Array(all.keys) {
            guard var buckets = all[key] else { continue }
            if buckets.requests.isFull(now), buckets.events.isFull(now) { all[key] = nil }
        }
    }
}
