extension Bool: PostgresCodable {
    public static var postgresType: PostgresType { .bool }

    @inlinable public func encode(into buffer: inout [UInt8]) { buffer.append(self ? 1 : 0) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        guard bytes.count == 1 else { throw .wrongLength(bytes.count) }
        self = bytes[0] != 0
    }
}
