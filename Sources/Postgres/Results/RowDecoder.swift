extension Row {
    /// Decodes a struct: each property from the column with its name in snake case, `devicesCertain` from `devices_certain`.
    ///
    /// A property is decoded from its own column if its type is ``PostgresCodable``, or decodes from a single value, such as a
    /// wrapper of a string. A property that is any other struct is decoded from the columns of the same row. An optional
    /// property is nil if its column is NULL or, as after a left join, a column that its struct needs. A type that isn't a
    /// struct is decoded from the first column.
    ///
    /// - Throws: ``PostgresError/Reason/decoding`` if a column is NULL, has another type or doesn't exist.
    public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
        try RowDecoder(row: self).decode(type)
    }
}

extension Rows {
    /// Decodes each row with ``Row/decoded(as:)``.
    public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> [T] {
        try map { try $0.decoded(as: type) }
    }
}

/// Decodes a row, or the column named by the last key of its path.
private struct RowDecoder: Decoder {
    let row: Row
    var codingPath: [any CodingKey] = []

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func at(_ key: any CodingKey) -> RowDecoder { RowDecoder(row: row, codingPath: codingPath + [key]) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard let codable = T.self as? any PostgresCodable.Type, let value = try value(codable) as? T else {
            return try T(from: self)
        }
        return value
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        if let codable = T.self as? any PostgresCodable.Type { return try valueIfPresent(codable) as? T }
        do {
            return try T(from: self)
        } catch let error as PostgresError where error.decodingError?.problem == .unexpectedNull {
            return nil
        }
    }

    func value<T: PostgresCodable>(_ type: T.Type) throws(PostgresError) -> T {
        guard let key = codingPath.last else { return try row.decode(T.self, at: 0) }
        return try row.decode(key.column, as: T.self)
    }

    func valueIfPresent<T: PostgresCodable>(_ type: T.Type) throws(PostgresError) -> T? {
        guard let key = codingPath.last else { return try row.decode(T?.self, at: 0) }
        return try row.decode(key.column, as: T?.self)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowContainer(decoder: self))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { ColumnContainer(decoder: self) }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unreadable }

    var unreadable: PostgresError {
        PostgresError(
            PostgresDecodingError(.invalid("a type that no column can hold"), column: codingPath.last?.column),
            statement: row.statement)
    }
}

/// The columns of a row.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RowDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { decoder.row.result.columns.compactMap(Key.init) }

    /// Always true: the column must exist even for an optional property.
    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { decoder.at(key).singleValueContainer().decodeNil() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder.at(key).decode(type) }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try decoder.at(key).decodeIfPresent(type)
    }

    private func optional<T: PostgresCodable>(_ key: Key) throws(PostgresError) -> T? {
        try decoder.at(key).valueIfPresent(T.self)
    }

    // The protocol's default implementations wouldn't check the type of a column that is NULL.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        decoder.at(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.at(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }

    func superDecoder(forKey key: Key) -> any Decoder { decoder.at(key) }
}

/// One column of a row.
private struct ColumnContainer: SingleValueDecodingContainer {
    let decoder: RowDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        let result = decoder.row.result
        let position = decoder.codingPath.last.map { result.position(ofColumn: $0.column) } ?? 0
        guard let position, position < result.columnCount else { return false }
        return result.bytes(row: decoder.row.index, column: position) == nil
    }

    /// Decodes only types that a column can hold. The synthesised initialisers of other types would call this method forever.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard T.self is any PostgresCodable.Type else { throw decoder.unreadable }
        return try decoder.decode(type)
    }
}

extension CodingKey {
    /// `devices_certain` for `devicesCertain`. In a run of capitals, the last one begins a word if a small letter follows:
    /// `app_id` for `appID`, `is_os_update` for `isOSUpdate`.
    fileprivate var column: String {
        var column: [UInt8] = []
        let name = Array(stringValue.utf8)
        func isCapital(_ index: Int) -> Bool { name.indices.contains(index) && (0x41...0x5A).contains(name[index]) }
        for index in name.indices {
            guard isCapital(index) else {
                column.append(name[index])
                continue
            }
            let endsCapitals = isCapital(index - 1) && index + 1 < name.count && !isCapital(index + 1)
            if index > 0, !isCapital(index - 1) || endsCapitals { column.append(UInt8(ascii: "_")) }
            column.append(name[index] | 0x20)
        }
        return String(decoding: column, as: UTF8.self)
    }
}
