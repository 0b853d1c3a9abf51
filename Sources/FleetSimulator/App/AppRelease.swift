import CensusCore

/// The versions of the app: a new one every eleven days, the last of them three days before the end.
enum AppRelease {
    private static let newestSerial: Int64 = 20 * 20 + 13

    /// The version that the store gives at `time`; all days count back from `end`.
    static func newest(at time: Timestamp, end: Timestamp) -> String {
        let untilLast = (end - .days(3) - time).microseconds
        let interval = Duration.days(11).microseconds
        let behind = untilLast <= 0 ? 0 : (untilLast + interval - 1) / interval
        return version(max(0, newestSerial - behind))
    }

    static let last = version(newestSerial)

    private static func version(_ serial: Int64) -> String { "\(serial / 20).\(serial % 20).0" }
}
