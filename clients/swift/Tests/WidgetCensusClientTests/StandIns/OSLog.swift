// As much of OSLog's interface as docs/guides/ios.md uses.
public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}
    public func error(_ message: OSLogMessage) {}
}

public enum OSLogPrivacy { case `public` }

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public func appendLiteral(_ text: String) {}
        public func appendInterpolation(_ text: String, privacy: OSLogPrivacy) {}
    }

    public init(stringLiteral text: String) {}
    public init(stringInterpolation text: StringInterpolation) {}
}
