internal import CensusCore
internal import Postgres

extension Transaction {
    /// Devices per page.
    private static let recountPage = 2_000
    /// A page ends early once its devices have this many spans.
    private static let recountSpans = 100_000

    /// Recounts an app's ledger from the stored spans and phases. Everything is entered again as net changes, which the same
    /// transaction applies, so that nobody sees the ledger empty. The numbers first known for a closed day stay, and so do reads.
    ///
    /// The transaction has one snapshot; what reconcilers enter meanwhile is the difference from that snapshot. A device with
    /// a stored row that can't be read is set aside, and is not counted until it can be.
    ///
    /// - Parameter progress: called after each page with the number of devices so far.
    /// - Returns: how many devices were set aside.
    func recount(_ appNumber: Int32, progress: @Sendable (_ devices: Int) -> Void) async throws -> Int {
        try await run(SQL.LedgerTable.clear, [appNumber], deadline: .seconds(3_600))
        var (done, unreadable) = (0, 0)
        var previous = Pseudonym.first
        let legacyKinds = try await legacyKinds()[appNumber]
        while let page = try await enterAgain(
            appNumber, after: previous, limit: Transaction.recountPage, legacyKinds: legacyKinds)
        {
            previous = page.last
            done += page.devices
            unreadable += page.unreadable
            progress(done)
        }
        try await execute(script: SQL.LedgerTable.analyze)
        return unreadable
    }

    /// Enters some devices as if they had never been counted.
    ///
    /// - Returns: nil when no devices are left.
    private func enterAgain(
        _ appNumber: Int32, after previous: Pseudonym, limit: Int, legacyKinds: [KindCell]
    ) async throws -> (last: Pseudonym, devices: Int, unreadable: Int)? {
        var counted: [(device: Pseudonym, StoredDevice.Counted)] = []
        var unreadable: [(device: Pseudonym, appNumber: Int32)] = []
        var last: Pseudonym?
        for row in try await query(
            SQL.DayLedger.countedDevices, [appNumber, previous, limit, Transaction.recountSpans])
        {
            let device: Pseudonym = try row["device_id"]
            last = device
            guard let how = try? StoredDevice.Counted(row) else {
                unreadable.append((device, appNumber))
                continue
            }
            counted.append((device, how))
        }
        guard let last else { return nil }
        let stored = try await storedRows(counted.map { ($0.device, endingFrom: nil) })
        var entries = LedgerEntries()
        for (device, counted) in counted {
            guard !stored.unreadable.contains(device) else {
                unreadable.append((device, appNumber))
                continue
            }
            let reading = DeviceReading(stored.byDevice[device] ?? StoredRows(), counted, legacyKinds)
            entries.add(reading, insteadOf: nil, appNumber: appNumber)
        }
        try await enter(entries)
        try await setAside(unreadable: unreadable)
        return (last, counted.count + unreadable.count, unreadable.count)
    }
}
