internal import CensusCore
internal import Postgres

/// Net changes of several apps, as one step of the reconciler enters them in the ledger's queues.
struct LedgerEntries: Sendable {
    private(set) var byApp: [Int32: NetChanges] = [:]

    /// Counts a device by its new reading instead of the one before.
    mutating func add(_ reading: DeviceReading, insteadOf before: DeviceReading?, appNumber: Int32) {
        byApp[appNumber, default: NetChanges()].add(reading, insteadOf: before)
    }
}

extension Transaction {
    func enter(_ entries: LedgerEntries) async throws {
        try await enter(entries, \.kinds, in: .kinds)
        try await enter(entries, \.unsettled, in: .unsettled)
        try await enter(entries, \.versions, in: .versions)
        try await enter(entries, \.installs, in: .installs)
        try await enter(entries, \.devices, in: .devices)
        try await enter(entries, \.changes, in: .changes)
        try await enter(entries, \.moves, in: .moves)
        try await enter(entries, \.outcomes, in: .outcomes)
        try await enter(entries, \.active, in: .active)
        try await enter(entries, \.overlaps, in: .overlaps)
        try await enter(entries, \.uses, in: .uses)
        try await enter(entries, \.cohorts, in: .cohorts)
    }

    private func enter<Cell, Value>(
        _ entries: LedgerEntries, _ part: KeyPath<NetChanges, NetAmounts<Cell, Value>>, in table: LedgerTable
    ) async throws {
        let columns = Cell.columns
        var rows = CopyRows(for: table.enter)
        for (appNumber, changes) in entries.byApp.sorted(by: { $0.key < $1.key }) {
            for (cell, amounts) in changes[keyPath: part].byCell {
                rows.append { row in
                    row.value(appNumber)
                    for column in columns { row.value(column.value(cell)) }
                    amounts.forEach { row.value(Int64($0)) }
                }
            }
        }
        if !rows.isEmpty { _ = try await copyIn(table.enter, [rows]) }
    }
}

extension CopyRows.Row {
    fileprivate mutating func value(_ value: CellValue) {
        switch value {
        case .day(let day): self.value(day)
        case .text(let text): self.value(text)
        case .number(let number): self.value(number)
        }
    }
}
