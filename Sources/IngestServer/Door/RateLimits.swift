/// What one key may do at one node; 0 is no limit.
package struct RateLimits: Hashable, Sendable {
    /// A second. A key ships in an app, so this is for all of its phones together.
    package var requests: Int
    /// A second; an event counts as many as the widgets that it lists, and at least one.
    package var events: Int
    /// A second, inflated.
    package var kibibytes: Int

    /// How many seconds' worth an unused key may save up.
    static let burst = 2

    package static let none = RateLimits(requests: 0, events: 0, kibibytes: 0)

    package init(requests: Int = 1_000, events: Int = 50_000, kibibytes: Int = 16 << 10) {
        self.requests = requests
        self.events = events
        self.kibibytes = kibibytes
    }
}
