// Decoding accepts all of PostgreSQL's integer types that fit: `Int` reads int2, int4 and int8, `Int32` int2 and int4.
// Parameters have the width of the Swift type, and PostgreSQL casts them on assignment and comparison.

extension FixedWidthInteger {
    @inlinable func appendBigEndian(to buffer: inout [UInt8]) {
        withUnsafeBytes(of: bigEndian) { buffer.append(contentsOf: $0) }
    }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// Reads all of two, four or eight bytes, but not more than this type has.
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

/// Encodes `Int` as int8 on every platform.
extension Int: PostgresCodable {
    public static var postgresType: PostgresType { .int8 }

    public static func accepts(_ type: PostgresType) -> Bool { Int64.accepts(type) }

    @inlinable public func encode(into buffer: inout [UInt8]) { Int64(self).appendBigEndian(to: &buffer) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        try self.init(bigEndianInteger: bytes)
    }
}

/// Reads float8 and float4. A `numeric` has no exact `Double`, so cast it in SQL to `::float8` or `::text`, as you need.
extension Double: PostgresCodable {
    public static var postgresType: PostgresType { .float8 }

    public static func accepts(_ type: PostgresType) -> Bool { type == .float8 || type == .float4 }

    @inlinable public func encode(into buffer: inout [UInt8]) { bitPattern.appendBigEndian(to: &buffer) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        switch bytes.count {
        case 8: self.init(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case 4: self.init(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        default: throw .wrongLength(bytes.count)
        }
    }
}

extension Bool: PostgresCodable {
    public static var postgresType: PostgresType { .bool }

    @inlinable public func encode(into buffer: inout [UInt8]) { buffer.append(self ? 1 : 0) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        guard bytes.count == 1 else { throw .wrongLength(bytes.count) }
        self = bytes[0] != 0
    }
}

/// Reads every string type and `json`. PostgreSQL's text can't contain U+0000; it rejects such a parameter with 22021.
extension String: PostgresCodable {
    public static var postgresType: PostgresType { .text }

    public static func accepts(_ type: PostgresType) -> Bool {
        switch type {
        case .text, .varchar, .bpchar, .name, .unknown, .json: true
        default: false
        }
    }

    @inlinable public func encode(into buffer: inout [UInt8]) { buffer.append(contentsOf: utf8) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        // Not `String(validating:as:)`, which looks up its encoding for each of millions of values.
        guard let text = try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span) else {
            throw .invalid("not UTF-8")
        }
        self = String(copying: text)
    }
}
