internal import CensusCore
internal import Postgres

/// What one step of the reconciler writes, gathered over its devices.
struct DeviceChanges: Sendable {
    /// The ledger gets what time alone changes up to this moment; later changes wait until they are due.
    let now: Timestamp
    private(set) var goneDevices: [Pseudonym] = []
    private(set) var goneOrdinals: [Int32] = []
    private(set) var spans = CopyRows(columns: 26)
    private(set) var gonePhases = (devices: [Pseudonym](), from: [Timestamp]())
    private(set) var phases = CopyRows(columns: 10)
    private(set) var goneMonths: [(device: Pseudonym, month: DeviceUses.Month)] = []
    private(set) var months = CopyRows(columns: DeviceUses.Month.width)
    private(set) var goneCohorts: [(device: Pseudonym, row: CohortRow)] = []
    private(set) var cohorts = CopyRows(columns: CohortRow.width)
    private(set) var devices = DeviceColumns()
    private(set) var entries = LedgerEntries()
    private(set) var pairs = PairEntries()
    /// Devices that are now counted in another way and are otherwise unchanged.
    private(set) var recounted = (devices: [Pseudonym](), zones: [String](), legacyKinds: [Int32]())
    /// Time of each app's last event.
    private(set) var asOf: [Int32: Timestamp] = [:]

    init(now: Timestamp) { self.now = now }

    var spansChanged: Int { goneOrdinals.count + spans.count }

    /// Devices whose history can't be folded.
    private(set) var failed: [SetAside] = []
    /// The failed devices that were counted by stored rows this program can't read, with their apps.
    private(set) var leftOut: [(device: Pseudonym, appNumber: Int32)] = []
    /// Devices whose history was folded.
    private(set) var folded: [Pseudonym] = []

    mutating func add(_ history: DeviceHistory) {
        let (device, appNumber, state) = (history.device, history.appNumber, history.state)
        if let failure = history.failure {
            failed.append(SetAside(history, failure))
            if history.isUnreadable, history.before?.counted != nil { leftOut.append((device, appNumber)) }
            return
        }
        folded.append(device)
        // No counted event was ever heard: it is another channel's device, or the past of a forgotten one.
        guard let installation = state.installation, let circumstances = state.circumstances,
            let firstHeardAt = state.firstHeardAt, let lastHeardAt = state.lastHeardAt,
            let silentAt = history.fold.silentAt(of: state)
        else { return addStored(history) }
        let zone = history.fold.window.zone

        let stored = history.stored
        let fixed = stored.spans.filter { history.start.isFixed($0.value) }
        let newSpans = history.fold.spans(of: state)
        let difference = SpanDifference(
            stored: stored.spans.filter { fixed[$0.key] == nil }, spans: newSpans,
            lastOrdinal: max(history.before?.lastOrdinal ?? 0, stored.spans.keys.max() ?? 0))
        write(difference, device, appNumber)

        let fixedPhases = stored.phases.filter(history.start.isFixed)
        write(Array(stored.phases.dropFirst(fixedPhases.count)), becoming: state.phases, device, appNumber)

        let reportingUntil = history.fold.reportingUntil(of: state)
        var reading = DeviceReading(
            spans: Array(fixed.values) + newSpans, phases: fixedPhases + state.phases, silentAt: silentAt,
            reportingUntil: reportingUntil,
            dueAt: DeviceReading.due(
                silentAt: silentAt, reportingUntil: reportingUntil, zone: zone, after: now),
            zone: zone)
        reading.uses = history.uses
        reading.cohorts = history.cohorts(of: reading)
        reading.legacyKinds = history.legacyKinds
        reading.changedFrom = history.needsEndingFrom.map(zone.day(of:)) ?? reading.changedFrom
        let before = history.before?.counted.map { counted in
            var before = DeviceReading(stored, counted, history.legacyKinds)
            before.changedFrom = reading.changedFrom
            return before
        }
        write(stored, becoming: reading, device, appNumber)
        entries.add(reading, insteadOf: before, appNumber: appNumber)
        pairs.add(history.pairs, appNumber: appNumber)
        // Not `lastHeardAt` alone: a clone's events counted as heard until the installation that ended it arrived late.
        let latest = max(history.latest ?? lastHeardAt, lastHeardAt)
        asOf[appNumber] = max(asOf[appNumber] ?? latest, latest)

        devices.id.append(device)
        devices.appNumber.append(appNumber)
        devices.installation.append(installation.id)
        devices.isSettled.append(installation.isSettled)
        devices.isCloned.append(state.isCloned)
        devices.platform.append(circumstances.platform.rawValue)
        devices.osVersion.append(circumstances.osVersion)
        devices.appVersion.append(circumstances.appVersion)
        devices.firstHeardAt.append(firstHeardAt)
        devices.lastHeardAt.append(lastHeardAt)
        devices.lastReportAt.append(state.lastReportAt)
        devices.silentAt.append(silentAt)
        devices.reportingUntil.append(reportingUntil)
        devices.dueAt.append(reading.dueAt)
        devices.zone.append(zone.identifier)
        devices.checkpoint.append(ByteArray(history.fold.checkpoint(of: state)))
        devices.foldedThrough.append(history.foldedThrough)
        devices.lastOrdinal.append(difference.lastOrdinal)
        devices.legacyKinds.append(Int32(history.legacyKinds.count))
    }

    /// Recounts a device's stored rows by the days of the app's zone and for all its legacy kinds; there is nothing left to
    /// fold it from.
    private mutating func addStored(_ history: DeviceHistory) {
        let (zone, legacyKinds) = (history.fold.window.zone, history.legacyKinds)
        guard let counted = history.before?.counted,
            counted.zone != zone || counted.legacyKinds != legacyKinds.count
        else { return }
        let before = DeviceReading(history.stored, counted, legacyKinds)
        var reading = before
        reading.zone = zone
        reading.legacyKinds = legacyKinds
        entries.add(reading, insteadOf: before, appNumber: history.appNumber)
        recounted.devices.append(history.device)
        recounted.zones.append(zone.identifier)
        recounted.legacyKinds.append(Int32(legacyKinds.count))
    }

    private mutating func write(
        _ stored: StoredRows, becoming reading: DeviceReading, _ device: Pseudonym, _ appNumber: Int32
    ) {
        let wanted = reading.uses.months
        for month in stored.months.subtracting(wanted) { goneMonths.append((device, month)) }
        for month in wanted.subtracting(stored.months) {
            months.append { row in month.encode(into: &row, device: device, appNumber: appNumber) }
        }
        let (before, after) = (stored.cohorts.rows, reading.cohorts.rows)
        for row in before.subtracting(after) { goneCohorts.append((device, row)) }
        for one in after.subtracting(before) {
            cohorts.append { row in one.encode(into: &row, device: device, appNumber: appNumber) }
        }
    }

    private mutating func write(_ difference: SpanDifference, _ device: Pseudonym, _ appNumber: Int32) {
        for ordinal in difference.gone {
            goneDevices.append(device)
            goneOrdinals.append(ordinal)
        }
        for (ordinal, span) in difference.added {
            spans.append { row in span.encode(into: &row, device: device, ordinal: ordinal, appNumber: appNumber) }
        }
    }

    private mutating func write(
        _ stored: [Phase], becoming wanted: [Phase], _ device: Pseudonym, _ appNumber: Int32
    ) {
        for phase in stored where !wanted.contains(phase) {
            gonePhases.devices.append(device)
            gonePhases.from.append(phase.from)
        }
        for phase in wanted where !stored.contains(phase) {
            phases.append { row in phase.encode(into: &row, device: device, appNumber: appNumber) }
        }
    }
}

extension DeviceReading {
    /// - Parameter legacyKinds: all of the app's.
    init(_ stored: StoredRows, _ counted: StoredDevice.Counted, _ legacyKinds: [KindCell]) {
        self.init(
            spans: Array(stored.spans.values), phases: stored.phases, silentAt: counted.silentAt,
            reportingUntil: counted.reportingUntil, dueAt: counted.dueAt, zone: counted.zone)
        uses = stored.uses
        cohorts = stored.cohorts
        self.legacyKinds = Array(legacyKinds.prefix(counted.legacyKinds))
    }
}

/// Devices by column, as `DeviceStore.saveDevices` takes them.
struct DeviceColumns: Sendable {
    var id = Column<Pseudonym>()
    var appNumber = Column<Int32>()
    var installation = Column<Pseudonym>()
    var isSettled = Column<Bool>()
    var isCloned = Column<Bool>()
    var platform = Column<String>()
    var osVersion = Column<String>()
    var appVersion = Column<String>()
    var firstHeardAt = Column<Timestamp>()
    var lastHeardAt = Column<Timestamp>()
    var lastReportAt = Column<Timestamp>()
    var silentAt = Column<Timestamp>()
    var reportingUntil = Column<Timestamp>()
    var dueAt = Column<Timestamp>()
    var zone = Column<String>()
    var checkpoint = Column<ByteArray>()
    var foldedThrough = Column<Timestamp>()
    var lastOrdinal = Column<Int32>()
    var legacyKinds = Column<Int32>()

    var isEmpty: Bool { id.count == 0 }

    var parameters: [(any PostgresCodable)?] {
        [
            id, appNumber, installation, isSettled, isCloned, platform, osVersion, appVersion, firstHeardAt,
            lastHeardAt, lastReportAt, silentAt, reportingUntil, dueAt, zone, checkpoint, foldedThrough, lastOrdinal,
            legacyKinds,
        ]
    }
}

extension Transaction {
    /// Stops counting devices with a stored row that can't be read. What they were counted for can't be taken back one by
    /// one, so the next night recounts their apps without them.
    func leaveOut(_ devices: [(device: Pseudonym, appNumber: Int32)]) async throws {
        guard !devices.isEmpty else { return }
        _ = try await query(SQL.`DeviceStore.leaveOut`, [devices.map(\.device)])
        _ = try await query(SQL.`DayLedger.doubt`, [devices.map(\.appNumber)])
    }

    /// Sets aside unreadable devices that are not being reconciled.
    func setAside(unreadable devices: [(device: Pseudonym, appNumber: Int32)]) async throws {
        guard !devices.isEmpty else { return }
        try await leaveOut(devices)
        let reason = "a stored span, phase or zone can't be read"
        try await setAside(devices.map { SetAside(device: $0.device, appNumber: $0.appNumber, reason: reason) })
    }

    func save(_ changes: DeviceChanges) async throws {
        if !changes.goneDevices.isEmpty {
            _ = try await query(SQL.`DeviceStore.deleteSpans`, [changes.goneDevices, changes.goneOrdinals])
        }
        if !changes.spans.isEmpty { _ = try await copyIn(SQL.`DeviceStore.insertSpans`, [changes.spans]) }
        if !changes.gonePhases.devices.isEmpty {
            _ = try await query(
                SQL.`DeviceStore.deletePhases`, [changes.gonePhases.devices, changes.gonePhases.from])
        }
        if !changes.phases.isEmpty { _ = try await copyIn(SQL.`DeviceStore.insertPhases`, [changes.phases]) }
        if !changes.goneMonths.isEmpty {
            let gone = changes.goneMonths
            _ = try await query(
                SQL.`DeviceStore.deleteUses`,
                [
                    gone.map(\.device), gone.map(\.month.month), gone.map(\.month.key.use.rawValue),
                    gone.map { $0.month.key.surface?.rawValue ?? "" }, gone.map(\.month.key.kind),
                ])
        }
        if !changes.months.isEmpty { _ = try await copyIn(SQL.`DeviceStore.insertUses`, [changes.months]) }
        if !changes.goneCohorts.isEmpty {
            let gone = changes.goneCohorts
            _ = try await query(
                SQL.`DeviceStore.deleteCohorts`,
                [gone.map(\.device), gone.map(\.row.surface.rawValue), gone.map(\.row.kind)])
        }
        if !changes.cohorts.isEmpty { _ = try await copyIn(SQL.`DeviceStore.insertCohorts`, [changes.cohorts]) }
        if !changes.devices.isEmpty { _ = try await query(SQL.`DeviceStore.saveDevices`, changes.devices.parameters) }
        if !changes.recounted.devices.isEmpty {
            let recounted = changes.recounted
            _ = try await query(
                SQL.`DeviceStore.saveRecounted`, [recounted.devices, recounted.zones, recounted.legacyKinds])
        }
        try await enter(changes.entries)
        try await enter(changes.pairs)
        try await setAside(changes.failed)
        try await leaveOut(changes.leftOut)
        if !changes.folded.isEmpty { _ = try await query(SQL.`DeviceStore.takeBack`, [changes.folded]) }
        // Last, because parallel steps wait for the app's row.
        for (appNumber, asOf) in changes.asOf.sorted(by: { $0.key < $1.key }) {
            _ = try await query(SQL.`DeviceStore.reconciled`, [appNumber, asOf])
        }
    }
}
