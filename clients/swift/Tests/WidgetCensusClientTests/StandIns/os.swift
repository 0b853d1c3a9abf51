public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}
    public func error(_ message: OSLogMessage) {}
}

public struct OSLogPrivacy: Sendable { public static var `public`: OSLogPrivacy { OSLogPrivacy() } }

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public func appendLiteral(_ text: String) {}
        public func appendInterpolation(_ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy) {}
    }

    public init(stringLiteral text: String) {}
    public init(stringInterpolation text: StringInterpolation) {}
}
