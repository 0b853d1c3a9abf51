internal import Postgres

/// A table of the ledger, with the statements that `scripts/generate-sql` makes for it from `sql/ledger/tables.toml`.
struct LedgerTable: Sendable {
    let name: String
    /// Copies net changes into the table's queue: the app, then the columns of cells and amounts.
    let enter: CopyStatement
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

    /// Devices that only possibly held a kind, by the OS of the claim.
    static let unsettled = LedgerTable(
        name: "kind_day_unsettled", enter: SQL.`DayLedger.enterUnsettled`, extend: SQL.`DayLedger.extendUnsettled`,
        apply: SQL.`DayLedger.applyUnsettled`, sweep: SQL.`DayLedger.sweepUnsettled`,
        verify: SQL.`DayLedger.verifyUnsettled`)

    /// The devices with each kind by what they ran.
    static let versions = LedgerTable(
        name: "version_day", enter: SQL.`DayLedger.enterVersions`, extend: SQL.`DayLedger.extendVersions`,
        apply: SQL.`DayLedger.applyVersions`, sweep: SQL.`DayLedger.sweepVersions`,
        verify: SQL.`DayLedger.verifyVersions`)

    /// Devices and widgets by all that tells installs apart.
    static let installs = LedgerTable(
        name: "install_day", enter: SQL.`DayLedger.enterInstalls`, extend: SQL.`DayLedger.extendInstalls`,
        apply: SQL.`DayLedger.applyInstalls`, sweep: SQL.`DayLedger.sweepInstalls`,
        verify: SQL.`DayLedger.verifyInstalls`)

    /// Devices heard from, with a widget, and reporting, by what they ran.
    static let devices = LedgerTable(
        name: "device_day", enter: SQL.`DayLedger.enterDevices`, extend: SQL.`DayLedger.extendDevices`,
        apply: SQL.`DayLedger.applyDevices`, sweep: SQL.`DayLedger.sweepDevices`, verify: SQL.`DayLedger.verifyDevices`)

    /// Widgets that came and went, by cause.
    static let changes = LedgerTable(
        name: "change_day", enter: SQL.`DayLedger.enterChanges`, extend: nil, apply: SQL.`DayLedger.applyChanges`,
        sweep: SQL.`DayLedger.sweepChanges`, verify: SQL.`DayLedger.verifyChanges`)

    /// Widgets that came and went, and devices that began or stopped holding a kind, by cause and what they ran.
    static let moves = LedgerTable(
        name: "move_day", enter: SQL.`DayLedger.enterMoves`, extend: nil, apply: SQL.`DayLedger.applyMoves`,
        sweep: SQL.`DayLedger.sweepMoves`, verify: SQL.`DayLedger.verifyMoves`)

    /// Suspects that a reboot settled, and ordinary removals, by OS.
    static let outcomes = LedgerTable(
        name: "outcome_day", enter: SQL.`DayLedger.enterOutcomes`, extend: nil, apply: SQL.`DayLedger.applyOutcomes`,
        sweep: SQL.`DayLedger.sweepOutcomes`, verify: SQL.`DayLedger.verifyOutcomes`)

    /// Distinct devices heard from on a day, in a week and in the window, by what they held.
    static let active = LedgerTable(
        name: "active_day", enter: SQL.`DayLedger.enterActive`, extend: SQL.`DayLedger.extendActive`,
        apply: SQL.`DayLedger.applyActive`, sweep: SQL.`DayLedger.sweepActive`, verify: SQL.`DayLedger.verifyActive`)

    /// Devices that held two kinds, one of which was ever marked legacy.
    static let overlaps = LedgerTable(
        name: "overlap_day", enter: SQL.`DayLedger.enterOverlaps`, extend: SQL.`DayLedger.extendOverlaps`,
        apply: SQL.`DayLedger.applyOverlaps`, sweep: SQL.`DayLedger.sweepOverlaps`,
        verify: SQL.`DayLedger.verifyOverlaps`)

    /// Devices that used a kind, and how often.
    static let uses = LedgerTable(
        name: "use_day", enter: SQL.`DayLedger.enterUses`, extend: nil, apply: SQL.`DayLedger.applyUses`,
        sweep: SQL.`DayLedger.sweepUses`, verify: SQL.`DayLedger.verifyUses`)

    /// How each week changed the devices that placed a kind in one week.
    static let cohorts = LedgerTable(
        name: "cohort_day", enter: SQL.`DayLedger.enterCohorts`, extend: nil, apply: SQL.`DayLedger.applyCohorts`,
        sweep: SQL.`DayLedger.sweepCohorts`, verify: SQL.`DayLedger.verifyCohorts`)

    /// What exists at the end of a day.
    static let levels = [kinds, unsettled, versions, installs, devices, active, overlaps]
    /// What happened during a day.
    static let flows = [changes, moves, outcomes, uses, cohorts]
    static let all = levels + flows
}
