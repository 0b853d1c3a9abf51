internal import CensusCore
internal import Postgres

extension Store {
    /// Devices read at a time.
    private static let rebuildPage = 2_000

    /// Makes the ledger of an app anew from the stored spans and phases: all of it is entered again as net changes, for
    /// ``closeDays(_:through:)`` to take. What was first known of a day stays, and so do reads.
    ///
    /// One transaction with one snapshot: what reconcilers enter meanwhile is the difference from what it sees.
    ///
    /// - Parameter progress: called after each page with the devices so far.
    package func rebuildLedger(
        _ work: NightlyWork, progress: @escaping @Sendable (_ devices: Int) -> Void = { _ in }
    ) async throws(StoreError) {
        do {
            try await pool.transaction("DayLedger.rebuild", isolation: .repeatableRead) { connection in
                try await connection.execute(script: SQL.`DayLedger.lock`, deadline: .seconds(3_600))
                _ = try await connection.query(
                    SQL.`DayLedger.clear`, [work.appNumber], deadline: .seconds(3_600))
                var done = 0
                var previous = Pseudonym.first
                while let last = try await connection.enterAgain(
                    work.appNumber, after: previous, limit: Store.rebuildPage, counted: &done)
                {
                    previous = last
                    progress(done)
                }
            }
        } catch {
            throw StoreError(error)
        }
    }
}

extension Connection {
    /// Enters some devices as if they had never been counted.
    ///
    /// - Returns: the last of them; nil when there are none left.
    fileprivate func enterAgain(
        _ appNumber: Int32, after previous: Pseudonym, limit: Int, counted total: inout Int
    ) async throws -> Pseudonym? {
        var counted: [(device: Pseudonym, StoredDevice.Counted)] = []
        for row in try await query(SQL.`DayLedger.countedDevices`, [appNumber, previous, limit]) {
            guard let zone = try ReportingZone(row, at: 4) else { continue }
            counted.append(
                (
                    try row.decode(Pseudonym.self, at: 0),
                    StoredDevice.Counted(
                        silentAt: try row.decode(Timestamp.self, at: 1),
                        reportingUntil: try row.decode(Timestamp?.self, at: 2),
                        dueAt: try row.decode(Timestamp?.self, at: 3), zone: zone)
                ))
        }
        let stored = try await storedSpans(counted.map { ($0.device, endingFrom: nil) })
        var entries = LedgerEntries()
        for (device, counted) in counted {
            let reading = DeviceReading(
                Array((stored.spans[device] ?? [:]).values), stored.phases[device] ?? [], counted)
            entries.add(reading, insteadOf: nil, appNumber: appNumber)
        }
        try await enter(entries)
        total += counted.count
        return counted.last?.device
    }
}
