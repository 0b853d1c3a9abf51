/// Reads float8 and float4. A `numeric` has no exact `Double`: cast it in SQL, `sum(x)::float8` or `::text`, as you mean it.
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
