// Reading accepts any of PostgreSQL's integers that fits by type: `Int` reads int2, int4 and int8, `Int32` int2 and int4.
// Parameters keep the width of the Swift type, and PostgreSQL casts them on assignment and comparison.

extension FixedWidthInteger {
    @inlinable func appendBigEndian(to buffer: inout [UInt8]) {
        withUnsafeBytes(of: bigEndian) { buffer.append(contentsOf: $0) }
    }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// Reads two, four or eight bytes by their number, at most as many as this type has.
    init(bigEndianInteger bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        guard bytes.count <= MemoryLayout<Self>.size else { throw .wrongLength(bytes.count) }
        switch bytes.count {
        case 2: self = Self(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 4: self = Self(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 8: self = Self(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        default: throw .wrongLength(bytes.count)
        }
    }
}

extension Int16: PostgresCodable {
    public static var postgresType: PostgresType { .int2 }

    @inlinable public func encode(into buffer: inout [UInt8]) { appendBigEndian(to: &buffer) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        try self.init(bigEndianInteger: bytes)
    }
}

extension Int32: PostgresCodable {
    public static var postgresType: PostgresType { .int4 }

    public static func accepts(_ type: PostgresType) -> Bool { type == .int4 || type == .int2 }

    @inlinable public func encode(into buffer: inout [UInt8]) { appendBigEndian(to: &buffer) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        try self.init(bigEndianInteger: bytes)
    }
}

extension Int64: PostgresCodable {
    public static var postgresType: PostgresType { .int8 }

    public static func accepts(_ type: PostgresType) -> Bool { type == .int8 || type == .int4 || type == .int2 }

    @inlinable public func encode(into buffer: inout [UInt8]) { appendBigEndian(to: &buffer) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        try self.init(bigEndianInteger: bytes)
    }
}

/// `Int` is an int8 on every platform.
extension Int: PostgresCodable {
    public static var postgresType: PostgresType { .int8 }

    public static func accepts(_ type: PostgresType) -> Bool { Int64.accepts(type) }

    @inlinable public func encode(into buffer: inout [UInt8]) { Int64(self).appendBigEndian(to: &buffer) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        try self.init(bigEndianInteger: bytes)
    }
}
