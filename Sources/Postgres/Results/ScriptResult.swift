internal import CLibPQ

/// What one statement of a script came to.
public struct ScriptResult: Sendable, Hashable {
    /// The server's tag, such as `COPY 10000` or `INSERT 0 3`; empty for an empty statement.
    public var tag: String
    /// The number of rows copied, inserted, updated, deleted or selected.
    public var affected: Int
    /// For a SELECT, or a statement with RETURNING, its rows.
    public var rows: TextRows?
}

extension ScriptResult {
    init(_ result: ResultHandle) {
        tag = result.tag
        affected = result.affected
        rows = result.status == PGRES_TUPLES_OK ? TextRows(result) : nil
    }
}
