extension Row {
    /// The value of a column, of the type that is asked for.
    ///
    /// - Throws: ``PostgresError/Reason/decoding`` when the column is NULL, of another type, or not there.
    public subscript<T: PostgresCodable>(column: String) -> T {
        get throws(PostgresError) { try decode(column, as: T.self) }
    }

    /// - Returns: nil when the column is NULL.
    public subscript<T: PostgresCodable>(column: String) -> T? {
        get throws(PostgresError) { try decode(column, as: T?.self) }
    }
}

/// A type whose raw value is stored: an enum of texts.
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
