/// A Swift type that maps to one PostgreSQL type in its binary format.
///
/// Your own type conforms by building on one of those here:
///
/// ```swift
/// extension Celsius: PostgresCodable {
///     public static var postgresType: PostgresType { .float8 }
///     public func encode(into buffer: inout [UInt8]) { degrees.encode(into: &buffer) }
///     public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
///         self.init(degrees: try Double(postgresBinary: bytes))
///     }
/// }
/// ```
public protocol PostgresCodable: Sendable {
    /// The type a parameter is declared with. COPY does not convert: there it must be exactly the column's type.
    static var postgresType: PostgresType { get }

    /// Whether a column of this type can be decoded; by default only ``postgresType`` itself.
    static func accepts(_ type: PostgresType) -> Bool

    /// Appends the payload, big endian and without the length word.
    func encode(into buffer: inout [UInt8])

    /// Reads one payload. The bytes are valid only during the call, may be unaligned, and are never a NULL.
    init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError)
}

extension PostgresCodable {
    public static func accepts(_ type: PostgresType) -> Bool { type == postgresType }
}
