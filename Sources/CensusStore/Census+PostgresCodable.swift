public import CensusCore
public import Postgres

extension Timestamp: PostgresCodable {
    public static var postgresType: PostgresType { .timestamptz }

    public func encode(into buffer: inout [UInt8]) {
        PostgresTimestamp(microsecondsSince1970: microseconds).encode(into: &buffer)
    }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        self.init(microseconds: try PostgresTimestamp(postgresBinary: bytes).microsecondsSince1970)
    }
}

extension Day: PostgresCodable {
    public static var postgresType: PostgresType { .date }

    public func encode(into buffer: inout [UInt8]) {
        PostgresDate(daysSince1970: daysSince1970).encode(into: &buffer)
    }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        self.init(daysSince1970: try PostgresDate(postgresBinary: bytes).daysSince1970)
    }
}

extension Pseudonym: PostgresCodable {
    public static var postgresType: PostgresType { .uuid }

    public func encode(into buffer: inout [UInt8]) {
        UUIDBytes(high: high, low: low).encode(into: &buffer)
    }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        let uuid = try UUIDBytes(postgresBinary: bytes)
        self.init(high: uuid.high, low: uuid.low)
    }
}

extension Surface: PostgresCodable {}
extension Platform: PostgresCodable {}
extension Cause: PostgresCodable {}
extension Lifecycle: PostgresCodable {}
extension Readiness.Verdict: PostgresCodable {}
extension ReportGap: PostgresCodable {}
extension Rule: PostgresCodable {}

/// JSON written by this program, for a column of type `json`: its text unchanged.
struct StoredJSON: PostgresCodable {
    var bytes: [UInt8]

    static var postgresType: PostgresType { .json }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func encode(into buffer: inout [UInt8]) { buffer.append(contentsOf: bytes) }

    init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) { self.bytes = Array(bytes) }
}
