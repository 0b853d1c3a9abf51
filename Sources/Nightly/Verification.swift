package import CensusStore

/// What a check of the ledger and of every report found.
package struct Verification: Sendable {
    /// Cells of an app's ledger that are not what a count straight from the spans finds.
    package var differences: [(appID: String, difference: LedgerDifference)] = []
    /// Claims about reports that do not hold; those of severity `warn` are news, not faults.
    package var broken: [ReportCheck] = []

    package init() {}

    /// Whether every number is right.
    package var holds: Bool { differences.isEmpty && broken.allSatisfy { $0.severity == .warn } }
}
