internal import Postgres

/// What a report's folder in `sql/reports` says about it.
package struct ReportDescription: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package let name: String
        package let meaning: String

        init(_ name: String, _ meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    package let name: String
    /// What it answers, as a line of help says it: without a capital, and without a full stop.
    package let answer: String
    /// A promise to other people's queries.
    package let columns: [Column]
    /// Whether it can be narrowed to days.
    package let hasDays: Bool
    /// Whether it can be narrowed to a kind.
    package let hasKinds: Bool
    /// The columns by which its rows are sorted.
    let order: [String]
    /// Columns that a narrow screen leaves out first, in this order.
    package let spare: [String]
    /// Why no row matches, unless the data gives a better reason.
    package let whenEmpty: String
    /// Takes an app, a first day, a last day and a kind, whether it can be narrowed to them or not.
    let query: Statement
    /// Nil while it has none.
    let checks: Statement?

    /// All of them, in the order of `docs/reports.md`.
    package static var all: [ReportDescription] { Reports.all }
}
