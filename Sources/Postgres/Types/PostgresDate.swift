/// A calendar day, `date` on the server.
///
/// The largest and smallest ``daysSince1970`` stand for `infinity` and `-infinity`.
public struct PostgresDate: Hashable, Sendable {
    public var daysSince1970: Int32

    public init(daysSince1970: Int32) {
        self.daysSince1970 = daysSince1970
    }

    /// 2000-01-01, PostgreSQL's epoch, in days since 1970-01-01.
    private static let postgresEpoch: Int32 = 10_957
}

extension PostgresDate: PostgresCodable {
    public static var postgresType: PostgresType { .date }

    /// A day before PostgreSQL's range (5.8 million years ago) is sent as `-infinity`.
    public func encode(into buffer: inout [UInt8]) {
        let isInfinite = daysSince1970 == .max || daysSince1970 == .min
        let (shifted, overflow) = daysSince1970.subtractingReportingOverflow(Self.postgresEpoch)
        (isInfinite ? daysSince1970 : overflow ? .min : shifted).appendBigEndian(to: &buffer)
    }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        guard bytes.count == 4 else { throw .wrongLength(bytes.count) }
        let value = try Int32(postgresBinary: bytes)
        guard value != .max, value != .min else {
            self.init(daysSince1970: value)
            return
        }
        let (shifted, overflow) = value.addingReportingOverflow(Self.postgresEpoch)
        guard !overflow else { throw .invalid("the date is out of range") }
        self.init(daysSince1970: shifted)
    }
}

extension PostgresDate: Comparable {
    public static func < (left: PostgresDate, right: PostgresDate) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }
}
