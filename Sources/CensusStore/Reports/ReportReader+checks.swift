internal import Postgres

/// The result of checking a claim about a report on this database.
package struct ReportCheck: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable, PostgresCodable {
        /// A violation is a bug of ours: the report is wrong.
        case fail
        /// A violation is news: the report is right, and somebody should look.
        case warn
    }

    package var report: String
    package var severity: Severity
    package var claim: String
    /// The number of violations; 0 when the claim holds.
    package var found: Int

    package var holds: Bool { found == 0 }
}

extension ReportReader {
    /// How long the checks of one report may take; they read all of it.
    private static let checkDeadline: Duration = .seconds(600)

    /// Checks every claim made about the reports, in their order.
    package func check() async throws(StoreError) -> [ReportCheck] {
        var checks: [ReportCheck] = []
        for statement in ReportDescription.all.map(\.checks) { checks += try await check(statement) }
        return checks
    }

    private func check(_ statement: Statement) async throws(StoreError) -> [ReportCheck] {
        try await StoreError.wrapping {
            try await database.query(statement, deadline: ReportReader.checkDeadline).map { row in
                try ReportCheck(
                    report: statement.name, severity: row["severity"], claim: row["claim"], found: row["found"])
            }
        }
    }
}
