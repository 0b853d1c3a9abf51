internal import Postgres

/// The ledger: what was counted at the end of each closed day of each app, and what is still to be entered.
package struct DayLedger: Sendable {
    let database: Database
}
