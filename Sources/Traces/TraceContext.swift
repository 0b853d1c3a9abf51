/// A trace span's place in its trace, as `traceparent` and `traceresponse` say it (W3C Trace Context).
package struct TraceContext: Hashable, Sendable {
    /// 32 hexadecimal digits.
    package let trace: String
    /// 16 hexadecimal digits.
    package let span: String
    /// The span that this one is a part of; nil for the first of a trace, and for a sender's.
    package let parent: String?
    private let flags: String

    /// The first span of a new trace, which is sampled.
    package init() {
        trace = TraceContext.identifier() + TraceContext.identifier()
        span = TraceContext.identifier()
        parent = nil
        flags = "01"
    }

    /// The sender's span.
    ///
    /// - Parameter traceparent: version, trace, span and flags. Versions after 00 can have more.
    package init?(_ traceparent: String) {
        let parts = traceparent.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count >= 4, zip(parts, [2, 32, 16, 2]).allSatisfy({ TraceContext.isHexadecimal($0, digits: $1) }),
            parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            !parts[1].allSatisfy({ $0 == "0" }), !parts[2].allSatisfy({ $0 == "0" })
        else { return nil }
        trace = String(parts[1])
        span = String(parts[2])
        parent = nil
        flags = String(parts[3])
    }

    private init(partOf whole: TraceContext) {
        trace = whole.trace
        span = TraceContext.identifier()
        parent = whole.span
        flags = whole.flags
    }

    /// A new span that is a part of this one.
    package var child: TraceContext { TraceContext(partOf: self) }

    /// Whether the trace's first sender wants its spans.
    package var isSampled: Bool { UInt8(flags, radix: 16).map { $0 & 1 == 1 } ?? false }

    /// The value of `traceparent` and `traceresponse`.
    package var header: String { "00-\(trace)-\(span)-\(flags)" }

    private static func isHexadecimal(_ text: Substring, digits: Int) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func identifier() -> String {
        let digits = String(UInt64.random(in: 1 ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
