internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The `Date` of responses (RFC 9110, section 5.6.7), formatted once a second.
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let last = Mutex<(second: Int, text: String)>((0, text(0)))

    static var now: String {
        let second = time(nil)
        return last.withLock { last in
            if last.second != second { last = (second, text(second)) }
            return last.text
        }
    }

    static func text(_ second: Int) -> String {
        var (second, utc) = (second, tm())
        gmtime_r(&second, &utc)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(days[Int(utc.tm_wday)]), \(two(utc.tm_mday)) \(months[Int(utc.tm_mon)]) \(1_900 + utc.tm_year)"
        return "\(day) \(two(utc.tm_hour)):\(two(utc.tm_min)):\(two(utc.tm_sec)) GMT"
    }
}
