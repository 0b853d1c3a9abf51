internal import CLibPQ

/// The rows that a statement returned, in the server's order; empty if it returns none.
///
/// The values stay in libpq's memory until they are decoded. Keeping one ``Row`` keeps the whole result.
public struct Rows: Sendable {
    let result: ResultHandle
    /// The name of the statement.
    public let statement: String
    public let count: Int

    init(_ result: ResultHandle, statement: String) {
        self.result = result
        self.statement = statement
        count = result.rowCount
    }

    /// The number of rows inserted, updated, deleted or selected.
    public var affected: Int { result.affected }

    public var columns: [String] { result.columns }

    public var types: [PostgresType] { (0..<result.columnCount).map(result.type(ofColumn:)) }
}

extension Rows: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(position: Int) -> Row {
        precondition(position >= 0 && position < count, "row out of range")
        return Row(result: result, index: position, statement: statement)
    }
}

/// The rows of a statement as text from the server, for display.
public struct TextRows: Sendable, Hashable {
    public var columns: [String]
    public var types: [PostgresType]
    /// In the server's order, each with as many values as ``columns``; nil is NULL.
    public var rows: [[String?]]
    /// The number of rows inserted, updated, deleted or selected.
    public var affected: Int
}

extension TextRows {
    /// - Parameter result: a result in text format.
    init(_ result: ResultHandle) {
        let columnIndices = 0..<result.columnCount
        columns = result.columns
        types = columnIndices.map(result.type(ofColumn:))
        affected = result.affected
        rows = (0..<result.rowCount).map { row in
            columnIndices.map { column in
                result.bytes(row: row, column: column).map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }
}

/// The outcome of one statement of a script.
public struct ScriptResult: Sendable, Hashable {
    /// The server's tag, such as `COPY 10000` or `INSERT 0 3`; empty for an empty statement.
    public var tag: String
    /// The number of rows copied, inserted, updated, deleted or selected.
    public var affected: Int
    /// The rows of a SELECT, or of a statement with RETURNING.
    public var rows: TextRows?
}

extension ScriptResult {
    init(_ result: ResultHandle) {
        tag = result.tag
        affected = result.affected
        rows = result.status == PGRES_TUPLES_OK ? TextRows(result) : nil
    }
}
