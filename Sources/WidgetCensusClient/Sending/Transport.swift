import Foundation

/// Carries a request to the server. A protocol, so that tests can cut the connection.
protocol Transport: Sendable {
    /// - Returns: nil if there was no answer. Then it is unknown whether the request arrived.
    func answer(to request: Request) async -> Answer?
}

struct Request: Hashable, Sendable {
    var method: String
    var path: String
    var headers: [String: String] = [:]
    var body: Data?
}

struct Answer: Hashable, Sendable {
    var status: Int
    /// By names in lower case.
    var headers: [String: String] = [:]
    var body = Data()

    /// The server's clock, or that of a proxy before it.
    var date: Date? { headers["date"].flatMap(HTTPDate.parse) }

    /// How long the server wants to be left alone.
    ///
    /// - Parameter now: the device's clock, for answers that name a time.
    func retryAfter(now: Date) -> TimeInterval? {
        guard let text = headers["retry-after"] else { return nil }
        if let seconds = Double(text), seconds.isFinite { return max(seconds, 0) }
        return HTTPDate.parse(text).map { max($0.timeIntervalSince(date ?? now), 0) }
    }
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    static func parse(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}
