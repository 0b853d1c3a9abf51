internal import CLibPQ

/// The rows that a statement returned, in the server's order; empty for a statement that returns none.
///
/// The values stay in libpq's memory until decoded. Keeping a single ``Row`` keeps all of them.
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
        precondition(position >= 0 && position < count, "no such row")
        return Row(result: result, index: position, statement: statement)
    }
}
