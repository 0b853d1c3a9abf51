internal import CensusCore
internal import Postgres

extension Transaction {
    /// Devices per page.
    private static let countedPage = 2_000
    /// A page ends early once its devices have this many spans.
    private static let countedSpans = 100_000

    /// Recounts an app's ledger from the stored spans and phases. Everything is entered again as net changes, which the same
    /// transaction applies, so that no reader sees an empty ledger. First known numbers of closed days stay, and so do reads.
    ///
    /// The transaction has one snapshot. Reconcilers that run at the same time enter the differences from that snapshot. A
    /// device with an unreadable stored row is set aside, and is not counted until the row can be read.
    ///
    /// - Parameter progress: called after each page with the number of devices so far.
    /// - Returns: how many devices were set aside.
    func recount(_ appNumber: Int32, progress: @Sendable (_ devices: Int) -> Void) async throws -> Int {
        try await run(LedgerStatements.clear, [appNumber], deadline: .seconds(3_600))
        let unreadable = try await count(appNumber, into: \.enter, progress: progress)
        try await setAside(unreadable: unreadable.map { ($0, appNumber) })
        try await execute(script: LedgerStatements.analyze)
        return unreadable.count
    }

    /// Counts an app's devices as if they had never been counted, and copies their net changes.
    ///
    /// - Parameter copy: where the net changes of a table go.
    /// - Returns: devices that were not counted because a stored row can't be read.
    func count(
        _ appNumber: Int32, into copy: (LedgerTable) -> CopyStatement, progress: @Sendable (_ devices: Int) -> Void
    ) async throws -> [Pseudonym] {
        var (done, unreadable) = (0, [Pseudonym]())
        var previous = Pseudonym.first
        while let page = try await countedPage(of: appNumber, after: previous) {
            let stored = try await storedRows(page.counted.map { ($0.device, endingFrom: nil) })
            var entries = LedgerEntries()
            for (device, counted) in page.counted where !stored.unreadable.contains(device) {
                let reading = DeviceReading(stored.byDevice[device] ?? StoredRows(), counted)
                entries.add(reading, insteadOf: nil, appNumber: appNumber)
            }
            try await enter(entries, into: copy)
            unreadable += page.unreadable + stored.unreadable
            previous = page.last
            done += page.counted.count + page.unreadable.count
            progress(done)
        }
        return unreadable
    }

    /// Some devices, and how each was counted.
    ///
    /// - Returns: nil when no devices are left.
    private func countedPage(
        of appNumber: Int32, after previous: Pseudonym
    ) async throws -> (last: Pseudonym, counted: [(device: Pseudonym, StoredDevice.Counted)], unreadable: [Pseudonym])?
    {
        var counted: [(device: Pseudonym, StoredDevice.Counted)] = []
        var unreadable: [Pseudonym] = []
        var last: Pseudonym?
        for row in try await query(
            SQL.DayLedger.countedDevices, [appNumber, previous, Transaction.countedPage, Transaction.countedSpans])
        {
            let device: Pseudonym = try row["device_id"]
            last = device
            guard let how = try? StoredDevice.Counted(row) else {
                unreadable.append(device)
                continue
            }
            counted.append((device, how))
        }
        return last.map { ($0, counted, unreadable) }
    }
}
