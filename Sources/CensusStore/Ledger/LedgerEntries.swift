internal import CensusCore
internal import Postgres

/// Net changes of several apps, as a step of the reconciler enters them in the ledger's queues.
struct LedgerEntries: Sendable {
    private(set) var byApp: [Int32: NetChanges] = [:]

    /// Counts a device by its new reading and no longer by the one before.
    mutating func add(_ reading: DeviceReading, insteadOf before: DeviceReading?, appNumber: Int32) {
        guard !(before.map(reading.countsLike) ?? false) else { return }
        byApp[appNumber, default: NetChanges()].add(reading, times: 1)
        if let before { byApp[appNumber, default: NetChanges()].add(before, times: -1) }
    }
}

extension Transaction {
    func enter(_ entries: LedgerEntries) async throws {
        var rows = LedgerRows()
        for (appNumber, changes) in entries.byApp.sorted(by: { $0.key < $1.key }) { rows.add(changes, appNumber) }
        try await copy(rows.kinds, SQL.`DayLedger.enterKinds`)
        try await copy(rows.unsettled, SQL.`DayLedger.enterUnsettled`)
        try await copy(rows.installs, SQL.`DayLedger.enterInstalls`)
        try await copy(rows.devices, SQL.`DayLedger.enterDevices`)
        try await copy(rows.changes, SQL.`DayLedger.enterChanges`)
        try await copy(rows.outcomes, SQL.`DayLedger.enterOutcomes`)
    }

    private func copy(_ rows: CopyRows, _ statement: Statement) async throws {
        if !rows.isEmpty { _ = try await copyIn(statement, [rows]) }
    }
}

/// The rows of each queue.
private struct LedgerRows {
    var kinds = CopyRows(columns: 14)
    var unsettled = CopyRows(columns: 8)
    var installs = CopyRows(columns: 13)
    var devices = CopyRows(columns: 10)
    var changes = CopyRows(columns: 8)
    var outcomes = CopyRows(columns: 8)

    mutating func add(_ net: NetChanges, _ appNumber: Int32) {
        for (cell, amounts) in net.kinds.byCell {
            kinds.append { row in
                row.value(appNumber)
                row.value(cell)
                for amount in [
                    amounts.devicesCertain, amounts.devicesPossible, amounts.devicesStillThere,
                    amounts.devicesReported, amounts.widgetsCertain, amounts.widgetsPossible,
                    amounts.widgetsReported, amounts.widgetsSuspect, amounts.widgetsGone,
                    amounts.widgetsStillThere,
                ] { row.value(Int64(amount)) }
            }
        }
        for (cell, count) in net.unsettled.byCell {
            unsettled.append { row in
                row.value(appNumber)
                row.value(cell.kind)
                row.value(cell.claim)
                row.value(Int64(count))
            }
        }
        for (cell, amounts) in net.installs.byCell {
            installs.append { row in
                row.value(appNumber)
                row.value(cell.kind)
                row.value(cell.family)
                row.value(cell.version)
                for amount in [
                    amounts.devicesCertain, amounts.devicesPossible, amounts.widgetsCertain,
                    amounts.widgetsPossible, amounts.widgetsReported,
                ] { row.value(Int64(amount)) }
            }
        }
        for (cell, amounts) in net.devices.byCell {
            devices.append { row in
                row.value(appNumber)
                row.value(cell.day)
                row.value(cell.version)
                row.value(cell.galleryPolicy)
                for amount in [amounts.active, amounts.withWidget, amounts.reporting, amounts.cloned] {
                    row.value(Int64(amount))
                }
            }
        }
        for (cell, amounts) in net.changes.byCell {
            changes.append { row in
                row.value(appNumber)
                row.value(cell.kind)
                row.value(cell.family)
                row.value(cell.cause.rawValue)
                row.value(Int64(amounts.added))
                row.value(Int64(amounts.removed))
            }
        }
        for (cell, amounts) in net.outcomes.byCell {
            outcomes.append { row in
                row.value(appNumber)
                row.value(cell.day)
                row.value(cell.claim)
                for amount in [amounts.settled, amounts.stillThere, amounts.seconds] { row.value(Int64(amount)) }
            }
        }
    }
}

extension CopyRows.Row {
    fileprivate mutating func value(_ cell: KindCell) {
        value(cell.day)
        value(cell.surface.rawValue)
        value(cell.kind)
    }

    fileprivate mutating func value(_ cell: ClaimCell) {
        value(cell.platform.rawValue)
        value(cell.osVersion)
        value(cell.rule.rawValue)
    }

    fileprivate mutating func value(_ cell: VersionCell) {
        value(cell.appVersion)
        value(cell.osVersion)
        value(cell.platform.rawValue)
    }
}
