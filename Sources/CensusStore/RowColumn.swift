internal import Postgres

/// A column of a table, and where a row's value for it comes from: parameters and statements follow from a list of them.
struct RowColumn<Row>: Sendable {
    let name: String
    /// Its type, as SQL names it.
    fileprivate let type: String
    fileprivate let append: @Sendable (Row, inout CopyRows.Row) -> Void
    /// - Parameter elements: as ``Column/init(elements:)`` takes them.
    fileprivate let array: @Sendable (_ elements: [UInt8]) -> any PostgresCodable

    init<Value: PostgresCodable>(_ name: String, _ value: @escaping @Sendable (Row) -> Value) {
        self.init(name, Value.self) { row, values in values.value(value(row)) }
    }

    /// Nil is NULL.
    init<Value: PostgresCodable>(_ name: String, _ value: @escaping @Sendable (Row) -> Value?) {
        self.init(name, Value.self) { row, values in values.value(value(row)) }
    }

    private init<Value: PostgresCodable>(
        _ name: String, _ type: Value.Type, append: @escaping @Sendable (Row, inout CopyRows.Row) -> Void
    ) {
        self.name = name
        self.type = "\(Value.postgresType)"
        self.append = append
        array = { Column<Value>(elements: $0) }
    }
}

extension [String] {
    /// Names, as SQL lists them.
    var listed: String { joined(separator: ", ") }
}

/// Rows of a table, as arrays of its columns.
struct RowArrays<Row>: Sendable {
    private let columns: [RowColumn<Row>]
    private(set) var rows: CopyRows

    init(_ columns: [RowColumn<Row>]) {
        self.columns = columns
        rows = CopyRows(columns: columns.count)
    }

    var isEmpty: Bool { rows.isEmpty }
    var count: Int { rows.count }

    mutating func append(_ row: Row) {
        rows.append { values in
            for column in columns { column.append(row, &values) }
        }
    }

    /// An array for each column, in their order.
    var parameters: [(any PostgresCodable)?] {
        zip(columns, CopyRows.columns(of: [rows], count: columns.count)).map { column, elements in
            column.array(elements)
        }
    }
}

extension Array {
    /// An update of rows of `census.TABLE`, by ``RowArrays/parameters``; the first column identifies a row.
    func update<Row>(_ table: String) -> String where Element == RowColumn<Row> {
        """
        update census.\(table) set
            \(dropFirst().map { "\($0.name) = changed.\($0.name)" }.joined(separator: ",\n    "))
        from \(unnested(as: "changed"))
        where \(table).\(self[0].name) = changed.\(self[0].name)
        """
    }

    /// The rows of ``RowArrays/parameters``, as a table of that name.
    func unnested<Row>(as name: String) -> String where Element == RowColumn<Row> {
        let arrays = enumerated().map { number, column in "$\(number + 1)::\(column.type)[]" }
        return "unnest(\(arrays.listed)) as \(name) (\(map(\.name).listed))"
    }
}
