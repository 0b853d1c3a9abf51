package import CensusCore
internal import Postgres

extension DeviceStore {
    /// Enters time-based changes up to `now` in the ledger: devices that went silent, and reports that no longer count.
    ///
    /// Safe to run in several processes at once, and to kill, like ``reconcile(_:)``.
    ///
    /// - Parameter limit: the most devices to take.
    /// - Returns: how many devices it entered, and how many are left because other sessions work on them.
    package func enterDue(
        by now: Timestamp, limit: Int
    ) async throws(StoreError) -> (entered: Int, busy: Int) {
        return try await database.transaction("DeviceStore.enterDue") { transaction in
            let due = try await transaction.devices(SQL.DeviceStore.due, [now, limit, limits.stepBytes])
            guard !due.isEmpty else { return (0, 0) }
            let locked = try await transaction.devices(SQL.DeviceStore.lockFree, [due])
            if !locked.isEmpty { try await transaction.enterDue(locked, by: now) }
            return (locked.count, due.count - locked.count)
        }
    }
}

extension Transaction {
    /// - Parameter devices: locked ones; skips those that are no longer due.
    fileprivate func enterDue(_ devices: [Pseudonym], by now: Timestamp) async throws {
        var counted: [Pseudonym: (appNumber: Int32, StoredDevice.Counted)] = [:]
        var unreadable: [(device: Pseudonym, appNumber: Int32)] = []
        for row in try await query(SQL.DeviceStore.dueDevices, [devices, now]) {
            let device: Pseudonym = try row["device_id"]
            let appNumber: Int32 = try row["app_number"]
            // A device that was not counted yet has nothing due.
            guard let before = try? StoredDevice.Counted(row) else {
                unreadable.append((device, appNumber))
                continue
            }
            counted[device] = (appNumber, before)
        }
        let stored = try await storedRows(counted.map { ($0.key, endingFrom: $0.value.1.dueAt) })
        var entries = LedgerEntries()
        var saved = RowArrays(DeviceRow.columnsOfDue)
        for (device, (appNumber, before)) in counted.sorted(by: { $0.key < $1.key }) {
            guard !stored.unreadable.contains(device) else {
                unreadable.append((device, appNumber))
                continue
            }
            var reading = DeviceReading(stored.byDevice[device] ?? StoredRows(), before)
            reading.changedFrom = before.dueAt.map(before.zone.day(of:)) ?? reading.changedFrom
            var advanced = reading
            advanced.dueAt = DeviceReading.due(
                silentAt: before.silentAt, reportingUntil: before.reportingUntil, zone: before.zone, after: now)
            entries.add(advanced, insteadOf: reading, appNumber: appNumber)
            saved.append(OwnedRow(device: device, appNumber: appNumber, value: advanced))
        }
        try await enter(entries)
        try await run(DeviceRow.saveDue, saved.parameters)
        try await setAside(unreadable: unreadable)
    }
}
