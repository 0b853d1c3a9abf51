internal import CLibPQ

/// One row of a result. Columns are found by position, from 0, or by name; if two have the same name, the first one counts.
public struct Row: Sendable {
    let result: ResultHandle
    let index: Int
    let statement: String

    /// - Throws: ``PostgresError/Reason/decoding`` if the column is NULL, has another type or doesn't exist.
    public func decode<T: PostgresCodable>(_ type: T.Type, at column: Int) throws(PostgresError) -> T {
        // Doesn't call the optional version, for which the runtime would look up `T?` for each of millions of values.
        guard let bytes = try bytes(of: T.self, at: column) else {
            throw failure(PostgresDecodingError(.unexpectedNull), T.self, column)
        }
        return try value(bytes, at: column)
    }

    /// - Returns: nil if the column is NULL.
    public func decode<T: PostgresCodable>(_ type: T?.Type, at column: Int) throws(PostgresError) -> T? {
        guard let bytes = try bytes(of: T.self, at: column) else { return nil }
        return try value(bytes, at: column) as T
    }

    /// - Returns: nil if the column is NULL. The bytes are valid as long as the result.
    private func bytes<T: PostgresCodable>(
        of type: T.Type, at column: Int
    ) throws(PostgresError) -> UnsafeRawBufferPointer? {
        guard column >= 0, column < result.columnCount else {
            throw missing("#\(column)", T.self)
        }
        guard T.accepts(result.type(ofColumn: column)) else {
            throw failure(PostgresDecodingError(.wrongType), T.self, column)
        }
        return result.bytes(row: index, column: column)
    }

    private func value<T: PostgresCodable>(
        _ bytes: UnsafeRawBufferPointer, at column: Int
    ) throws(PostgresError) -> T {
        defer { withExtendedLifetime(result) {} }
        do throws(PostgresDecodingError) {
            return try T(postgresBinary: bytes)
        } catch {
            throw failure(error, T.self, column)
        }
    }

    /// - Throws: ``PostgresError/Reason/decoding`` if the column is NULL, has another type or doesn't exist.
    public func decode<T: PostgresCodable>(_ column: String, as type: T.Type) throws(PostgresError) -> T {
        try decode(T.self, at: try position(of: column, T.self))
    }

    /// - Returns: nil if the column is NULL.
    public func decode<T: PostgresCodable>(_ column: String, as type: T?.Type) throws(PostgresError) -> T? {
        try decode(T?.self, at: try position(of: column, T.self))
    }

    /// The size of a value as it was sent; nil if the column is NULL. The column must exist.
    public func byteCount(at column: Int) -> Int? { result.bytes(row: index, column: column)?.count }

    /// Whether two rows have the same bytes, or NULL, in some columns. The columns must exist, with the same types in both rows.
    public func hasBytes(of other: Row, at columns: [Int]) -> Bool {
        defer { withExtendedLifetime((result, other.result)) {} }
        for column in columns {
            let mine = result.bytes(row: index, column: column)
            let theirs = other.result.bytes(row: other.index, column: column)
            guard let mine, let theirs else {
                if mine == nil, theirs == nil { continue }
                return false
            }
            guard mine.count == theirs.count else { return false }
            for position in 0..<mine.count where mine[position] != theirs[position] { return false }
        }
        return true
    }

    private func position<T: PostgresCodable>(of column: String, _ type: T.Type) throws(PostgresError) -> Int {
        guard let position = result.position(ofColumn: column) else { throw missing(column, T.self) }
        return position
    }

    private func missing<T: PostgresCodable>(_ column: String, _ type: T.Type) -> PostgresError {
        let error = PostgresDecodingError(.noSuchColumn, expected: T.postgresType, column: column)
        return PostgresError(error, statement: statement)
    }

    private func failure<T: PostgresCodable>(
        _ error: PostgresDecodingError, _ type: T.Type, _ column: Int
    ) -> PostgresError {
        var error = error
        error.expected = T.postgresType
        error.found = result.type(ofColumn: column)
        error.column = PQfname(result.pointer, Int32(column)).map { String(cString: $0) }
        return PostgresError(error, statement: statement)
    }
}
