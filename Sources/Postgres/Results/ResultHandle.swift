internal import CLibPQ

/// Owns a PGresult, and frees it when the last row that refers to it is gone.
///
/// Unchecked, because libpq doesn't change a complete result, and reading it is thread-safe.
final class ResultHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }
    var rowCount: Int { Int(PQntuples(pointer)) }
    var columnCount: Int { Int(PQnfields(pointer)) }

    /// The command's tag, such as "INSERT 0 3" or "ROLLBACK".
    var tag: String { PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }

    /// The rows inserted, updated, deleted, copied or selected; 0 for any other command.
    var affected: Int { PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0 }

    var columns: [String] {
        (0..<columnCount).map { column in PQfname(pointer, Int32(column)).map { String(cString: $0) } ?? "" }
    }

    /// The position of the first column with a name. It doesn't use PQfnumber, which folds case as SQL does, and doesn't turn
    /// names into strings, because we decode millions of rows.
    func position(ofColumn column: String) -> Int? {
        var column = column
        return column.withUTF8 { wanted in
            (0..<columnCount).first { position in
                guard let name = PQfname(pointer, Int32(position)) else { return false }
                for (index, byte) in wanted.enumerated() where UInt8(bitPattern: name[index]) != byte { return false }
                return name[wanted.count] == 0
            }
        }
    }

    func type(ofColumn column: Int) -> PostgresType {
        PostgresType(rawValue: PQftype(pointer, Int32(column)))
    }

    /// The payload; nil for NULL. The cell must exist. The bytes are valid as long as this object lives.
    func bytes(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        let (row, column) = (Int32(row), Int32(column))
        guard PQgetisnull(pointer, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(pointer, row, column), count: Int(PQgetlength(pointer, row, column)))
    }
}
