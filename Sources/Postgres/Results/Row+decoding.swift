extension Row {
    /// The value of a column, of the type that is asked for.
    ///
    /// - Throws: ``PostgresError/Kind/decoding`` when the column is NULL, of another type, or not there.
    public subscript<T: PostgresCodable>(column: String) -> T {
        get throws(PostgresError) { try decode(column, as: T.self) }
    }

    /// - Returns: nil when the column is NULL.
    public subscript<T: PostgresCodable>(column: String) -> T? {
        get throws(PostgresError) { try decode(column, as: T?.self) }
    }

    /// Makes a value of the row: each property from the column of its name, `closedAt` from `closed_at`. A property that is a
    /// struct takes columns of the same row.
    ///
    /// It costs about a microsecond a value: statements with many rows are better read by subscripts.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws(PostgresError) -> T {
        do {
            return try T(from: RowDecoder(row: self))
        } catch let error as PostgresError {
            throw error
        } catch {
            // A property's own `init(from:)` refused what it was given.
            throw PostgresError(PostgresDecodingError(.invalid("not a value of the property's type")), statement: statement)
        }
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

private struct RowDecoder: Decoder {
    let row: Row

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowColumns<Key>(row: row))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw RowDecoder.unsupported }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw RowDecoder.unsupported }

    static let unsupported = PostgresDecodingError(.invalid("a row has named columns"))
}

private struct RowColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: Row

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    /// Also when the row has no such column: that is an error, and not a nil.
    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool { try row.isNull(key.column) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        guard let stored = T.self as? any PostgresCodable.Type else { return try T(from: RowDecoder(row: row)) }
        guard let value = try row.value(stored, key.column) as? T else { throw RowDecoder.unsupported }
        return value
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw RowDecoder.unsupported }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw RowDecoder.unsupported }

    func superDecoder() throws -> any Decoder { throw RowDecoder.unsupported }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw RowDecoder.unsupported }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try row[key.column] }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try row[key.column] }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try row[key.column] }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw RowDecoder.unsupported }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try row[key.column] }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { throw RowDecoder.unsupported }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try row[key.column] }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try row[key.column] }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try row[key.column] }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { throw RowDecoder.unsupported }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { throw RowDecoder.unsupported }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { throw RowDecoder.unsupported }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { throw RowDecoder.unsupported }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { throw RowDecoder.unsupported }
}
