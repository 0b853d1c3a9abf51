/// An instant, `timestamptz` on the server.
///
/// The largest and smallest ``microsecondsSince1970`` stand for `infinity` and `-infinity`.
public struct PostgresTimestamp: Hashable, Sendable {
    public var microsecondsSince1970: Int64

    public init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 = microsecondsSince1970
    }

    /// 2000-01-01T00:00:00Z, PostgreSQL's epoch, in microseconds since 1970.
    private static let postgresEpoch: Int64 = 946_684_800_000_000
}

extension PostgresTimestamp: PostgresCodable {
    public static var postgresType: PostgresType { .timestamptz }

    /// An instant before PostgreSQL's range (290,000 years ago) is sent as `-infinity`.
    public func encode(into buffer: inout [UInt8]) {
        let isInfinite = microsecondsSince1970 == .max || microsecondsSince1970 == .min
        let (shifted, overflow) = microsecondsSince1970.subtractingReportingOverflow(Self.postgresEpoch)
        (isInfinite ? microsecondsSince1970 : overflow ? .min : shifted).appendBigEndian(to: &buffer)
    }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        guard bytes.count == 8 else { throw .wrongLength(bytes.count) }
        let value = try Int64(postgresBinary: bytes)
        guard value != .max, value != .min else {
            self.init(microsecondsSince1970: value)
            return
        }
        let (shifted, overflow) = value.addingReportingOverflow(Self.postgresEpoch)
        guard !overflow else { throw .invalid("the timestamp is out of range") }
        self.init(microsecondsSince1970: shifted)
    }
}

extension PostgresTimestamp: Comparable {
    public static func < (left: PostgresTimestamp, right: PostgresTimestamp) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }
}
