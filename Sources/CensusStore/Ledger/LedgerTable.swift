internal import CensusCore
internal import Postgres

/// A table of the ledger: the numbers of closed days, one row for each day and cell, with a queue of net changes that no night
/// has processed yet.
///
/// Columns follow from the cells and amounts in `Sources/CensusCore/Ledger`, statements from the columns.
struct LedgerTable: Sendable {
    enum Content {
        /// What exists at the end of a day.
        case level
        /// What happened during a day.
        case flow
    }

    /// Holds the numbers of closed days.
    let name: String
    /// The queue.
    let entries: String
    let content: Content
    /// What is counted apart, besides the day.
    let cells: [String]
    /// What is counted. A row is deleted when all are zero.
    let amounts: [String]
    /// A temporary table with net changes that a check counted.
    let counted: String

    /// Copies net changes into the queue: the app, then the columns of cells and amounts.
    let enter: CopyStatement
    /// Begins new days with the levels of the day before. Nil for a flow, which starts empty.
    let extend: Statement?
    /// Takes net changes from the queue and adds them up. Returns the changed days, one row for each cell.
    let apply: Statement
    /// Deletes rows that have only zeros.
    let sweep: Statement
    /// Copies net changes into ``counted``.
    let count: CopyStatement
    /// Compares closed days with ``counted``. Returns a ``LedgerDifference`` per row.
    let compare: Statement
    /// Finds rows of days that are not closed. Returns a ``LedgerDifference`` per row.
    let strays: Statement

    /// Appends an app's net changes to this table.
    let append: @Sendable (_ changes: NetChanges, _ appNumber: Int32, _ rows: inout CopyRows) -> Void

    private init<Cell, Value>(
        _ name: String, entries: String, _ content: Content,
        _ part: any KeyPath<NetChanges, NetAmounts<Cell, Value>> & Sendable, hash: String? = nil,
        firstKnown: [String] = []
    ) {
        let cells = Cell.columns.map(\.name).filter { $0 != "day" }
        let columns = LedgerColumns(
            table: name, entries: entries, cells: cells, amounts: Value.columns, hash: hash, firstKnown: firstKnown)
        self.name = name
        self.entries = entries
        self.content = content
        self.cells = cells
        amounts = Value.columns
        let counted = "counted_\(name)"
        self.counted = counted
        func statement(_ verb: String, _ text: String) -> Statement { Statement("LedgerTable.\(verb) \(name)", text) }
        enter = CopyStatement(statement("enter", columns.enter(into: "census.\(entries)")))
        extend = content == .level ? statement("extend", columns.extend) : nil
        apply = statement("apply", content == .level ? columns.applyLevel : columns.applyFlow)
        sweep = statement("sweep", columns.sweep)
        count = CopyStatement(statement("count", columns.enter(into: counted)))
        compare = statement(
            "compare",
            content == .level ? columns.compareLevel(with: counted) : columns.compareFlow(with: counted))
        strays = statement("strays", columns.strays)
        let cellColumns = Cell.columns
        append = { changes, appNumber, rows in
            for (cell, amounts) in changes[keyPath: part].byCell {
                rows.append { row in
                    row.value(appNumber)
                    for column in cellColumns { row.value(column.value(cell)) }
                    amounts.forEach { row.value(Int64($0)) }
                }
            }
        }
    }

    /// How many devices have each kind. The only table that keeps first known numbers.
    static let kinds = LedgerTable(
        "kind_day", entries: "kind_entry", .level, \.kinds, firstKnown: ["devices_certain", "devices_possible"])

    /// All of them, in the order in which a night works on them.
    static let all = [
        kinds,
        // Devices that only possibly have a kind, by the OS of the claim.
        LedgerTable("kind_day_unsettled", entries: "kind_unsettled_entry", .level, \.unsettled),
        // The devices with each kind by what they ran.
        LedgerTable("version_day", entries: "version_entry", .level, \.versions),
        // Devices and widgets by family, versions and platform.
        LedgerTable("install_day", entries: "install_entry", .level, \.installs, hash: "cell"),
        // Devices and their distinct configurations by intent.
        LedgerTable("intent_day", entries: "intent_entry", .level, \.intents),
        // Devices heard from, with a widget, and reporting, by what they ran.
        LedgerTable("device_day", entries: "device_entry", .level, \.devices),
        // The same devices by their number of widgets.
        LedgerTable("widget_count_day", entries: "widget_count_entry", .level, \.widgetCounts),
        // Widgets added and removed, by cause.
        LedgerTable("change_day", entries: "change_entry", .flow, \.changes),
        // The same, and devices that began or stopped holding a kind, by cause and what they ran.
        LedgerTable("move_day", entries: "move_entry", .flow, \.moves),
        // Suspects that a reboot settled, and ordinary removals, by OS.
        LedgerTable("outcome_day", entries: "outcome_entry", .flow, \.outcomes),
        // Distinct devices heard from on a day, in a week and in the window, by what they held.
        LedgerTable("active_day", entries: "active_entry", .level, \.active),
        // Devices that held two kinds.
        LedgerTable("overlap_day", entries: "overlap_entry", .level, \.overlaps),
        // Devices that used a kind, and how often.
        LedgerTable("use_day", entries: "use_entry", .flow, \.uses),
        // How each week changed the devices that placed a kind in one week.
        LedgerTable("cohort_day", entries: "cohort_entry", .flow, \.cohorts),
        // How long devices that placed a kind in one week kept it, and why they no longer have it.
        LedgerTable("lifetime_day", entries: "lifetime_entry", .flow, \.lifetimes),
        // How long devices first heard from in one week took to hold a widget.
        LedgerTable("first_widget_day", entries: "first_widget_entry", .flow, \.firstWidgets),
        // On how many days devices first heard from in one week were heard from, week after week.
        LedgerTable("engagement_day", entries: "engagement_entry", .flow, \.engagement),
    ]
}

extension CopyRows.Row {
    fileprivate mutating func value(_ value: CellValue) {
        switch value {
        case .day(let day): self.value(day)
        case .text(let text): self.value(text)
        case .number(let number): self.value(number)
        case .flag(let flag): self.value(flag)
        }
    }
}
