internal import Postgres

/// The result of checking one claim about a report on this database.
package struct ReportCheck: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable, PostgresCodable {
        /// A violation means that the report is wrong, which is our bug.
        case fail
        /// A violation means that the report is right, but a person should look at the data.
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
    /// The time limit for the checks of one report, which read all of it.
    private static let checkDeadline: Duration = .seconds(600)

    /// Checks every claim about the reports, in the order of the reports.
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
