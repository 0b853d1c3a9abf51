internal import CensusCore

/// Rows with the same columns. The first column is the row's heading.
struct Table: Sendable {
    enum Cell: Sendable {
        case words(Phrase?)
        case number(Int?)
        /// From 0 to 1.
        case share(Double?)
        /// A time, or a day in a table of days.
        case time(String?)
        /// The certain and the possible number, relative to the largest row, from 0 to 1.
        case bar(certain: Double, possible: Double)
        /// A share, its interval, and a share to compare it with.
        case interval(Double?, low: Double?, high: Double?, beside: Double?)
    }

    struct Column: Sendable {
        /// In the form of report columns: `devices_active`.
        var name: String
        var isNumber = false
        var isTime = false
        /// Whether only a browser shows it.
        var isDrawn = false
        /// The SQL behind it: a column of the table's report, or an expression of several.
        var source: String?
    }

    /// A column, and how to get its cell from a row.
    struct Field<Row> {
        var column: Column
        var cell: (Row) -> Cell

        /// The same field, with a report's column as its source.
        func from(_ source: String) -> Field {
            var field = self
            field.column.source = source
            return field
        }

        static func words(_ name: String, _ words: @escaping (Row) -> Phrase?) -> Field {
            Field(column: Column(name: name)) { .words(words($0)) }
        }
        static func text(_ name: String, _ text: @escaping (Row) -> String?) -> Field {
            Field(column: Column(name: name)) { .words(text($0).map { Phrase($0) }) }
        }
        static func number(_ name: String, _ number: @escaping (Row) -> Int?) -> Field {
            Field(column: Column(name: name, isNumber: true)) { .number(number($0)) }
        }
        static func share(_ name: String, _ share: @escaping (Row) -> Double?) -> Field {
            Field(column: Column(name: name, isNumber: true)) { .share(share($0)) }
        }
        static func time<Time: CustomStringConvertible>(_ name: String, _ time: @escaping (Row) -> Time?) -> Field {
            Field(column: Column(name: name, isTime: true)) { .time(time($0)?.description) }
        }
        static func interval(
            _ name: String, _ shares: @escaping (Row) -> (share: Double?, low: Double?, high: Double?, beside: Double?)
        ) -> Field {
            Field(column: Column(name: name)) { row in
                let shares = shares(row)
                return .interval(shares.share, low: shares.low, high: shares.high, beside: shares.beside)
            }
        }
        static func bar(_ name: String, _ bar: @escaping (Row) -> (certain: Double, possible: Double)) -> Field {
            Field(column: Column(name: name, isDrawn: true)) { row in
                let (certain, possible) = bar(row)
                return .bar(certain: certain, possible: possible)
            }
        }
    }

    var caption: String
    var columns: [Column]
    var rows: [[Cell]]
    /// Shown instead of a table without rows.
    var whenEmpty: Phrase
    /// The most rows to show; the rest are only counted. Nil: all.
    var most: Int?

    init<Row>(
        _ caption: String, _ rows: some Sequence<Row>, _ fields: [Field<Row>], whenEmpty: Phrase = "", most: Int? = nil
    ) {
        self.caption = caption
        self.columns = fields.map(\.column)
        self.rows = rows.map { row in fields.map { $0.cell(row) } }
        self.whenEmpty = whenEmpty
        self.most = most
    }

    /// The rows to show, and how many are left out.
    var shown: (rows: ArraySlice<[Cell]>, left: Int) {
        let rows = self.rows.prefix(most ?? .max)
        return (rows, self.rows.count - rows.count)
    }
}
