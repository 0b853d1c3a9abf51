internal import CensusCore
internal import Postgres

/// A row that belongs to a device: a span, a phase, a month of uses or a cohort.
struct OwnedRow<Value: Sendable>: Sendable {
    var device: Pseudonym
    var appNumber: Int32
    var value: Value
}

/// A table of rows that belong to devices. Its statements follow from its columns.
struct OwnedTable<Value: Sendable>: Sendable {
    /// What identifies a row: the device first.
    let key: [RowColumn<OwnedRow<Value>>]
    let columns: [RowColumn<OwnedRow<Value>>]
    /// The rows of devices $1. In a table that is read from a time on: each device's rows from $2 on, or all if $2 is null.
    let select: Statement
    let delete: Statement
    let insert: CopyStatement

    /// - Parameters:
    ///   - name: the table's, without its schema.
    ///   - key: what identifies a row among its device's.
    ///   - others: its other columns.
    ///   - start: the type of the times from which rows are read, and the condition on a row and `wanted.start`; nil: all are
    ///     read.
    ///   - order: of a device's rows; nil: any.
    init(
        _ name: String, key: [RowColumn<OwnedRow<Value>>], _ others: [RowColumn<OwnedRow<Value>>],
        from start: (type: String, condition: String)? = nil, by order: String? = nil
    ) {
        self.key = [RowColumn("device_id") { $0.device }] + key
        columns = self.key + [RowColumn("app_number") { $0.appNumber }] + others
        let rows =
            start.map { start in
                """
                unnest($1::uuid[], $2::\(start.type)[]) as wanted (device_id, start)
                join census.\(name) using (device_id)
                where wanted.start is null or \(start.condition)
                """
            } ?? "census.\(name) where device_id = any($1::uuid[])"
        select = Statement(
            "\(name).select",
            """
            select \((self.key + others).map(\.name).listed)
            from \(rows)
            \(order.map { "order by device_id, \($0)" } ?? "")
            """)
        delete = Statement(
            "\(name).delete",
            """
            delete from census.\(name)
            using \(self.key.unnested(as: "gone"))
            where \(self.key.map { "\(name).\($0.name) = gone.\($0.name)" }.joined(separator: "\n    and "))
            """)
        insert = CopyStatement(
            Statement(
                "\(name).insert", "copy census.\(name) (\(columns.map(\.name).listed)) from stdin (format binary)"))
    }
}

/// Rows of one table to delete and to insert.
struct OwnedRows<Value: Sendable>: Sendable {
    private let table: OwnedTable<Value>
    private(set) var gone: RowArrays<OwnedRow<Value>>
    private(set) var added: RowArrays<OwnedRow<Value>>

    init(_ table: OwnedTable<Value>) {
        self.table = table
        gone = RowArrays(table.key)
        added = RowArrays(table.columns)
    }

    var count: Int { gone.count + added.count }

    mutating func insert(_ rows: some Sequence<OwnedRow<Value>>) { replace([], by: rows) }

    mutating func replace(_ gone: some Sequence<OwnedRow<Value>>, by added: some Sequence<OwnedRow<Value>>) {
        for row in gone { self.gone.append(row) }
        for row in added { self.added.append(row) }
    }

    /// Deletes first, because a row can be replaced by one with the same key.
    func save(in transaction: Transaction) async throws {
        if !gone.isEmpty { try await transaction.run(table.delete, gone.parameters) }
        if !added.isEmpty { try await transaction.copyIn(table.insert, [added.rows]) }
    }
}
