internal import CensusCore

/// A report's rows as text, with what a printer needs to know about its columns.
package struct ReportTable: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package var name: String
        /// Its cells are numbers, or true and false: programs get them without quotation marks.
        package var isNumber: Bool
        /// Its cells are days, or times in UTC.
        package var isTime: Bool
        /// Its cells are shown in full or not at all.
        package var isWhole: Bool

        package init(_ name: String, isNumber: Bool = false, isTime: Bool = false, isWhole: Bool = false) {
            self.name = name
            self.isNumber = isNumber
            self.isTime = isTime
            self.isWhole = isNumber || isTime || isWhole
        }
    }

    package var columns: [Column]
    package var rows: [[String?]]
    /// Columns that a narrow screen leaves out first, in this order.
    package var spare: [String]

    package init(columns: [Column], rows: [[String?]], spare: [String] = []) {
        self.columns = columns
        self.rows = rows
        self.spare = spare
    }

    /// A column whose cells are made from records.
    package struct RecordColumn<Record> {
        fileprivate var column: Column
        fileprivate var cell: (Record) -> String?

        package static func text(_ name: String, _ cell: @escaping (Record) -> String?) -> RecordColumn {
            RecordColumn(column: Column(name), cell: cell)
        }

        package static func number<Number: CustomStringConvertible>(
            _ name: String, _ cell: @escaping (Record) -> Number?
        ) -> RecordColumn {
            RecordColumn(column: Column(name, isNumber: true)) { cell($0)?.description }
        }

        package static func time<Time: CustomStringConvertible>(
            _ name: String, _ cell: @escaping (Record) -> Time?
        ) -> RecordColumn {
            RecordColumn(column: Column(name, isTime: true)) { cell($0)?.description }
        }
    }

    /// A row for each record.
    package init<Record>(_ records: [Record], _ columns: [RecordColumn<Record>], spare: [String] = []) {
        self.init(
            columns: columns.map(\.column), rows: records.map { record in columns.map { $0.cell(record) } },
            spare: spare)
    }

    /// RFC 4180, with types: texts are quoted, numbers, days and times are not, and null is an empty field.
    ///
    /// A text that a spreadsheet would run as a formula begins with an apostrophe.
    package var csv: String {
        var lines = [columns.map(\.name).joined(separator: ",")]
        for row in rows {
            lines.append(
                zip(columns, row).map { column, cell in
                    (column.isNumber || column.isTime ? cell : cell?.asCSVText) ?? ""
                }.joined(separator: ","))
        }
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    /// An array with an object for each row; numbers are numbers.
    package var json: String {
        rows.isEmpty ? "[]\n" : "[\n" + objects.map { "  " + $0 }.joined(separator: ",\n") + "\n]\n"
    }

    /// The same objects, one a line; nothing if there is no row.
    package var ndjson: String { objects.map { $0 + "\n" }.joined() }

    private var objects: [String] {
        rows.map { row in
            let members = zip(columns, row).map { column, cell in
                let value = cell.map { column.isNumber ? $0 : $0.jsonQuoted } ?? "null"
                return "\(column.name.jsonQuoted): \(value)"
            }
            return "{" + members.joined(separator: ", ") + "}"
        }
    }
}
