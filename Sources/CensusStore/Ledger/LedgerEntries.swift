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
    /// - Parameter copy: where the net changes of a table go.
    func enter(_ entries: LedgerEntries, into copy: (LedgerTable) -> CopyStatement = \.enter) async throws {
        let apps = entries.byApp.sorted { $0.key < $1.key }
        for table in LedgerTable.all {
            let statement = copy(table)
            var rows = CopyRows(for: statement)
            for (appNumber, changes) in apps { table.append(changes, appNumber, &rows) }
            if !rows.isEmpty { try await copyIn(statement, [rows]) }
        }
    }
}
