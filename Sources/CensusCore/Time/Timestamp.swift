internal import Foundation

/// An instant, in whole microseconds since 1970-01-01T00:00:00Z: the resolution of PostgreSQL's `timestamptz`.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var microseconds: Int64

    static let max = Timestamp(microseconds: .max)
    /// The beginning of 2009, the year in which phones first had widgets on the home screen (Android 1.5). Earlier times come
    /// from clocks that were never set.
    package static let firstWidgets = Timestamp(seconds: 1_230_768_000)

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    public init(seconds: Int64) {
        self.microseconds = seconds * 1_000_000
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    public static func + (instant: Timestamp, span: Duration) -> Timestamp {
        Timestamp(microseconds: instant.microseconds + span.microseconds)
    }

    public static func - (instant: Timestamp, span: Duration) -> Timestamp {
        Timestamp(microseconds: instant.microseconds - span.microseconds)
    }

    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .microseconds(later.microseconds - earlier.microseconds)
    }
}

extension Duration {
    /// Whole microseconds, truncated.
    public var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    public static func minutes(_ count: Int64) -> Duration { .seconds(count * 60) }
    public static func hours(_ count: Int64) -> Duration { .seconds(count * 3_600) }
    public static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }
}

extension Timestamp {
    /// The machine's clock.
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
