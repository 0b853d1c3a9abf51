import Foundation

/// Sends a request to the server. A protocol, so that tests can break the connection.
protocol Transport: Sendable {
    /// Why no request can ever be sent; nil if nothing is wrong.
    var problem: WidgetCensus.Problem? { get }

    /// - Throws: if there was no response, so it is unknown whether the request arrived.
    func answer(to request: Request) async throws(NoAnswer) -> Answer
}

extension Transport {
    var problem: WidgetCensus.Problem? { nil }
}

/// Why there was no response, in the words of the system.
struct NoAnswer: Error, Hashable {
    /// Its error's domain and number.
    var code: String
    var message: String
}

struct Request: Hashable, Sendable {
    var method: String
    var path: String
    var headers: [String: String] = [:]
    var body: Data?
}

struct Answer: Hashable, Sendable {
    var status: Int
    /// Names are in lower case.
    var headers: [String: String] = [:]
    var body = Data()

    /// What the server says about a failure; empty if the response is not the server's.
    var explanation: Explanation {
        (try? JSONDecoder.ofWire.decode(Explanation.self, from: body)) ?? Explanation(code: "", message: "")
    }

    /// The clock of the server, or of a proxy in front of it.
    var date: Date? { headers["date"].flatMap(HTTPDate.parse) }

    /// Returns how long the server asks the client to wait.
    ///
    /// - Parameter now: the device's clock, for responses with a date.
    func retryAfter(now: Date) -> TimeInterval? {
        guard let text = headers["retry-after"] else { return nil }
        if let seconds = Double(text), seconds.isFinite { return max(seconds, 0) }
        return HTTPDate.parse(text).map { max($0.timeIntervalSince(date ?? now), 0) }
    }
}

struct Explanation: Hashable, Decodable, Sendable {
    var code: String
    var message: String
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
