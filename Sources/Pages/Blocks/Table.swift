internal import CensusCore

/// Rows with the same columns. The first column names the row.
struct Table: Sendable {
    enum Cell: Sendable {
        case words(Phrase?)
        case number(Int?)
        /// From 0 to 1.
        case share(Double?)
        /// A time, or a day where days are compared.
        case time(String?)
        /// How much of the largest row is certain, and how much possible, from 0 to 1.
        case bar(certain: Double, possible: Double)
        /// A share, its interval, and the share that it is compared with.
        case interval(Double?, low: Double?, high: Double?, beside: Double?)
    }

    struct Column: Sendable {
        /// As in a report: `devices_active`.
        var name: String
        var isNumber = false
        var isTime = false
        /// Only a browser shows it.
        var isDrawn = false
        /// What it is in SQL: a column of the report that the table is from, or something that is made of several.
        var source: String?
    }

    /// A column, and what it says of a row.
    struct Field<Row> {
        var column: Column
        var cell: (Row) -> Cell

        /// The same, from a column of a report.
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
    /// Said in place of a table without rows.
    var whenEmpty: Phrase
    /// More rows are only counted; nil: all are shown.
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

    /// The rows that are shown, and how many are not.
    var shown: (rows: ArraySlice<[Cell]>, left: Int) {
        let rows = self.rows.prefix(most ?? .max)
        return (rows, self.rows.count - rows.count)
    }
}
