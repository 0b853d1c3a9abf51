internal import CensusCore
internal import Postgres

/// A night's watch over an app's updates.
extension Transaction {
    /// See ``LossStore/watch(_:through:)``.
    func watchUpdates(of app: App, through day: Day) async throws -> [LossIncident] {
        _ = try await query(SQL.LossStore.lock, deadline: .seconds(600))
        _ = try await query(SQL.LossStore.take, [app.number, day])
        try await beginWatches(of: app, through: day)
        let holders = try await HoldersByVersion(query(SQL.LossStore.holdersByVersion, [app.number]))
        var opened: [LossIncident] = []
        for row in try await query(SQL.LossStore.due, [app.number, day, LossWatch.days]) {
            let watch = try StoredWatch(row)
            guard let incident = try await judge(watch, holders, app) else { continue }
            try await record(incident, app, by: LossAct.night, because: nil)
            opened.append(incident)
        }
        _ = try await query(SQL.LossStore.sweep, [app.number, day, 2 * LossWatch.days])
        try await refreshRisks(holders, app)
        return opened
    }

    /// Holders go on updating, also in nights in which nothing makes a watch be judged again.
    private func refreshRisks(_ holders: HoldersByVersion, _ app: App) async throws {
        var changed = RiskColumns()
        for row in try await query(SQL.LossStore.risks, [app.number]) {
            let (kind, to) = (try WatchedKind(row), try row.decode("to_version", as: String.self))
            let from = try row.decode("from_version", as: String?.self)
            let atRisk = holders.atRisk(of: kind, updatingTo: to)
            let devices = from.map(atRisk.on) ?? atRisk.total
            guard try row.decode("devices_at_risk", as: Int.self) != devices else { continue }
            changed.append(kind, to: to, from: from, devices: devices)
        }
        guard !changed.isEmpty else { return }
        _ = try await query(SQL.LossStore.saveRisks, [app.number] + changed.parameters)
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
            let version = try row.decode("to_version", as: String.self)
            let firstDay = try row.decode("first_day", as: Day.self)
            let kinds = try await query(
                SQL.LossStore.holders, [app.number, firstDay, AlarmBudget.fewestHolders])
            let parameters: [(any PostgresCodable)?] = [app.number, version, firstDay, kinds.count]
            guard let share = try await query(SQL.LossStore.watchVersion, parameters).first else { continue }
            let chance = AlarmBudget(perYear: try share.decode("false_alarms", as: Double.self))
                .chance(version: try share.decode("place", as: Int.self), kinds: kinds.count)
            for kind in kinds {
                let watch = StoredWatch(try WatchedKind(kind), version: version, firstDay: firstDay)
                try await begin(watch, LossWatch(chance: chance, tolerance: tolerance), app)
            }
        }
        for row in try await query(SQL.LossStore.lateKinds, [app.number, day, AlarmBudget.fewestHolders]) {
            let kinds = try row.decode("kinds", as: Int.self)
            let late = max(0, try row.decode("watched", as: Int.self) - kinds)
            let chance = AlarmBudget(perYear: try row.decode("false_alarms", as: Double.self))
                .chance(version: try row.decode("place", as: Int.self), kinds: kinds, late: late)
            let watch = StoredWatch(
                try WatchedKind(row), version: try row.decode("to_version", as: String.self),
                firstDay: try row.decode("first_day", as: Day.self))
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
        _ = try await query(SQL.LossStore.watch, stored.key(app) + parameters)
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
                try row.decode("taken_at", as: Timestamp.self), try row.decode("day", as: Day.self)
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
        _ = try await query(SQL.LossStore.saveWatch, key + saved)
        _ = try await query(SQL.LossStore.saveOrigins, key + OriginColumns(figures.origins, atRisk).parameters)
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
            let version = try row.decode("app_version", as: String?.self)
            if let version, !version.isAtMost(stored.version) { continue }
            let loss = try row.decode("maximum_loss", as: Int.self)
            if loss > most { (most, since) = (loss, version) }
        }
        guard most > 0 else { return 0 }
        for row in try await query(SQL.LossStore.excused, stored.key(app)) {
            let other = try row.decode("to_version", as: String.self)
            if since.map({ $0.isAtMost(other) }) ?? true { most -= try row.decode("excused", as: Int.self) }
        }
        return max(0, most)
    }

    /// Keeps what an incident became, with its figures, and tells the app's webhooks.
    func record(_ incident: LossIncident, _ app: App, by actor: String, because reason: String?) async throws {
        let parameters: [(any PostgresCodable)?] = [
            app.number, incident.surface, incident.kind, incident.toVersion, incident.state.rawValue, actor, reason,
        ]
        _ = try await query(SQL.LossStore.act, parameters)
        if let message = incident.message(app) { try await enqueue(message, appNumber: app.number) }
    }
}

/// A kind of a surface.
private struct WatchedKind: Hashable {
    @Bytewise var surface: String
    @Bytewise var kind: String

    init(_ row: Row) throws(PostgresError) {
        surface = try row.decode("surface", as: String.self)
        kind = try row.decode("kind", as: String.self)
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
        self.init(
            try WatchedKind(row), version: try row.decode("to_version", as: String.self),
            firstDay: try row.decode("first_day", as: Day.self))
        watch = LossWatch(
            chance: try row.decode("chance", as: Double.self), tolerance: try row.decode("tolerance", as: Double.self),
            bounds: [
                .short: try row.decode("bound", as: Double?.self),
                .long: try row.decode("long_bound", as: Double?.self),
            ].compactMapValues { $0 })
        state = try LossState(row)
        openedOn = try row.decode("opened_on", as: Day?.self)
    }

    func key(_ app: App) -> [(any PostgresCodable)?] { [app.number, kind.surface, kind.kind, version] }
}

/// Who held each watched kind for certain when the last closed day ended.
private struct HoldersByVersion {
    private var holders: [WatchedKind: [(version: String, devices: Int)]] = [:]

    init(_ rows: Rows) throws {
        for row in rows {
            holders[try WatchedKind(row), default: []].append(
                (try row.decode("app_version", as: String.self), try row.decode("devices", as: Int.self)))
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
        self = ReportGap(rawValue: try row.decode("gap", as: String.self)) ?? .late
    }
}

extension LossDay {
    fileprivate mutating func add(_ row: Row) throws {
        add(
            try ReportPairs(row, "pairs", "lost", "exposed_seconds"),
            from: try row.decode("from_version", as: String.self),
            beside: try ReportPairs(row, "others", "others_lost", "others_seconds"),
            in: LossStratum(
                isOtherOS: try row.decode("is_other_os", as: Bool.self), gap: try ReportGap(row)))
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
