/// Why one event was refused.
///
/// The sender's data is invalid, and the same bytes can never succeed. It is safe to show to the sender.
public enum Refusal: Error, Hashable, Sendable {
    case invalidID(String)
    case invalidTime(String)
    /// The corrected time is further back than ``Limits/retention``.
    case tooOld(by: Duration)
    /// The corrected time is further ahead than ``Limits/aheadTolerance``.
    case inFuture(by: Duration)
    case unknownType(String)
    case invalidWidget(String)
    case invalidReport(String)
    /// - Parameter limit: in words.
    case tooLong(field: String, limit: String)
    case tooManyKinds(String)
    /// One of the other cases, with the sender's names for our fields.
    case translated(code: String, message: String)

    /// Stable code on the wire, in metrics and in `refused.code`. Spelled out, so that renaming a case does not change it.
    public var code: String {
        switch self {
        case .invalidID: "invalid_id"
        case .invalidTime: "invalid_time"
        case .tooOld: "too_old"
        case .inFuture: "in_future"
        case .unknownType: "unknown_type"
        case .invalidWidget: "invalid_widget"
        case .invalidReport: "invalid_report"
        case .tooLong: "too_long"
        case .tooManyKinds: "too_many_kinds"
        case .translated(let code, _): code
        }
    }

    /// Every ``code``.
    public static let codes = [
        "invalid_id", "invalid_time", "too_old", "in_future", "unknown_type", "invalid_widget", "invalid_report",
        "too_long", "too_many_kinds",
    ]

    /// Says what is wrong and what to send instead. It never quotes the data.
    public var message: String {
        switch self {
        case .invalidID(let sentence), .invalidTime(let sentence), .unknownType(let sentence),
            .invalidWidget(let sentence), .invalidReport(let sentence), .tooManyKinds(let sentence),
            .translated(_, let sentence):
            sentence
        case .tooOld(let excess):
            "`at` is \(Refusal.hours(excess)) older than the retention period allows; drop the event"
        case .inFuture(let excess):
            "`at` is \(Refusal.hours(excess)) too far in the future, even after correcting the clock by `sent_at`"
        case .tooLong(let field, let limit):
            "`\(field)` is longer than \(limit)"
        }
    }

    private static func hours(_ span: Duration) -> String {
        let hours = Int(span.components.seconds / 3_600)
        return hours < 1 ? "less than an hour" : hours < 48 ? hours.counted("hour") : (hours / 24).counted("day")
    }
}
