/// A token bucket that can go into debt: a cost is always taken in full, and the next request waits. So a batch larger than the
/// bucket gets through, too.
struct TokenBucket {
    typealias Instant = ContinuousClock.Instant

    /// Tokens per second; 0 means no limit.
    private let rate: Double
    private var tokens: Double
    private var filledAt: Instant

    init(rate: Int, now: Instant) {
        self.rate = Double(rate)
        self.tokens = Double(rate * RateLimits.burst)
        self.filledAt = now
    }

    /// - Returns: how many whole seconds until there is a token, at least 1; nil if there is one now.
    mutating func wait(_ now: Instant) -> Int? {
        guard rate > 0 else { return nil }
        fill(now)
        guard tokens < 1 else { return nil }
        return max(Int(((1 - tokens) / rate).rounded(.up)), 1)
    }

    mutating func take(_ count: Int) {
        if rate > 0 { tokens -= Double(count) }
    }

    /// Whether it equals a new bucket.
    mutating func isFull(_ now: Instant) -> Bool {
        fill(now)
        return tokens >= rate * Double(RateLimits.burst)
    }

    private mutating func fill(_ now: Instant) {
        let (seconds, attoseconds) = (now - filledAt).components
        filledAt = now
        tokens = min(
            tokens + (Double(seconds) + Double(attoseconds) * 1e-18) * rate, rate * Double(RateLimits.burst))
    }
}
