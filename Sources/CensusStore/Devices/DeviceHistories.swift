internal import CensusCore
internal import Postgres

/// The devices of one step, with their new observations folded.
struct DeviceHistories: Sendable {
    var byDevice: [Pseudonym: DeviceHistory] = [:]
    private(set) var observations = 0

    var refolded: Int { byDevice.values.count(where: \.isRefolded) }

    mutating func noticeHeartbeats(now: Timestamp) {
        for device in byDevice.keys { byDevice[device]?.noticeHeartbeat(now: now) }
    }

    /// By id. The histories themselves are large: don't sort them.
    var devices: [Pseudonym] { byDevice.keys.sorted() }

    func devices(where isWanted: (DeviceHistory) -> Bool) -> [Pseudonym] {
        devices.filter { byDevice[$0].map(isWanted) ?? false }
    }

    fileprivate mutating func add(
        _ observations: [Observation], to device: Pseudonym
    ) throws(CancellationError) {
        // In its place: a second reference to the history would make the next change copy it.
        guard let place = byDevice.index(forKey: device) else { return }
        self.observations += try byDevice.values[place].addNew(of: observations)
    }
}

extension Transaction {
    /// Reads and folds what is new of the claimed devices. Those too many for one step are left out and queued again.
    func histories(
        of claims: inout DeviceClaims, room: ReadRoom, legacyKinds: LegacyKinds, fold: @Sendable (Int32) -> DeviceFold
    ) async throws -> DeviceHistories {
        let (stored, implausible) = try await storedDevices(claims.devices.keys.sorted())
        // Skip implausible devices, whatever else they send, until an operator has them folded from the start.
        claims.devices = claims.devices.filter { $0.value.earliestAt == nil || !implausible.contains($0.key) }
        var histories = DeviceHistories()
        var left = room.stepBytes
        for (device, claim) in claims.devices.sorted(by: { $0.key < $1.key }) {
            guard left > 0 else { break }
            let history = DeviceHistory(
                device, claim, before: stored[device], fold: fold(claim.appNumber),
                legacyKinds: legacyKinds[claim.appNumber], plausibility: room.plausibility)
            left -= history.storedBytes
            histories.byDevice[device] = history
        }
        left = room.stepBytes
        for isRefolded in [true, false] {
            let devices = histories.devices { $0.isRefolded == isRefolded }
            let from = isRefolded ? nil : devices.compactMap { claims.devices[$0]?.occurredFrom }.min()
            let range = ObservationRange(devices: devices, occurredFrom: from ?? .distantPast)
            let last = try await foldPages(of: range, into: &histories, left: &left) { range, place in
                try await observationPage(range, from: place, room: room)
            }
            guard let last else { continue }
            // Keep the devices that were read completely.
            histories.byDevice = histories.byDevice.filter { $0.key <= last || ($0.value.isRefolded && !isRefolded) }
        }
        try await putBack(claims.keep(histories.byDevice.keys))
        return histories
    }

    /// Folds observations page by page, device by device. Skips those that a device was already folded through.
    ///
    /// - Parameter left: bytes of texts. Once they are used up, only the rest of the current device is read.
    /// - Returns: the last device read when some were left; nil when all were read.
    func foldPages(
        of range: ObservationRange, into histories: inout DeviceHistories, left: inout Int,
        page read: (ObservationRange, ObservationPage.Place) async throws -> ObservationPage
    ) async throws -> Pseudonym? {
        guard !range.devices.isEmpty else { return nil }
        var range = range
        range.after = range.devices.map { histories.byDevice[$0]?.foldedBefore ?? .distantPast }.min() ?? .distantPast
        var place = ObservationPage.Place()
        var last: Pseudonym?
        while true {
            let page = try await read(range, place)
            left -= page.bytes
            for (device, observations) in page.byDevice {
                try histories.add(observations, to: device)
            }
            for (device, failure) in page.failures { histories.byDevice[device]?.fail(failure, .unfoldable) }
            guard let next = page.next else { return last }
            place = next
            // Don't read a failed device to its end.
            range.devices.removeAll { $0 < next.device || histories.byDevice[$0]?.failure != nil }
            if left <= 0, let following = range.devices.first(where: { $0 > next.device }) {
                range.devices.removeAll { $0 >= following }
                last = next.device
            }
            guard !range.devices.isEmpty else { return last }
        }
    }

    /// Queues devices again that were claimed in this transaction.
    private func putBack(_ claims: [Pseudonym: DeviceClaims.Claim]) async throws {
        guard !claims.isEmpty else { return }
        let devices = claims.keys.sorted()
        var (earliestAt, occurredFrom) = (Column<Timestamp>(), Column<Timestamp>())
        for device in devices {
            earliestAt.append(claims[device]?.earliestAt)
            occurredFrom.append(claims[device]?.occurredFrom)
        }
        try await run(
            SQL.DeviceStore.putBack,
            [devices.compactMap { claims[$0]?.appNumber }, devices, earliestAt, occurredFrom])
    }

    /// Reads the rows that the new readings may change.
    func readRows(of histories: inout DeviceHistories, now: Timestamp) async throws {
        histories.noticeHeartbeats(now: now)
        func known(isHeartbeat: Bool) -> [(device: Pseudonym, endingFrom: Timestamp?)] {
            histories.devices {
                ($0.before != nil || $0.readsAll) && $0.fault != .implausible && $0.isHeartbeat == isHeartbeat
            }
            .map { ($0, endingFrom: histories.byDevice[$0]?.needsEndingFrom) }
        }
        let stored = try await storedRows(known(isHeartbeat: false), usesOf: known(isHeartbeat: true))
        for (device, rows) in stored.byDevice { histories.byDevice[device]?.stored = rows }
        for device in stored.unreadable {
            histories.byDevice[device]?.fail("a stored span or phase can't be read", .unreadable)
        }
    }

    /// Reads what is stored for each device from its own time on; nil reads everything.
    ///
    /// - Parameter others: devices whose uses alone are read.
    func storedRows(
        _ wanted: [(device: Pseudonym, endingFrom: Timestamp?)],
        usesOf others: [(device: Pseudonym, endingFrom: Timestamp?)] = []
    ) async throws -> (byDevice: [Pseudonym: StoredRows], unreadable: Set<Pseudonym>) {
        var stored: [Pseudonym: StoredRows] = [:]
        // A newer program wrote it, or somebody did by hand. Such devices must not hold up the others.
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
        try await read(SQL.DeviceStore.spans, devices, [endingFrom]) { row, rows in
            rows.spans[try row["ordinal"] as Int32] = try Span(row)
        }
        try await read(SQL.DeviceStore.phases, devices, [endingFrom]) { row, rows in
            rows.phases.append(try Phase(row))
        }
        // A week is counted as far back as six days. Two more for the zones, which are up to 14 hours from UTC.
        var months = Column<Day>()
        for one in wanted + others { months.append(one.endingFrom.map { (ReportingZone.utc.day(of: $0) - 8).month }) }
        try await read(SQL.DeviceStore.uses, devices + others.map(\.device), [months]) { row, rows in
            rows.months.insert(try DeviceUses.Month(row))
        }
        try await read(SQL.DeviceStore.cohorts, devices) { row, rows in try rows.cohorts.add(row) }
        return (stored, unreadable)
    }
}

extension Querying {
    /// - Returns: what is stored, and which of the devices are implausible.
    func storedDevices(
        _ devices: [Pseudonym], deadline: Duration? = nil
    ) async throws -> (stored: [Pseudonym: StoredDevice], implausible: Set<Pseudonym>) {
        var stored: [Pseudonym: StoredDevice] = [:]
        var implausible: Set<Pseudonym> = []
        var doubtful: [Pseudonym] = []
        for row in try await query(SQL.DeviceStore.devices, [devices], deadline: deadline) {
            let device: Pseudonym = try row["device_id"]
            if try row["is_implausible"] { implausible.insert(device) }
            if (try row["may_lack_past"] as Bool?) == true { doubtful.append(device) }
            stored[device] = try StoredDevice(row)
        }
        for device in try await lackingPast(doubtful, deadline: deadline) { stored[device]?.lacksPast = true }
        return (stored, implausible)
    }

    /// Those of some devices without a base whose first observation is no longer kept. A statement of its own: it reads all
    /// partitions, and hardly any device needs it.
    func lackingPast(_ devices: [Pseudonym], deadline: Duration? = nil) async throws -> [Pseudonym] {
        guard !devices.isEmpty else { return [] }
        return try await query(SQL.DeviceStore.lackingPast, [devices], deadline: deadline).map {
            try $0["device_id"] as Pseudonym
        }
    }
}

/// What is stored for one device besides the device itself, or the newer part of it.
struct StoredRows: Sendable {
    /// By ordinal.
    var spans: [Int32: Span] = [:]
    /// By time.
    var phases: [Phase] = []
    var months: Set<DeviceUses.Month> = []
    /// All of them.
    var cohorts = Cohorts()

    var uses: DeviceUses { DeviceUses(months) }
}

extension StoredDevice {
    /// A row of `DeviceStore.devices`; nil when nothing is stored about the device.
    fileprivate init?(_ row: Row) throws {
        let base = try Checkpoint(row, through: "base_through", bytes: "base_state")
        guard (try row["silent_at"] as Timestamp?) != nil else {
            guard let base else { return nil }
            self.init(counted: nil, lastOrdinal: 0, newest: nil, base: base)
            return
        }
        let counted = try Counted(row)
        try self.init(
            counted: counted, lastOrdinal: row["last_ordinal"],
            newest: Checkpoint(row, through: "folded_through", bytes: "checkpoint"), base: base)
    }
}

extension StoredDevice.Checkpoint {
    /// - Parameters:
    ///   - through: the column with the time through which observations were folded.
    ///   - bytes: the column that holds the state.
    init?(_ row: Row, through: String, bytes: String) throws(PostgresError) {
        guard let foldedThrough = try row.decode(through, as: Timestamp?.self),
            let bytes = try row.decode(bytes, as: ByteArray?.self)?.bytes
        else { return nil }
        self.init(foldedThrough: foldedThrough, bytes: bytes)
    }
}

extension StoredDevice.Counted {
    /// The columns of `census.device` that say how the device was counted.
    ///
    /// - Returns: nil when no zone is stored: the device was not counted yet.
    init?(_ row: Row) throws {
        guard let name: String = try row["zone"] else { return nil }
        guard let zone = ReportingZone(identifier: name) else {
            throw StoreError(.ours, "a device was counted in a zone that this program does not know")
        }
        try self.init(
            silentAt: row["silent_at"], reportingUntil: row["reporting_until"], dueAt: row["due_at"], zone: zone,
            legacyKinds: row["legacy_kinds"])
    }
}
