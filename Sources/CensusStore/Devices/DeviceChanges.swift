internal import CensusCore
internal import Postgres

/// What one step of the reconciler writes, gathered over its devices.
struct DeviceChanges: Sendable {
    /// The ledger gets what time alone changes up to this moment; later changes wait until they are due.
    let now: Timestamp
    private(set) var goneDevices: [Pseudonym] = []
    private(set) var goneOrdinals: [Int32] = []
    private(set) var spans = CopyRows(for: SQL.DeviceStore.insertSpans)
    private(set) var gonePhases = (devices: [Pseudonym](), from: [Timestamp]())
    private(set) var phases = CopyRows(for: SQL.DeviceStore.insertPhases)
    private(set) var goneMonths: [(device: Pseudonym, month: DeviceUses.Month)] = []
    private(set) var months = CopyRows(for: SQL.DeviceStore.insertUses)
    private(set) var grownMonths = GrownMonthColumns()
    private(set) var goneCohorts: [(device: Pseudonym, row: CohortRow)] = []
    private(set) var cohorts = CopyRows(for: SQL.DeviceStore.insertCohorts)
    private(set) var devices = RowArrays(DeviceRow.columns)
    private(set) var heartbeats = RowArrays(DeviceRow.columnsOfHeartbeat)
    private(set) var entries = LedgerEntries()
    private(set) var pairs = PairEntries()
    /// Devices that are now counted differently and are otherwise unchanged.
    private(set) var recounted = (devices: [Pseudonym](), zones: [String](), legacyKinds: [Int32]())
    /// Time of each app's last event.
    private(set) var asOf: [Int32: Timestamp] = [:]

    init(now: Timestamp) { self.now = now }

    var spansChanged: Int { goneOrdinals.count + spans.count }

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
        write(difference, device, appNumber)

        let fixedPhases = stored.phases.filter(history.start.isFixed)
        write(Array(stored.phases.dropFirst(fixedPhases.count)), becoming: state.phases, device, appNumber)

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
        write(stored.months, becoming: reading.uses.months, device, appNumber)
        write(stored.cohorts, becoming: reading.cohorts, device, appNumber)
        entries.add(reading, insteadOf: before, appNumber: appNumber)

        row.dueAt = reading.dueAt
        row.lastOrdinal = difference.lastOrdinal
        devices.append(row)
    }

    /// Adds a device for which only the days on which it was heard from, and the times, have changed.
    private mutating func addHeartbeat(
        _ history: DeviceHistory, _ counted: StoredDevice.Counted, _ row: DeviceRow
    ) {
        let (device, fold, state) = (history.device, history.fold, history.state)
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
        write(stored.months, becoming: reading.uses.months, device, history.appNumber)
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

    private mutating func write(
        _ stored: Set<DeviceUses.Month>, becoming wanted: Set<DeviceUses.Month>, _ device: Pseudonym, _ appNumber: Int32
    ) {
        var gone = stored.subtracting(wanted)
        for month in wanted.subtracting(stored) {
            if let before = gone.first(where: month.grew(since:)) {
                gone.remove(before)
                grownMonths.append(device, month)
            } else {
                months.append { row in month.encode(into: &row, device: device, appNumber: appNumber) }
            }
        }
        for month in gone { goneMonths.append((device, month)) }
    }

    private mutating func write(_ stored: Cohorts, becoming wanted: Cohorts, _ device: Pseudonym, _ appNumber: Int32) {
        let (before, after) = (stored.rows, wanted.rows)
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

/// Months of devices that have one day more, or more events on their last one, as `DeviceStore.growUses` takes them.
struct GrownMonthColumns: Sendable {
    private var device = Column<Pseudonym>()
    private var month = Column<Day>()
    private var use = Column<String>()
    private var surface = Column<String>()
    private var kind = Column<String>()
    private var day = Column<Int16>()
    private var events = Column<Int64>()

    var isEmpty: Bool { device.count == 0 }

    /// - Parameter grown: as it is now.
    mutating func append(_ device: Pseudonym, _ grown: DeviceUses.Month) {
        guard let day = grown.days.last, let events = grown.events.last else { return }
        self.device.append(device)
        month.append(grown.month)
        use.append(grown.key.use.rawValue)
        surface.append(grown.key.surface?.rawValue ?? "")
        kind.append(grown.key.kind)
        self.day.append(day)
        self.events.append(events)
    }

    var parameters: [(any PostgresCodable)?] { [device, month, use, surface, kind, day, events] }
}

extension DeviceUses.Month {
    /// Whether nothing but its last day is new, or has another number of events, since `before`.
    fileprivate func grew(since before: DeviceUses.Month) -> Bool {
        guard key == before.key, month == before.month, let last = before.days.last else { return false }
        let kept = days.last == last ? before.days.count - 1 : before.days.count
        return days.count == kept + 1 && days.prefix(kept) == before.days.prefix(kept)
            && events.prefix(kept) == before.events.prefix(kept)
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
        if !changes.goneDevices.isEmpty {
            try await run(SQL.DeviceStore.deleteSpans, [changes.goneDevices, changes.goneOrdinals])
        }
        if !changes.spans.isEmpty { _ = try await copyIn(SQL.DeviceStore.insertSpans, [changes.spans]) }
        if !changes.gonePhases.devices.isEmpty {
            try await run(
                SQL.DeviceStore.deletePhases, [changes.gonePhases.devices, changes.gonePhases.from])
        }
        if !changes.phases.isEmpty { _ = try await copyIn(SQL.DeviceStore.insertPhases, [changes.phases]) }
        if !changes.goneMonths.isEmpty {
            let gone = changes.goneMonths
            try await run(
                SQL.DeviceStore.deleteUses,
                [
                    gone.map(\.device), gone.map(\.month.month), gone.map(\.month.key.use.rawValue),
                    gone.map { $0.month.key.surface?.rawValue ?? "" }, gone.map(\.month.key.kind),
                ])
        }
        if !changes.grownMonths.isEmpty {
            try await run(SQL.DeviceStore.growUses, changes.grownMonths.parameters)
        }
        if !changes.months.isEmpty { _ = try await copyIn(SQL.DeviceStore.insertUses, [changes.months]) }
        if !changes.goneCohorts.isEmpty {
            let gone = changes.goneCohorts
            try await run(
                SQL.DeviceStore.deleteCohorts,
                [gone.map(\.device), gone.map(\.row.surface.rawValue), gone.map(\.row.kind)])
        }
        if !changes.cohorts.isEmpty { _ = try await copyIn(SQL.DeviceStore.insertCohorts, [changes.cohorts]) }
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
