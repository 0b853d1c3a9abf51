/// A Swift type that maps to one PostgreSQL type in its binary format.
///
/// You can make your own type conform by building on an existing one:
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
    /// The declared type of a parameter. For COPY, which doesn't convert types, it must be exactly the column's type.
    static var postgresType: PostgresType { get }

    /// Whether a column of this type can be decoded. By default only ``postgresType`` itself can.
    static func accepts(_ type: PostgresType) -> Bool

    /// Appends the payload in big endian, without the length word.
    func encode(into buffer: inout [UInt8])

    /// Reads one payload, which is never NULL. The bytes are valid only during the call and can be unaligned.
    init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError)
}

extension PostgresCodable {
    public static func accepts(_ type: PostgresType) -> Bool { type == postgresType }
}
