internal import Postgres

/// A table of the ledger, with the statements that `scripts/generate-sql` makes for it from `sql/ledger/tables.toml`.
struct LedgerTable: Sendable {
    let name: String
    /// Copies net changes into the table's queue: the app, then the columns of cells and amounts.
    let enter: Statement
    /// Begins new days with the levels of the day before. Nil for a flow, which begins empty.
    let extend: Statement?
    /// Takes net changes from the queue and adds them up. Returns the changed days, one row per cell.
    let apply: Statement
    /// Deletes rows in which nothing is left.
    let sweep: Statement
    /// Compares the table with a count made directly from spans and phases.
    let verify: Statement

    /// On how many devices each kind lives. The only table that keeps the numbers first known.
    static let kinds = LedgerTable(
        name: "kind_day", enter: SQL.`DayLedger.enterKinds`, extend: SQL.`DayLedger.extendKinds`,
        apply: SQL.`DayLedger.applyKinds`, sweep: SQL.`DayLedger.sweepKinds`, verify: SQL.`DayLedger.verifyKinds`)

    static let unsettled = LedgerTable(
        name: "kind_day_unsettled", enter: SQL.`DayLedger.enterUnsettled`, extend: SQL.`DayLedger.extendUnsettled`,
        apply: SQL.`DayLedger.applyUnsettled`, sweep: SQL.`DayLedger.sweepUnsettled`,
        verify: SQL.`DayLedger.verifyUnsettled`)

    /// The same devices by what they run.
    static let versions = LedgerTable(
        name: "version_day", enter: SQL.`DayLedger.enterVersions`, extend: SQL.`DayLedger.extendVersions`,
        apply: SQL.`DayLedger.applyVersions`, sweep: SQL.`DayLedger.sweepVersions`,
        verify: SQL.`DayLedger.verifyVersions`)

    static let installs = LedgerTable(
        name: "install_day", enter: SQL.`DayLedger.enterInstalls`, extend: SQL.`DayLedger.extendInstalls`,
        apply: SQL.`DayLedger.applyInstalls`, sweep: SQL.`DayLedger.sweepInstalls`,
        verify: SQL.`DayLedger.verifyInstalls`)

    static let devices = LedgerTable(
        name: "device_day", enter: SQL.`DayLedger.enterDevices`, extend: SQL.`DayLedger.extendDevices`,
        apply: SQL.`DayLedger.applyDevices`, sweep: SQL.`DayLedger.sweepDevices`, verify: SQL.`DayLedger.verifyDevices`)

    static let changes = LedgerTable(
        name: "change_day", enter: SQL.`DayLedger.enterChanges`, extend: nil, apply: SQL.`DayLedger.applyChanges`,
        sweep: SQL.`DayLedger.sweepChanges`, verify: SQL.`DayLedger.verifyChanges`)

    /// Devices that came to hold a kind, and that ceased to.
    static let holders = LedgerTable(
        name: "holder_day", enter: SQL.`DayLedger.enterHolders`, extend: nil, apply: SQL.`DayLedger.applyHolders`,
        sweep: SQL.`DayLedger.sweepHolders`, verify: SQL.`DayLedger.verifyHolders`)

    static let outcomes = LedgerTable(
        name: "outcome_day", enter: SQL.`DayLedger.enterOutcomes`, extend: nil, apply: SQL.`DayLedger.applyOutcomes`,
        sweep: SQL.`DayLedger.sweepOutcomes`, verify: SQL.`DayLedger.verifyOutcomes`)

    /// What exists at the end of a day.
    static let levels = [kinds, unsettled, versions, installs, devices]
    /// What happened during a day.
    static let flows = [changes, holders, outcomes]
    static let all = levels + flows
}
