/// Raw bytes, `bytea` on the server.
public struct ByteArray: Hashable, Sendable, Decodable {
    public var bytes: [UInt8]

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }
}

extension ByteArray: PostgresCodable {
    public static var postgresType: PostgresType { .bytea }

    @inlinable public func encode(into buffer: inout [UInt8]) { buffer.append(contentsOf: bytes) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        self.init(Array(bytes))
    }
}

extension ByteArray: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: UInt8...) {
        self.init(elements)
    }
}
