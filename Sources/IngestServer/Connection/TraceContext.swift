internal import HTTPTypes

/// The trace that a request belongs to (W3C Trace Context): its sender's, with a span of our own.
struct TraceContext: Sendable {
    /// 32 hexadecimal digits.
    let trace: String
    /// This server's part of the trace: 16 hexadecimal digits.
    let span = String(UInt64.random(in: 1 ... .max), radix: 16).padded(to: 16)
    private let flags: String

    /// - Returns: nil without a valid `traceparent`.
    init?(_ request: Request) {
        guard let sent = request.headers[.traceparent] else { return nil }
        self.init(sent)
    }

    /// - Parameter traceparent: version, trace, span and flags. Versions after 00 can have more.
    init?(_ traceparent: String) {
        let parts = traceparent.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count >= 4, zip(parts, [2, 32, 16, 2]).allSatisfy({ TraceContext.isHexadecimal($0, digits: $1) }),
            parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            !parts[1].allSatisfy({ $0 == "0" }), !parts[2].allSatisfy({ $0 == "0" })
        else { return nil }
        trace = String(parts[1])
        flags = String(parts[3])
    }

    private static func isHexadecimal(_ text: Substring, digits: Int) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The response's `traceresponse`, with our span in place of the sender's.
    var traceresponse: String { "00-\(trace)-\(span)-\(flags)" }
}

extension String {
    fileprivate func padded(to length: Int) -> String {
        String(repeating: "0", count: max(0, length - utf8.count)) + self
    }
}
