internal import CensusCore
package import CensusStore

/// The result of sending a message.
package enum SendResult: Hashable, Sendable {
    /// - Parameter retryAfter: how long the receiver asks to wait.
    case answered(status: Int, retryAfter: Duration?)
    case failed(DeliveryFailure)
}

/// When a message is retried, and when it is given up. Follows the proposal of Standard Webhooks, over more than a day.
package enum DeliverySchedule {
    /// The delay after the first failure, after the second, and so on. After the last one the message is given up.
    static let delays: [Duration] = [
        .seconds(5), .minutes(5), .minutes(30), .hours(2), .hours(5), .hours(10), .hours(14),
    ]
    /// A share of the delay, up or down, so that receivers that fail together are not retried together.
    static let jitter = 0.1
    /// The longest wait that a receiver can ask for.
    static let longest: Duration = .days(1)

    /// - Parameters:
    ///   - attempt: 1 for the first.
    ///   - chance: at least 0 and below 1.
    package static func outcome(of result: SendResult, attempt: Int, chance: Double) -> WebhookOutcome {
        switch result {
        case .answered(let status, _) where (200..<300).contains(status): .delivered(status: status)
        case .answered(410, _): .gone(status: 410, reason: "it answered 410 Gone")
        case .answered(let status, let retryAfter):
            .failed(status: status, reason: reason(status), retryIn: delay(after: attempt, chance, atLeast: retryAfter))
        case .failed(let failure):
            .failed(status: nil, reason: "\(failure)", retryIn: delay(after: attempt, chance, atLeast: nil))
        }
    }

    /// - Returns: nil after the last attempt.
    private static func delay(after attempt: Int, _ chance: Double, atLeast asked: Duration?) -> Duration? {
        guard attempt <= delays.count else { return nil }
        let delay = delays[max(attempt, 1) - 1] * (1 - jitter + 2 * jitter * chance)
        return max(delay, min(asked ?? .zero, longest))
    }

    private static func reason(_ status: Int) -> String {
        (300..<400).contains(status)
            ? "it answered \(status), a redirect, which is not followed; add the URL that it redirects to"
            : "it answered \(status)"
    }
}

extension Duration {
    /// Reads the value of a `Retry-After` header: seconds, or a date of RFC 9110; nil for anything else.
    init?(retryAfter text: String, now: Timestamp) {
        if !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int(text)
        {
            self = .seconds(seconds)
        } else if let date = Timestamp(httpDate: text) {
            self = max(.zero, date - now)
        } else {
            return nil
        }
    }
}

extension Timestamp {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    fileprivate init?(httpDate text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = Timestamp.months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        self.init(rfc3339: "\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
    }
}
