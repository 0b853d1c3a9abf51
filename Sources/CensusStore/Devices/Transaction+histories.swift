internal import CensusCore
internal import Postgres

extension Transaction {
    /// Reads and folds new observations of the claimed devices. Devices that are too many for one step are queued again.
    func histories(
        of queued: inout QueuedDevices, limits: ReadLimits, fold: @Sendable (Int32) -> DeviceFold
    ) async throws -> [Pseudonym: DeviceHistory] {
        let (stored, implausible) = try await storedDevices(queued.devices.keys.sorted())
        // Skip implausible devices until an operator requests that they be folded from the start.
        queued.devices = queued.devices.filter { $0.value.earliestAt == nil || !implausible.contains($0.key) }
        // Histories are large, so a dictionary that grows or is filtered moves many bytes.
        var histories: [Pseudonym: DeviceHistory] = Dictionary(minimumCapacity: queued.devices.count)
        var left = limits.stepBytes
        for (device, entry) in queued.devices.sorted(by: { $0.key < $1.key }) {
            guard left > 0 else { break }
            let history = DeviceHistory(
                device, entry, before: stored[device], fold: fold(entry.appNumber),
                plausibility: limits.plausibility)
            left -= history.storedBytes
            histories[device] = history
        }
        left = limits.stepBytes
        for isRefolded in [true, false] {
            let devices = histories.lazy.filter { $0.value.isRefolded == isRefolded }.map(\.key).sorted()
            let range = isRefolded ? ObservationRange(devices: devices) : queued.range(of: devices)
            let last = try await foldPages(of: range, into: &histories, left: &left) { range, place in
                try await observationPage(range, from: place, limits: limits)
            }
            guard let last else { continue }
            // Keep the devices that were read completely.
            histories = histories.filter { $0.key <= last || ($0.value.isRefolded && !isRefolded) }
        }
        try await putBack(queued.keep(histories.keys))
        return histories
    }

    /// Folds observations page by page, device by device. Skips those that a device was already folded through.
    ///
    /// - Parameter left: bytes of texts. Once they are used up, only the rest of the current device is read.
    /// - Returns: the last device read when some were left; nil when all were read.
    func foldPages(
        of range: ObservationRange, into histories: inout [Pseudonym: DeviceHistory], left: inout Int,
        page read: (ObservationRange, ObservationPage.Place) async throws -> ObservationPage
    ) async throws -> Pseudonym? {
        guard !range.devices.isEmpty else { return nil }
        var range = range
        range.after = range.devices.map { histories[$0]?.foldedBefore ?? .distantPast }.min() ?? .distantPast
        var place = ObservationPage.Place()
        var last: Pseudonym?
        while true {
            let page = try await read(range, place)
            left -= page.bytes
            for (device, observations) in page.byDevice {
                // Change it in place: a second reference to the history would make the next change copy it.
                if let place = histories.index(forKey: device) {
                    try histories.values[place].addNew(of: observations)
                }
            }
            for (device, failure) in page.failures { histories[device]?.fail(failure, .unfoldable) }
            guard let next = page.next else { return last }
            place = next
            // Don't read a failed device to its end.
            range.devices.removeAll { $0 < next.device || histories[$0]?.failure != nil }
            if left <= 0, let following = range.devices.first(where: { $0 > next.device }) {
                range.devices.removeAll { $0 >= following }
                last = next.device
            }
            guard !range.devices.isEmpty else { return last }
        }
    }

    /// Queues devices again that were claimed in this transaction.
    private func putBack(_ queued: [Pseudonym: QueuedDevices.Entry]) async throws {
        guard !queued.isEmpty else { return }
        let entries = queued.sorted { $0.key < $1.key }
        var (earliestAt, occurredFrom, occurredThrough, queuedAt) = (
            Column<Timestamp>(), Column<Timestamp>(), Column<Timestamp>(), Column<Timestamp>()
        )
        for (_, entry) in entries {
            earliestAt.append(entry.earliestAt)
            occurredFrom.append(entry.occurredFrom)
            occurredThrough.append(entry.occurredThrough)
            queuedAt.append(entry.queuedAt)
        }
        try await run(
            SQL.DeviceStore.putBack,
            [
                entries.map(\.value.appNumber), entries.map(\.key), entries.map(\.value.number), earliestAt,
                occurredFrom, occurredThrough, queuedAt,
            ])
    }

    /// Reads the rows that the new readings may change.
    func readRows(of histories: inout [Pseudonym: DeviceHistory], now: Timestamp) async throws {
        var (news, heartbeats):
            ([(device: Pseudonym, endingFrom: Timestamp?)], [(device: Pseudonym, endingFrom: Timestamp?)]) =
                ([], [])
        // In the order of ids, like the indexes; and in place, because a second reference to the histories would copy them.
        for device in histories.keys.sorted() {
            guard let place = histories.index(forKey: device) else { continue }
            histories.values[place].noticeHeartbeat(now: now)
            let history = histories.values[place]
            guard history.before != nil || history.readsAll, history.fault != .implausible else { continue }
            if history.isHeartbeat {
                heartbeats.append((device, history.needsEndingFrom))
            } else {
                news.append((device, history.needsEndingFrom))
            }
        }
        let stored = try await storedRows(news, usesOf: heartbeats)
        for (device, rows) in stored.byDevice {
            if let place = histories.index(forKey: device) { histories.values[place].stored = rows }
        }
        for device in stored.unreadable {
            histories[device]?.fail("a stored span or phase can't be read", .unreadable)
        }
    }

    /// Reads what is stored for each device from its own time on; nil reads everything.
    ///
    /// - Parameter others: devices whose uses and cohorts alone are read.
    func storedRows(
        _ wanted: [(device: Pseudonym, endingFrom: Timestamp?)],
        usesOf others: [(device: Pseudonym, endingFrom: Timestamp?)] = []
    ) async throws -> (byDevice: [Pseudonym: StoredRows], unreadable: Set<Pseudonym>) {
        var stored: [Pseudonym: StoredRows] = [:]
        // A newer program wrote it, or a person did by hand. Such devices must not block the others.
        var unreadable: Set<Pseudonym> = []
        let devices = wanted.map(\.device)
        var endingFrom = Column<Timestamp>()
        for one in wanted { endingFrom.append(one.endingFrom) }
        func read(
            _ statement: Statement, _ devices: [Pseudonym], _ parameters: [(any PostgresCodable)?] = [],
            _ add: (Row, inout StoredRows) throws -> Void
        ) async throws {
            guard !devices.isEmpty else { return }
            for row in try await query(statement, [devices] + parameters) {
                let device: Pseudonym = try row["device_id"]
                do {
                    try add(row, &stored[device, default: StoredRows()])
                } catch {
                    unreadable.insert(device)
                }
            }
        }
        try await read(StoredSpan.table.select, devices, [endingFrom]) { row, rows in
            rows.spans[try row["ordinal"] as Int32] = try Span(row)
        }
        try await read(Phase.table.select, devices, [endingFrom]) { row, rows in
            rows.phases.append(try Phase(row))
        }
        // A week reaches six days back. Two more days allow for zones, which are up to 14 hours from UTC.
        var months = Column<Day>()
        for one in wanted + others { months.append(one.endingFrom.map { (ReportingZone.utc.day(of: $0) - 8).month }) }
        try await read(DeviceUses.Month.table.select, devices + others.map(\.device), [months]) { row, rows in
            rows.months.insert(try DeviceUses.Month(row))
        }
        try await read(CohortRow.table.select, devices + others.map(\.device)) { row, rows in try rows.cohorts.add(row)
        }
        return (stored, unreadable)
    }
}
