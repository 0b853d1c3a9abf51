/// What one key may do at one node; 0 is no limit.
package struct RateLimits: Hashable, Sendable {
    /// A second. A key ships in an app, so this is for all of its phones together.
    package var requests = 1_000
    /// A second.
    package var events = 50_000

    /// How many seconds' worth an unused key may save up.
    static let burst = 2

    package static let none = RateLimits(requests: 0, events: 0)

    package init(requests: Int = 1_000, events: Int = 50_000) {
        self.requests = requests
        self.events = events
    }
}
