internal import CensusCore
internal import Postgres

/// A night's watch over an app's updates.
extension Transaction {
    /// See ``LossStore/watch(_:through:)``.
    func watchUpdates(of app: App, through day: Day) async throws -> [LossIncident] {
        try await run(SQL.LossStore.lock, deadline: .seconds(600))
        try await run(SQL.LossStore.take, [app.number, day])
        try await beginWatches(of: app, through: day)
        let holders = HoldersByVersion(try await rows(SQL.LossStore.holdersByVersion, [app.number]))
        var opened: [LossIncident] = []
        for watch in try await rows(SQL.LossStore.due, [app.number, day, LossWatch.days], as: StoredWatch.self) {
            guard let incident = try await judge(watch, holders, app) else { continue }
            try await record(incident, app, by: LossAct.night, because: nil)
            opened.append(incident)
        }
        try await run(SQL.LossStore.sweep, [app.number, day, 2 * LossWatch.days])
        try await refreshRisks(holders, app)
        try await follow(app, through: day)
        return opened
    }

    /// Queues messages about incidents that have doubled since the last message, or can grow no further.
    private func follow(_ app: App, through day: Day) async throws {
        let followed = try await rows(
            SQL.LossStore.followed, [app.number, day, LossWatch.days], as: FollowedLoss.self)
        guard !followed.isEmpty else { return }
        let states = [LossState.open, .acknowledged].map(\.rawValue)
        for incident in try await query(SQL.LossStore.incidents, [app.number, states]).map(LossIncident.init) {
            guard let loss = followed.first(where: { $0.isAbout(incident) }),
                let message = incident.message(app, loss.hasEnded ? .ended : .grown)
            else { continue }
            try await enqueue(message, appNumber: app.number)
        }
    }

    /// Updates the numbers of devices at risk, because holders keep updating even in nights in which a watch is not judged.
    private func refreshRisks(_ holders: HoldersByVersion, _ app: App) async throws {
        var changed = RiskColumns()
        for var risk in try await rows(SQL.LossStore.risks, [app.number], as: Risk.self) {
            let atRisk = holders.atRisk(of: risk.kind, updatingTo: risk.toVersion)
            let devices = risk.fromVersion.map(atRisk.on) ?? atRisk.total
            guard risk.devicesAtRisk != devices else { continue }
            risk.devicesAtRisk = devices
            changed.append(risk)
        }
        guard !changed.isEmpty else { return }
        try await run(SQL.LossStore.saveRisks, [app.number] + changed.parameters)
    }

    /// Begins to watch the versions and kinds that now have enough updates.
    private func beginWatches(of app: App, through day: Day) async throws {
        let healthy = try await rows(SQL.LossStore.healthyUpdates, [app.number], as: ComparedPairs.self).first
        let tolerance =
            healthy.map { LossWatch.tolerance(healthy: $0.updates, beside: $0.ordinary) } ?? LossWatch.leastTolerance
        let fewest = LossWatch.fewestUpdates
        for version in try await rows(SQL.LossStore.newVersions, [app.number, fewest], as: WatchedVersion.self) {
            let kinds = try await rows(
                SQL.LossStore.holders, [app.number, version.firstDay, AlarmBudget.fewestHolders], as: WatchedKind.self)
            let parameters: [(any PostgresCodable)?] = [
                app.number, version.toVersion, version.firstDay, kinds.count,
            ]
            let shares = try await rows(SQL.LossStore.watchVersion, parameters, as: VersionShare.self)
            guard let chance = shares.first?.chance(kinds: kinds.count) else { continue }
            for kind in kinds {
                try await begin(kind, version, LossWatch(chance: chance, tolerance: tolerance), app)
            }
        }
        let parameters: [(any PostgresCodable)?] = [app.number, day, AlarmBudget.fewestHolders]
        for late in try await rows(SQL.LossStore.lateKinds, parameters, as: LateKind.self) {
            let chance = late.share.chance(kinds: late.kinds, late: max(0, late.watched - late.kinds))
            try await begin(late.kind, late.version, LossWatch(chance: chance, tolerance: tolerance), app)
        }
    }

    private func begin(
        _ kind: WatchedKind, _ version: WatchedVersion, _ watch: LossWatch, _ app: App
    ) async throws {
        let ordinary = try await rows(
            SQL.LossStore.ordinary, [app.number, kind.surface, kind.kind, version.firstDay], as: PairsByGap.self)
        let bounds = Dictionary(
            uniqueKeysWithValues: ordinary.map { ($0.gap, $0.pairs.upperRate(doubt: watch.doubt)) })
        let parameters: [(any PostgresCodable)?] = [
            app.number, kind.surface, kind.kind, version.toVersion, watch.chance, watch.tolerance,
            bounds[.short] ?? nil, bounds[.long] ?? nil,
        ]
        try await run(SQL.LossStore.watch, parameters)
    }

    /// Judges one kind and version by all pairs so far.
    ///
    /// - Returns: the incident that it opened; nil if none.
    private func judge(_ stored: StoredWatch, _ holders: HoldersByVersion, _ app: App) async throws -> LossIncident? {
        let key = stored.key(app)
        var days: [LossDay] = []
        var taken: Timestamp?
        let watched: [(any PostgresCodable)?] = [stored.version.firstDay, LossWatch.days]
        for row in try await rows(SQL.LossStore.days, key + watched, as: NightPairs.self) {
            if taken != row.takenAt || days.last?.day != row.day { days.append(LossDay(row.day)) }
            taken = row.takenAt
            days[days.count - 1].add(
                row.pairs.updates, from: row.fromVersion, beside: row.pairs.ordinary, in: row.stratum)
        }
        let figures = stored.watch.figures(of: days, excusing: try await accepted(stored, app))
        let atRisk = holders.atRisk(of: stored.kind, updatingTo: stored.version.toVersion)
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
            surface: stored.kind.surface, kind: stored.kind.kind, toVersion: stored.version.toVersion,
            fromVersions: figures.losingVersions, state: state, openedOn: openedOn, judgedOn: days.map(\.day).max(),
            figures: figures,
            chance: stored.watch.chance, devicesAtRisk: atRisk.total)
    }

    /// How many losses a person accepted beforehand, minus those that updates to other versions used up.
    private func accepted(_ stored: StoredWatch, _ app: App) async throws -> Int {
        var most = 0
        var since: String?
        let parameters: [(any PostgresCodable)?] = [
            app.number, stored.kind.surface, stored.kind.kind, stored.version.firstDay,
        ]
        for loss in try await rows(SQL.LossStore.accepted, parameters, as: AcceptedLoss.self) {
            if let version = loss.appVersion, !version.isAtMost(stored.version.toVersion) { continue }
            if loss.maximumLoss > most { (most, since) = (loss.maximumLoss, loss.appVersion) }
        }
        guard most > 0 else { return 0 }
        for other in try await rows(SQL.LossStore.excused, stored.key(app), as: ExcusedLoss.self)
        where since.map({ $0.isAtMost(other.toVersion) }) ?? true { most -= other.excused }
        return max(0, most)
    }

    /// Records an incident's new state with its figures, and queues a message for the app's webhooks.
    func record(_ incident: LossIncident, _ app: App, by actor: String, because reason: String?) async throws {
        let parameters: [(any PostgresCodable)?] = [
            app.number, incident.surface, incident.kind, incident.toVersion, incident.state.rawValue, actor, reason,
        ]
        try await run(SQL.LossStore.act, parameters)
        if let message = incident.message(app) { try await enqueue(message, appNumber: app.number) }
    }
}

/// A kind on a surface.
private struct WatchedKind: Hashable, Decodable {
    @Bytewise var surface: String
    @Bytewise var kind: String
}

private struct WatchedVersion: Decodable {
    var toVersion: String
    var firstDay: Day
}

private struct StoredWatch: Decodable {
    var kind: WatchedKind
    var version: WatchedVersion
    var chance: Double
    var tolerance: Double
    var bound: Double?
    var longBound: Double?
    var state: LossState
    var openedOn: Day?

    var watch: LossWatch {
        let bounds: [ReportGap: Double?] = [.short: bound, .long: longBound]
        return LossWatch(chance: chance, tolerance: tolerance, bounds: bounds.compactMapValues { $0 })
    }

    func key(_ app: App) -> [(any PostgresCodable)?] { [app.number, kind.surface, kind.kind, version.toVersion] }
}

/// A version's share of a year's false alarms.
private struct VersionShare: Decodable {
    var place: Int
    var falseAlarms: Double

    func chance(kinds: Int, late: Int? = nil) -> Double {
        AlarmBudget(perYear: falseAlarms).chance(version: place, kinds: kinds, late: late)
    }
}

/// A kind that reached enough holders after the watch of its version began.
private struct LateKind: Decodable {
    var kind: WatchedKind
    var version: WatchedVersion
    var share: VersionShare
    /// For how many kinds the version is watched now, and for how many it was at first.
    var watched: Int
    var kinds: Int
}

private struct PairsByGap: Decodable {
    var gap: ReportGap
    var pairs: ReportPairs
}

/// Pairs of one night, day, stratum and version updated from.
private struct NightPairs: Decodable {
    var takenAt: Timestamp
    var day: Day
    var stratum: LossStratum
    var fromVersion: String
    var pairs: ComparedPairs
}

private struct AcceptedLoss: Decodable {
    /// The version on which preflight found it; nil: any.
    var appVersion: String?
    var maximumLoss: Int
}

private struct ExcusedLoss: Decodable {
    var toVersion: String
    var excused: Int
}

/// An incident to send a message about.
private struct FollowedLoss: Decodable {
    var kind: WatchedKind
    var toVersion: String
    var hasEnded: Bool

    func isAbout(_ incident: LossIncident) -> Bool {
        kind == WatchedKind(surface: incident.surface, kind: incident.kind)
            && toVersion.hasBytes(of: incident.toVersion)
    }
}

private struct Risk: Decodable {
    var kind: WatchedKind
    var toVersion: String
    /// Nil: from all versions.
    var fromVersion: String?
    var devicesAtRisk: Int
}

private struct Holders: Decodable {
    var kind: WatchedKind
    var appVersion: String
    var devices: Int
}

/// The devices that held each watched kind for certain when the last closed day ended.
private struct HoldersByVersion {
    private let holders: [WatchedKind: [Holders]]

    init(_ rows: [Holders]) { holders = Dictionary(grouping: rows, by: \.kind) }

    func atRisk(of kind: WatchedKind, updatingTo version: String) -> DevicesAtRisk {
        DevicesAtRisk(holders[kind] ?? [], updatingTo: version)
    }
}

/// Holders on other versions, which can still update.
private struct DevicesAtRisk {
    private var byVersion: [Text: Int] = [:]
    var total: Int { byVersion.values.reduce(0, +) }

    init(_ holders: [Holders], updatingTo version: String) {
        // A newer version has its own watch.
        for held in holders where held.appVersion.isAtMost(version) && !held.appVersion.hasBytes(of: version) {
            byVersion[Text(held.appVersion)] = held.devices
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

/// Devices at risk by column, as `LossStore.saveRisks` takes them.
private struct RiskColumns {
    private var surfaces: [String] = []
    private var kinds: [String] = []
    private var targets: [String] = []
    private var origins = Column<String>()
    private var devices: [Int] = []

    var isEmpty: Bool { devices.isEmpty }

    mutating func append(_ risk: Risk) {
        surfaces.append(risk.kind.surface)
        kinds.append(risk.kind.kind)
        targets.append(risk.toVersion)
        origins.append(risk.fromVersion)
        devices.append(risk.devicesAtRisk)
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
