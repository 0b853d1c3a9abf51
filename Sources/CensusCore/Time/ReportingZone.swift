internal import Foundation

/// The time zone in which an app's days begin and end.
public struct ReportingZone: Hashable, Sendable {
    private let zone: TimeZone
    private let isUTC: Bool

    /// A zone that a person can set for an app; nil for anything but the accepted names.
    ///
    /// - Parameter name: `UTC`, or an area and a city of the IANA time zone database like `Europe/Prague`. Abbreviations are
    ///   not accepted, because they can mean different zones here and in PostgreSQL: `IST` is India's or Israel's.
    public init?(acceptable name: String) {
        if name == "Etc/UTC" {
            self = .utc
            return
        }
        let area = name.prefix { $0 != "/" }
        let isPlace = area.count < name.count && ReportingZone.areas.contains(String(area))
        guard name == "UTC" || isPlace, let zone = ReportingZone(identifier: name) else { return nil }
        self = zone
    }

    /// The database's areas with places. `Etc`, `US`, `posix` and so on have only aliases.
    private static let areas: Set = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
    ]

    /// The stored zone of an app, which might be older than the rules of ``init(acceptable:)``; nil if Foundation doesn't know
    /// it.
    public init?(identifier: String) {
        guard let zone = TimeZone(identifier: identifier),
            // Foundation's names for offsets (GMT+0530, UTC+2). PostgreSQL interprets their sign the other way.
            !zone.identifier.hasPrefix("GMT+"), !zone.identifier.hasPrefix("GMT-")
        else { return nil }
        self.zone = zone
        self.isUTC = zone == .gmt
    }

    public static let utc = ReportingZone(zone: .gmt)

    private init(zone: TimeZone) {
        self.zone = zone
        self.isUTC = zone == .gmt
    }

    public var identifier: String { isUTC ? "UTC" : zone.identifier }

    /// The day of an instant.
    public func day(of instant: Timestamp) -> Day {
        let local = instant.microseconds + offset(at: instant)
        return Day(daysSince1970: Int32(local.quotientRoundedDown(by: 86_400_000_000)))
    }

    /// The first instant of a day. If midnight doesn't exist, the first instant after the gap.
    public func start(of day: Day) -> Timestamp {
        let midnight = Timestamp(microseconds: Int64(day.daysSince1970) * 86_400_000_000)
        // Try the offset of the day before, which applies unless the offset changes at this midnight, then the other.
        let early = Timestamp(microseconds: midnight.microseconds - offset(at: midnight - .days(1)))
        if self.day(of: early) == day, self.day(of: early - .microseconds(1)) < day { return early }
        let late = Timestamp(microseconds: midnight.microseconds - offset(at: early))
        if self.day(of: late) == day, self.day(of: late - .microseconds(1)) < day { return late }
        return max(early, late)
    }

    /// How many seconds it is ahead of UTC.
    public func secondsFromUTC(at instant: Timestamp) -> Int { Int(offset(at: instant) / 1_000_000) }

    private func offset(at instant: Timestamp) -> Int64 {
        if isUTC { return 0 }
        let date = Date(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000)
        return Int64(zone.secondsFromGMT(for: date)) * 1_000_000
    }
}
