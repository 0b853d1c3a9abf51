internal import CensusCore
internal import Postgres

/// What one step of the reconciler writes, gathered over its devices.
struct DeviceChanges: Sendable {
    private(set) var spans = OwnedRows(StoredSpan.table)
    private(set) var phases = OwnedRows(Phase.table)
    private(set) var months = OwnedRows(DeviceUses.Month.table)
    private(set) var grownMonths = RowArrays(DeviceUses.Month.grown)
    private(set) var cohorts = OwnedRows(CohortRow.table)
    private(set) var devices = RowArrays(DeviceRow.columns)
    private(set) var heartbeats = RowArrays(DeviceRow.columnsOfHeartbeat)
    private(set) var recounted = RowArrays(DeviceRow.columnsOfRecount)
    private(set) var entries = LedgerEntries()
    private(set) var pairs = PairEntries()
    /// Time of each app's last event.
    private(set) var asOf: [Int32: Timestamp] = [:]
    /// Devices whose history can't be folded.
    private(set) var failed: [SetAside] = []
    /// The failed devices that were counted by stored rows which this program can't read, with their apps.
    private(set) var leftOut: [(device: Pseudonym, appNumber: Int32)] = []
    /// Apps with devices that were counted before, but it is unknown how.
    private(set) var doubted: Set<Int32> = []
    /// Devices whose history was folded.
    private(set) var folded: [Pseudonym] = []

    var spansChanged: Int { spans.count }

    mutating func add(_ change: DeviceChange, of history: DeviceHistory) {
        switch change {
        case .setAside(let reason):
            failed.append(reason)
            if history.fault == .unreadable, history.before?.counted != nil {
                leftOut.append((history.device, history.appNumber))
            }
            return
        case .news(let row, let rows, let recount):
            devices.append(row)
            notice(row, of: history)
            spans.replace(rows.goneSpans.map(history.owned), by: rows.addedSpans.map(history.owned))
            phases.replace(rows.gonePhases.map(history.owned), by: rows.addedPhases.map(history.owned))
            let (before, after) = (history.stored.cohorts.rows, recount.after.cohorts.rows)
            cohorts.replace(
                before.subtracting(after).map(history.owned), by: after.subtracting(before).map(history.owned))
            replaceMonths(of: history, by: recount.after.uses.months)
            enter(recount, of: history)
        case .heartbeat(let row, let recount):
            heartbeats.append(row)
            notice(row, of: history)
            replaceMonths(of: history, by: recount.after.uses.months)
            enter(recount, of: history)
        case .recount(let recount):
            recounted.append(history.owned(recount.after))
            enter(recount, of: history)
        case .nothing: break
        }
        folded.append(history.device)
        if history.isCountedUnknown { doubted.insert(history.appNumber) }
    }

    private mutating func notice(_ row: DeviceRow, of history: DeviceHistory) {
        pairs.add(history.pairs, appNumber: history.appNumber)
        // Not only `lastHeardAt`: a clone's events counted as heard until the installation that ended it arrived late.
        let latest = max(history.latest ?? row.lastHeardAt, row.lastHeardAt)
        asOf[history.appNumber] = max(asOf[history.appNumber] ?? latest, latest)
    }

    private mutating func enter(_ recount: DeviceChange.Recount, of history: DeviceHistory) {
        entries.add(recount.after, insteadOf: recount.before, appNumber: history.appNumber)
    }

    private mutating func replaceMonths(of history: DeviceHistory, by wanted: Set<DeviceUses.Month>) {
        let stored = history.stored.months
        var gone = stored.subtracting(wanted)
        var added: [DeviceUses.Month] = []
        for month in wanted.subtracting(stored) {
            if let before = gone.first(where: month.grew(since:)) {
                gone.remove(before)
                grownMonths.append(history.owned(month))
            } else {
                added.append(month)
            }
        }
        months.replace(gone.map(history.owned), by: added.map(history.owned))
    }
}

extension DeviceHistory {
    fileprivate func owned<Value>(_ value: Value) -> OwnedRow<Value> {
        OwnedRow(device: device, appNumber: appNumber, value: value)
    }
}

extension Transaction {
    /// Stops counting devices with an unreadable stored row. Their counts can't be reverted one by one, so the next night
    /// recounts their apps without them.
    func leaveOut(_ devices: [(device: Pseudonym, appNumber: Int32)]) async throws {
        guard !devices.isEmpty else { return }
        try await run(SQL.DeviceStore.leaveOut, [devices.map(\.device)])
        try await run(SQL.DayLedger.doubt, [devices.map(\.appNumber)])
    }

    /// Sets aside unreadable devices that are not being reconciled.
    func setAside(unreadable devices: [(device: Pseudonym, appNumber: Int32)]) async throws {
        guard !devices.isEmpty else { return }
        try await leaveOut(devices)
        let reason = "a stored span, phase or zone can't be read"
        try await setAside(devices.map { SetAside(device: $0.device, appNumber: $0.appNumber, reason: reason) })
    }

    func save(_ changes: DeviceChanges) async throws {
        try await changes.spans.save(in: self)
        try await changes.phases.save(in: self)
        try await changes.months.save(in: self)
        if !changes.grownMonths.isEmpty {
            try await run(SQL.DeviceStore.growUses, changes.grownMonths.parameters)
        }
        try await changes.cohorts.save(in: self)
        if !changes.devices.isEmpty { try await run(DeviceRow.save, changes.devices.parameters) }
        if !changes.heartbeats.isEmpty {
            try await run(DeviceRow.saveHeartbeats, changes.heartbeats.parameters)
        }
        if !changes.recounted.isEmpty { try await run(DeviceRow.saveRecounted, changes.recounted.parameters) }
        try await enter(changes.entries)
        try await enter(changes.pairs)
        try await setAside(changes.failed)
        try await leaveOut(changes.leftOut)
        if !changes.doubted.isEmpty { try await run(SQL.DayLedger.doubt, [changes.doubted.sorted()]) }
        if !changes.folded.isEmpty { try await run(SQL.DeviceStore.takeBack, [changes.folded]) }
        // Last, because parallel steps wait for the app's row lock.
        for (appNumber, asOf) in changes.asOf.sorted(by: { $0.key < $1.key }) {
            try await run(SQL.DeviceStore.reconciled, [appNumber, asOf])
        }
    }
}
