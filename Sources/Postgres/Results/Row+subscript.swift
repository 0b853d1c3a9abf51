extension Row {
    /// The value of a column, as the type that the context expects.
    ///
    /// - Throws: ``PostgresError/Reason/decoding`` if the column is NULL, has another type or doesn't exist.
    public subscript<T: PostgresCodable>(column: String) -> T {
        get throws(PostgresError) { try decode(column, as: T.self) }
    }

    /// - Returns: nil if the column is NULL.
    public subscript<T: PostgresCodable>(column: String) -> T? {
        get throws(PostgresError) { try decode(column, as: T?.self) }
    }
}

/// Stores a type by its raw value, such as an enum of strings.
extension PostgresCodable where Self: RawRepresentable, RawValue: PostgresCodable {
    public static var postgresType: PostgresType { RawValue.postgresType }

    public static func accepts(_ type: PostgresType) -> Bool { RawValue.accepts(type) }

    public func encode(into buffer: inout [UInt8]) { rawValue.encode(into: &buffer) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        guard let value = Self(rawValue: try RawValue(postgresBinary: bytes)) else {
            throw .invalid("a value that this program does not know")
        }
        self = value
    }
}
