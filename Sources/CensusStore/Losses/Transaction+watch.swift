internal import CensusCore
internal import Postgres

/// A night's watch over an app's updates.
extension Transaction {
    /// See ``LossStore/watch(_:through:)``.
    func watchUpdates(of app: App, through day: Day) async throws -> [LossIncident] {
        try await run(SQL.LossStore.lock, deadline: .seconds(600))
        try await run(SQL.LossStore.take, [app.number, day])
        try await beginWatches(of: app, through: day)
        let holders = try await HoldersByVersion(query(SQL.LossStore.holdersByVersion, [app.number]))
        var opened: [LossIncident] = []
        for row in try await query(SQL.LossStore.due, [app.number, day, LossWatch.days]) {
            let watch = try StoredWatch(row)
            guard let incident = try await judge(watch, holders, app) else { continue }
            try await record(incident, app, by: LossAct.night, because: nil)
            opened.append(incident)
        }
        try await run(SQL.LossStore.sweep, [app.number, day, 2 * LossWatch.days])
        try await refreshRisks(holders, app)
        return opened
    }

    /// Holders go on updating, also in nights in which nothing makes a watch be judged again.
    private func refreshRisks(_ holders: HoldersByVersion, _ app: App) async throws {
        var changed = RiskColumns()
        for row in try await query(SQL.LossStore.risks, [app.number]) {
            let (kind, to) = (try WatchedKind(row), try row["to_version"] as String)
            let from: String? = try row["from_version"]
            let atRisk = holders.atRisk(of: kind, updatingTo: to)
            let devices = from.map(atRisk.on) ?? atRisk.total
            guard try row["devices_at_risk"] as Int != devices else { continue }
            changed.append(kind, to: to, from: from, devices: devices)
        }
        guard !changed.isEmpty else { return }
        try await run(SQL.LossStore.saveRisks, [app.number] + changed.parameters)
    }

    /// Begins to watch the versions and kinds of which enough has now been seen.
    private func beginWatches(of app: App, through day: Day) async throws {
        let healthy = try await query(SQL.LossStore.healthyUpdates, [app.number]).first
        let tolerance =
            try healthy.map { row in
                LossWatch.tolerance(
                    healthy: try ReportPairs(row, "lost", "lost", "exposed_seconds"),
                    beside: try ReportPairs(row, "others_lost", "others_lost", "others_seconds"))
            } ?? LossWatch.leastTolerance
        for row in try await query(SQL.LossStore.newVersions, [app.number, LossWatch.fewestUpdates]) {
            let version: String = try row["to_version"]
            let firstDay: Day = try row["first_day"]
            let kinds = try await query(
                SQL.LossStore.holders, [app.number, firstDay, AlarmBudget.fewestHolders])
            let parameters: [(any PostgresCodable)?] = [app.number, version, firstDay, kinds.count]
            guard let share = try await query(SQL.LossStore.watchVersion, parameters).first else { continue }
            let chance = try AlarmBudget(perYear: share["false_alarms"])
                .chance(version: try share["place"], kinds: kinds.count)
            for kind in kinds {
                let watch = StoredWatch(try WatchedKind(kind), version: version, firstDay: firstDay)
                try await begin(watch, LossWatch(chance: chance, tolerance: tolerance), app)
            }
        }
        for row in try await query(SQL.LossStore.lateKinds, [app.number, day, AlarmBudget.fewestHolders]) {
            let kinds: Int = try row["kinds"]
            let late = max(0, try row["watched"] as Int - kinds)
            let chance = try AlarmBudget(perYear: row["false_alarms"])
                .chance(version: try row["place"], kinds: kinds, late: late)
            let watch = try StoredWatch(
                WatchedKind(row), version: row["to_version"], firstDay: row["first_day"])
            try await begin(watch, LossWatch(chance: chance, tolerance: tolerance), app)
        }
    }

    private func begin(_ stored: StoredWatch, _ watch: LossWatch, _ app: App) async throws {
        let ordinary = try await query(
            SQL.LossStore.ordinary, [app.number, stored.kind.surface, stored.kind.kind, stored.firstDay])
        var bounds: [ReportGap: Double] = [:]
        for row in ordinary {
            let pairs = try ReportPairs(row, "pairs", "lost", "exposed_seconds")
            bounds[try ReportGap(row)] = pairs.upperRate(doubt: watch.doubt)
        }
        let parameters: [(any PostgresCodable)?] = [watch.chance, watch.tolerance, bounds[.short], bounds[.long]]
        try await run(SQL.LossStore.watch, stored.key(app) + parameters)
    }

    /// Judges one kind and version by all pairs until now.
    ///
    /// - Returns: the incident that this opened; nil if none.
    private func judge(_ stored: StoredWatch, _ holders: HoldersByVersion, _ app: App) async throws -> LossIncident? {
        let key = stored.key(app)
        var days: [LossDay] = []
        var taken: Timestamp?
        for row in try await query(
            SQL.LossStore.days, key + [stored.firstDay, LossWatch.days] as [(any PostgresCodable)?])
        {
            let (takenAt, ofDay) = (
                try row["taken_at"] as Timestamp, try row["day"] as Day
            )
            if taken != takenAt || days.last?.day != ofDay { days.append(LossDay(ofDay)) }
            taken = takenAt
            try days[days.count - 1].add(row)
        }
        let figures = stored.watch.figures(of: days, excusing: try await accepted(stored, app))
        let atRisk = holders.atRisk(of: stored.kind, updatingTo: stored.version)
        let isOpened = stored.state == .watched && figures.openedOn != nil
        let state = isOpened ? .open : stored.state
        let openedOn = stored.openedOn ?? figures.openedOn
        let (updates, others) = (figures.updates, figures.others)
        let saved: [(any PostgresCodable)?] = [
            updates.pairs, updates.lost, figures.excused, updates.exposedSeconds, others.pairs, others.lost,
            others.exposedSeconds, figures.evidence, LossFigures.z(updates, beside: others), figures.smallestSeen,
            atRisk.total, state.rawValue, openedOn, days.map(\.day).max(), figures.late, figures.unmatched,
            figures.unmatchedWithOS,
        ]
        try await run(SQL.LossStore.saveWatch, key + saved)
        try await run(SQL.LossStore.saveOrigins, key + OriginColumns(figures.origins, atRisk).parameters)
        guard isOpened else { return nil }
        return LossIncident(
            surface: stored.kind.surface, kind: stored.kind.kind, toVersion: stored.version,
            fromVersions: figures.losingVersions, state: state, openedOn: openedOn, judgedOn: days.map(\.day).max(),
            figures: figures,
            chance: stored.watch.chance, devicesAtRisk: atRisk.total)
    }

    /// How many losses a person accepted beforehand, less those that updates to other versions took.
    private func accepted(_ stored: StoredWatch, _ app: App) async throws -> Int {
        var most = 0
        var since: String?
        for row in try await query(
            SQL.LossStore.accepted, [app.number, stored.kind.surface, stored.kind.kind, stored.firstDay])
        {
            let version: String? = try row["app_version"]
            if let version, !version.isAtMost(stored.version) { continue }
            let loss: Int = try row["maximum_loss"]
            if loss > most { (most, since) = (loss, version) }
        }
        guard most > 0 else { return 0 }
        for row in try await query(SQL.LossStore.excused, stored.key(app)) {
            let other: String = try row["to_version"]
            if since.map({ $0.isAtMost(other) }) ?? true { most -= try row["excused"] as Int }
        }
        return max(0, most)
    }

    /// Keeps what an incident became, with its figures, and tells the app's webhooks.
    func record(_ incident: LossIncident, _ app: App, by actor: String, because reason: String?) async throws {
        let parameters: [(any PostgresCodable)?] = [
            app.number, incident.surface, incident.kind, incident.toVersion, incident.state.rawValue, actor, reason,
        ]
        try await run(SQL.LossStore.act, parameters)
        if let message = incident.message(app) { try await enqueue(message, appNumber: app.number) }
    }
}

/// A kind of a surface.
private struct WatchedKind: Hashable {
    @Bytewise var surface: String
    @Bytewise var kind: String

    init(_ row: Row) throws(PostgresError) {
        surface = try row["surface"]
        kind = try row["kind"]
    }
}

private struct StoredWatch {
    var kind: WatchedKind
    var version: String
    var firstDay: Day
    var watch = LossWatch(chance: 1)
    var state = LossState.watched
    var openedOn: Day?

    init(_ kind: WatchedKind, version: String, firstDay: Day) {
        self.kind = kind
        self.version = version
        self.firstDay = firstDay
    }

    init(_ row: Row) throws {
        try self.init(
            WatchedKind(row), version: row["to_version"], firstDay: row["first_day"])
        watch = LossWatch(
            chance: try row["chance"], tolerance: try row["tolerance"],
            bounds: [
                .short: try row["bound"],
                .long: try row["long_bound"],
            ].compactMapValues { $0 })
        state = try LossState(row)
        openedOn = try row["opened_on"]
    }

    func key(_ app: App) -> [(any PostgresCodable)?] { [app.number, kind.surface, kind.kind, version] }
}

/// Who held each watched kind for certain when the last closed day ended.
private struct HoldersByVersion {
    private var holders: [WatchedKind: [(version: String, devices: Int)]] = [:]

    init(_ rows: Rows) throws {
        for row in rows {
            holders[try WatchedKind(row), default: []].append(
                (try row["app_version"] as String, try row["devices"] as Int))
        }
    }

    func atRisk(of kind: WatchedKind, updatingTo version: String) -> DevicesAtRisk {
        DevicesAtRisk(holders[kind] ?? [], updatingTo: version)
    }
}

/// Holders on other versions, who may still update.
private struct DevicesAtRisk {
    private var byVersion: [Text: Int] = [:]
    var total: Int { byVersion.values.reduce(0, +) }

    init(_ holders: [(version: String, devices: Int)], updatingTo version: String) {
        // A newer version has had its own watch.
        for held in holders where held.version.isAtMost(version) && !held.version.hasBytes(of: version) {
            byVersion[Text(held.version)] = held.devices
        }
    }

    func on(_ version: String) -> Int { byVersion[Text(version)] ?? 0 }
}

extension String {
    /// Whether it names a version that is not newer; if that is unknown, it counts as not newer.
    fileprivate func isAtMost(_ other: String) -> Bool {
        let (mine, theirs) = (Version(self), Version(other))
        return !mine.isNumbered || !theirs.isNumbered || mine <= theirs
    }
}

extension ReportGap {
    fileprivate init(_ row: Row) throws(PostgresError) {
        self = try ReportGap(rawValue: row["gap"]) ?? .late
    }
}

extension LossDay {
    fileprivate mutating func add(_ row: Row) throws {
        add(
            try ReportPairs(row, "pairs", "lost", "exposed_seconds"),
            from: try row["from_version"],
            beside: try ReportPairs(row, "others", "others_lost", "others_seconds"),
            in: try LossStratum(
                isOtherOS: row["is_other_os"], gap: ReportGap(row)))
    }
}

/// Devices at risk by column, as `LossStore.saveRisks` takes them.
private struct RiskColumns {
    private var surfaces: [String] = []
    private var kinds: [String] = []
    private var targets: [String] = []
    private var origins = Column<String>()
    private var devices: [Int] = []

    var isEmpty: Bool { devices.isEmpty }

    mutating func append(_ kind: WatchedKind, to target: String, from origin: String?, devices: Int) {
        surfaces.append(kind.surface)
        kinds.append(kind.kind)
        targets.append(target)
        origins.append(origin)
        self.devices.append(devices)
    }

    var parameters: [(any PostgresCodable)?] { [surfaces, kinds, targets, origins, devices] }
}

/// Origins by column, as `LossStore.saveOrigins` takes them.
private struct OriginColumns {
    private var versions: [String] = []
    private var numbers = Array(repeating: [Int](), count: 6)
    private var evidence: [Double] = []
    private var z = Column<Double>()
    private var atRisk: [Int] = []

    init(_ origins: [LossFigures.Origin], _ devices: DevicesAtRisk) {
        for origin in origins {
            versions.append(origin.version)
            let (updates, others) = (origin.updates, origin.others)
            let counts = [
                updates.pairs, updates.lost, updates.exposedSeconds, others.pairs, others.lost, others.exposedSeconds,
            ]
            for (place, count) in counts.enumerated() { numbers[place].append(count) }
            evidence.append(origin.evidence)
            z.append(LossFigures.z(updates, beside: others))
            atRisk.append(devices.on(origin.version))
        }
    }

    var parameters: [(any PostgresCodable)?] {
        [versions, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], evidence, z, atRisk]
    }
}
