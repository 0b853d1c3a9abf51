internal import CensusCore
internal import Postgres

/// What one step of the reconciler writes, gathered over its devices.
struct DeviceChanges: Sendable {
    /// The ledger gets what time alone changes up to this moment; later changes wait until they are due.
    let now: Timestamp
    private(set) var spans = OwnedRows(StoredSpan.table)
    private(set) var phases = OwnedRows(Phase.table)
    private(set) var months = OwnedRows(DeviceUses.Month.table)
    private(set) var grownMonths = RowArrays(DeviceUses.Month.grown)
    private(set) var cohorts = OwnedRows(CohortRow.table)
    private(set) var devices = RowArrays(DeviceRow.columns)
    private(set) var heartbeats = RowArrays(DeviceRow.columnsOfHeartbeat)
    private(set) var entries = LedgerEntries()
    private(set) var pairs = PairEntries()
    /// Devices that are now counted differently and are otherwise unchanged.
    private(set) var recounted = (devices: [Pseudonym](), zones: [String](), legacyKinds: [Int32]())
    /// Time of each app's last event.
    private(set) var asOf: [Int32: Timestamp] = [:]

    init(now: Timestamp) { self.now = now }

    var spansChanged: Int { spans.count }

    /// Devices whose history can't be folded.
    private(set) var failed: [SetAside] = []
    /// The failed devices that were counted by stored rows this program can't read, with their apps.
    private(set) var leftOut: [(device: Pseudonym, appNumber: Int32)] = []
    /// Apps with devices that were counted before, nobody knows how.
    private(set) var doubted: Set<Int32> = []
    /// Devices whose history was folded.
    private(set) var folded: [Pseudonym] = []

    mutating func add(_ history: DeviceHistory) {
        let (device, appNumber, state) = (history.device, history.appNumber, history.state)
        if let failure = history.failure {
            failed.append(SetAside(history, failure))
            if history.fault == .unreadable, history.before?.counted != nil { leftOut.append((device, appNumber)) }
            return
        }
        folded.append(device)
        if history.isCountedUnknown { doubted.insert(appNumber) }
        guard var row = DeviceRow(history) else { return addStored(history) }
        pairs.add(history.pairs, appNumber: appNumber)
        // Not `lastHeardAt` alone: a clone's events counted as heard until the installation that ended it arrived late.
        let latest = max(history.latest ?? row.lastHeardAt, row.lastHeardAt)
        asOf[appNumber] = max(asOf[appNumber] ?? latest, latest)
        if history.isHeartbeat, let counted = history.before?.counted { return addHeartbeat(history, counted, row) }
        let zone = history.fold.window.zone

        let stored = history.stored
        let fixed = stored.spans.filter { history.start.isFixed($0.value) }
        let newSpans = history.fold.spans(of: state)
        let difference = SpanDifference(
            stored: stored.spans.filter { fixed[$0.key] == nil }, spans: newSpans,
            lastOrdinal: max(history.before?.lastOrdinal ?? 0, stored.spans.keys.max() ?? 0))
        replaceSpans(of: history, as: difference)

        let fixedPhases = stored.phases.filter(history.start.isFixed)
        replace(stored.phases.dropFirst(fixedPhases.count), of: history, by: state.phases)

        let reportingUntil = history.fold.reportingUntil(of: state)
        var reading = DeviceReading(
            spans: Array(fixed.values) + newSpans, phases: fixedPhases + state.phases, silentAt: row.silentAt,
            reportingUntil: reportingUntil,
            dueAt: DeviceReading.due(
                silentAt: row.silentAt, reportingUntil: reportingUntil, zone: zone, after: now),
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
        replaceMonths(of: history, by: reading.uses.months)
        replaceCohorts(of: history, by: reading.cohorts.rows)
        entries.add(reading, insteadOf: before, appNumber: appNumber)

        row.dueAt = reading.dueAt
        row.lastOrdinal = difference.lastOrdinal
        devices.append(row)
    }

    /// Adds a device for which only the days on which it was heard from, and the times, have changed.
    private mutating func addHeartbeat(
        _ history: DeviceHistory, _ counted: StoredDevice.Counted, _ row: DeviceRow
    ) {
        let (fold, state) = (history.fold, history.state)
        let stored = history.stored
        var before = DeviceReading(stored, counted, history.legacyKinds)
        // As they are stored, except for those that are past.
        before.spans = fold.spans(of: state)
        before.phases = state.phases
        before.changedFrom = history.needsEndingFrom.map(fold.window.zone.day(of:)) ?? before.changedFrom
        var reading = before
        reading.silentAt = row.silentAt
        reading.reportingUntil = fold.reportingUntil(of: state)
        reading.dueAt = DeviceReading.due(
            silentAt: row.silentAt, reportingUntil: reading.reportingUntil, zone: reading.zone, after: now,
            orAt: counted.dueAt)
        reading.uses = history.uses
        replaceMonths(of: history, by: reading.uses.months)
        entries.add(reading, insteadOf: before, appNumber: history.appNumber)

        var row = row
        row.dueAt = reading.dueAt
        heartbeats.append(row)
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

    private mutating func replaceMonths(of history: DeviceHistory, by wanted: Set<DeviceUses.Month>) {
        let stored = history.stored.months
        var gone = stored.subtracting(wanted)
        for month in wanted.subtracting(stored) {
            if let before = gone.first(where: month.grew(since:)) {
                gone.remove(before)
                grownMonths.append(history.owned(month))
            } else {
                months.insert(history.owned(month))
            }
        }
        for month in gone { months.delete(history.owned(month)) }
    }

    private mutating func replaceCohorts(of history: DeviceHistory, by wanted: Set<CohortRow>) {
        let stored = history.stored.cohorts.rows
        for row in stored.subtracting(wanted) { cohorts.delete(history.owned(row)) }
        for row in wanted.subtracting(stored) { cohorts.insert(history.owned(row)) }
    }

    private mutating func replaceSpans(of history: DeviceHistory, as difference: SpanDifference) {
        for ordinal in difference.gone {
            guard let span = history.stored.spans[ordinal] else { continue }
            spans.delete(history.owned(StoredSpan(ordinal: ordinal, span: span)))
        }
        for (ordinal, span) in difference.added {
            spans.insert(history.owned(StoredSpan(ordinal: ordinal, span: span)))
        }
    }

    private mutating func replace(_ stored: some Sequence<Phase>, of history: DeviceHistory, by wanted: [Phase]) {
        for phase in stored where !wanted.contains(phase) { phases.delete(history.owned(phase)) }
        for phase in wanted where !stored.contains(phase) { phases.insert(history.owned(phase)) }
    }
}

extension DeviceHistory {
    fileprivate func owned<Value>(_ value: Value) -> OwnedRow<Value> {
        OwnedRow(device: device, appNumber: appNumber, value: value)
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

extension Transaction {
    /// Stops counting devices with a stored row that can't be read. What they were counted for can't be taken back one by
    /// one, so the next night recounts their apps without them.
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
        if !changes.recounted.devices.isEmpty {
            let recounted = changes.recounted
            try await run(
                SQL.DeviceStore.saveRecounted, [recounted.devices, recounted.zones, recounted.legacyKinds])
        }
        try await enter(changes.entries)
        try await enter(changes.pairs)
        try await setAside(changes.failed)
        try await leaveOut(changes.leftOut)
        if !changes.doubted.isEmpty { try await run(SQL.DayLedger.doubt, [changes.doubted.sorted()]) }
        if !changes.folded.isEmpty { try await run(SQL.DeviceStore.takeBack, [changes.folded]) }
        // Last, because parallel steps wait for the app's row.
        for (appNumber, asOf) in changes.asOf.sorted(by: { $0.key < $1.key }) {
            try await run(SQL.DeviceStore.reconciled, [appNumber, asOf])
        }
    }
}
