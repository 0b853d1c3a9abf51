/// The rows of a statement as the server prints them, for showing rather than computing.
public struct TextRows: Sendable, Hashable {
    public var columns: [String]
    public var types: [PostgresType]
    /// In the server's order, as many values as ``columns``; nil is NULL.
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
