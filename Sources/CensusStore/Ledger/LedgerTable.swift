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
        name: "kind_day", enter: SQL.LedgerTable.enterKinds, extend: SQL.LedgerTable.extendKinds,
        apply: SQL.LedgerTable.applyKinds, sweep: SQL.LedgerTable.sweepKinds, verify: SQL.LedgerTable.verifyKinds)

    /// Devices that only possibly held a kind, by the OS of the claim.
    static let unsettled = LedgerTable(
        name: "kind_day_unsettled", enter: SQL.LedgerTable.enterUnsettled, extend: SQL.LedgerTable.extendUnsettled,
        apply: SQL.LedgerTable.applyUnsettled, sweep: SQL.LedgerTable.sweepUnsettled,
        verify: SQL.LedgerTable.verifyUnsettled)

    /// The devices with each kind by what they ran.
    static let versions = LedgerTable(
        name: "version_day", enter: SQL.LedgerTable.enterVersions, extend: SQL.LedgerTable.extendVersions,
        apply: SQL.LedgerTable.applyVersions, sweep: SQL.LedgerTable.sweepVersions,
        verify: SQL.LedgerTable.verifyVersions)

    /// Devices and widgets by all that tells installs apart.
    static let installs = LedgerTable(
        name: "install_day", enter: SQL.LedgerTable.enterInstalls, extend: SQL.LedgerTable.extendInstalls,
        apply: SQL.LedgerTable.applyInstalls, sweep: SQL.LedgerTable.sweepInstalls,
        verify: SQL.LedgerTable.verifyInstalls)

    /// Devices heard from, with a widget, and reporting, by what they ran.
    static let devices = LedgerTable(
        name: "device_day", enter: SQL.LedgerTable.enterDevices, extend: SQL.LedgerTable.extendDevices,
        apply: SQL.LedgerTable.applyDevices, sweep: SQL.LedgerTable.sweepDevices, verify: SQL.LedgerTable.verifyDevices)

    /// Widgets that came and went, by cause.
    static let changes = LedgerTable(
        name: "change_day", enter: SQL.LedgerTable.enterChanges, extend: nil, apply: SQL.LedgerTable.applyChanges,
        sweep: SQL.LedgerTable.sweepChanges, verify: SQL.LedgerTable.verifyChanges)

    /// Widgets that came and went, and devices that began or stopped holding a kind, by cause and what they ran.
    static let moves = LedgerTable(
        name: "move_day", enter: SQL.LedgerTable.enterMoves, extend: nil, apply: SQL.LedgerTable.applyMoves,
        sweep: SQL.LedgerTable.sweepMoves, verify: SQL.LedgerTable.verifyMoves)

    /// Suspects that a reboot settled, and ordinary removals, by OS.
    static let outcomes = LedgerTable(
        name: "outcome_day", enter: SQL.LedgerTable.enterOutcomes, extend: nil, apply: SQL.LedgerTable.applyOutcomes,
        sweep: SQL.LedgerTable.sweepOutcomes, verify: SQL.LedgerTable.verifyOutcomes)

    /// Distinct devices heard from on a day, in a week and in the window, by what they held.
    static let active = LedgerTable(
        name: "active_day", enter: SQL.LedgerTable.enterActive, extend: SQL.LedgerTable.extendActive,
        apply: SQL.LedgerTable.applyActive, sweep: SQL.LedgerTable.sweepActive, verify: SQL.LedgerTable.verifyActive)

    /// Devices that held two kinds, one of which was ever marked legacy.
    static let overlaps = LedgerTable(
        name: "overlap_day", enter: SQL.LedgerTable.enterOverlaps, extend: SQL.LedgerTable.extendOverlaps,
        apply: SQL.LedgerTable.applyOverlaps, sweep: SQL.LedgerTable.sweepOverlaps,
        verify: SQL.LedgerTable.verifyOverlaps)

    /// Devices that used a kind, and how often.
    static let uses = LedgerTable(
        name: "use_day", enter: SQL.LedgerTable.enterUses, extend: nil, apply: SQL.LedgerTable.applyUses,
        sweep: SQL.LedgerTable.sweepUses, verify: SQL.LedgerTable.verifyUses)

    /// How each week changed the devices that placed a kind in one week.
    static let cohorts = LedgerTable(
        name: "cohort_day", enter: SQL.LedgerTable.enterCohorts, extend: nil, apply: SQL.LedgerTable.applyCohorts,
        sweep: SQL.LedgerTable.sweepCohorts, verify: SQL.LedgerTable.verifyCohorts)

    /// What exists at the end of a day.
    static let levels = [kinds, unsettled, versions, installs, devices, active, overlaps]
    /// What happened during a day.
    static let flows = [changes, moves, outcomes, uses, cohorts]
    static let all = levels + flows
}
