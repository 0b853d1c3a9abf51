package import CensusCore
internal import Postgres

/// The incidents of mass loss: kinds that app updates took away, and people's acts on them.
package struct LossStore: Sendable {
    let database: Database

    /// Processes the pairs of reports that arrived since the last night, and judges for every watched kind and version whether
    /// the update takes it away.
    ///
    /// - Parameter day: the last day whose pairs are taken.
    /// - Returns: the incidents that it opened.
    package func watch(_ app: App, through day: Day) async throws(StoreError) -> [LossIncident] {
        try await database.transaction("LossStore.watch") { transaction in
            try await transaction.watchUpdates(of: app, through: day)
        }
    }

    /// - Parameter states: ``LossState/watched`` selects updates that opened no incident.
    /// - Returns: the newest incident first. Within a day, and among those that never opened, the newest version comes first.
    package func incidents(
        of app: App, in states: [LossState] = [.open, .acknowledged]
    ) async throws(StoreError) -> [LossIncident] {
        let incidents = try await database.rows(
            SQL.LossStore.incidents, [app.number, states.map(\.rawValue)], as: LossIncident.init)
        // PostgreSQL sorts 20.10 before 20.9.
        let keyed = incidents.map { incident in
            (
                day: incident.openedOn?.daysSince1970 ?? .min, version: Version(incident.toVersion),
                incident: incident
            )
        }
        return keyed.sorted { ($1.day, $1.version) < ($0.day, $0.version) }.map(\.incident)
    }

    /// How many incidents are open, of all apps.
    package func countOpen() async throws(StoreError) -> Int {
        try await database.value(SQL.LossStore.countOpen, as: Int.self) ?? 0
    }

    /// The acts on incidents.
    ///
    /// - Parameter kind: nil: all kinds.
    package func acts(of app: App, on kind: String? = nil) async throws(StoreError) -> LossActs {
        LossActs(try await database.rows(SQL.LossStore.acts, [app.number, kind]))
    }

    /// Changes with each act on the losses of a kind in updates to a version.
    package func version(of app: App, kind: String, version: String) async throws(StoreError) -> Int64 {
        try await database.value(SQL.LossStore.lastAct, [app.number, kind, version], as: Int64.self) ?? 0
    }

    /// Records a person's act on an incident, on all surfaces on which it is open.
    ///
    /// - Parameters:
    ///   - seen: the ``version(of:kind:version:)`` that the act is based on; nil: whatever it is.
    ///   - isDryRun: undo it before returning.
    /// - Throws: ``StoreError`` with fault `request` if the incident does not exist, or is closed, or ``StoreError/overtaken``.
    /// - Returns: what changed; empty if it was in that state before.
    package func act(
        _ state: LossState, kind: String, version: String, by actor: String, because reason: String?, app: App,
        seen: Int64? = nil, isDryRun: Bool = false
    ) async throws(StoreError) -> [LossIncident] {
        if isDryRun {
            return try await database.rehearsal("LossStore.act") {
                try await $0.act(state, kind: kind, version: version, by: actor, because: reason, app: app, seen: seen)
            }
        }
        return try await database.transaction("LossStore.act") {
            try await $0.act(state, kind: kind, version: version, by: actor, because: reason, app: app, seen: seen)
        }
    }
}

extension Transaction {
    /// See ``LossStore/act(_:kind:version:by:because:app:seen:isDryRun:)``.
    fileprivate func act(
        _ state: LossState, kind: String, version: String, by actor: String, because reason: String?, app: App,
        seen: Int64?
    ) async throws -> [LossIncident] {
        try await run(SQL.LossStore.lock, deadline: .seconds(60))
        let parameters: [(any PostgresCodable)?] = [app.number, kind, version, state.rawValue]
        let surfaces = try await rows(SQL.LossStore.setState, parameters, as: String.self)
        let incidents = try await query(SQL.LossStore.incidents, [app.number, LossState.allCases.map(\.rawValue)])
            .map(LossIncident.init)
            .filter { $0.kind.hasBytes(of: kind) && $0.toVersion.hasBytes(of: version) }
        guard !surfaces.isEmpty else {
            if incidents.contains(where: { $0.state == state }) { return [] }
            let found = incidents.first.map {
                $0.state == .watched ? "is not an incident" : "is already \($0.state.rawValue)"
            }
            throw StoreError(
                .request,
                "the loss of \(kind) in updates to \(version) \(found ?? "is unknown"); "
                    + "`\(ShellCommand("widget-census losses list --app \(app.id) --all"))` lists the incidents")
        }
        try await require(seen, from: SQL.LossStore.lastAct, [app.number, kind, version])
        let changed = incidents.filter { surfaces.contains($0.surface) }
        for incident in changed { try await record(incident, app, by: actor, because: reason) }
        // An open loss keeps a kind from being `ready`.
        _ = try await decide(app, through: nil)
        return changed
    }
}

/// The state of a watch for whether an update takes a kind away.
package enum LossState: String, Hashable, Sendable, Decodable, CaseIterable, PostgresCodable {
    case watched, open, acknowledged, closed
}

/// A kind that updates to one version take away.
package struct LossIncident: Hashable, Sendable {
    package var surface: String
    package var kind: String
    package var toVersion: String
    /// The versions whose updates lost it, the one with the most losses first.
    package var fromVersions: [String]
    package var state: LossState
    /// The day whose pairs sufficed to open it.
    package var openedOn: Day?
    /// The last day whose pairs are in the figures.
    package var judgedOn: Day?
    /// Without the origins.
    package var figures: LossFigures
    /// The allowed chance of a false alarm.
    package var chance: Double
    /// Devices that held it for certain on an older version when the last closed day ended.
    package var devicesAtRisk: Int
    /// What devices that updated have in common, most losses first.
    package var details: [LossDetail] = []
}

/// An act of a person, or of the night, on an incident.
package struct LossAct: Hashable, Sendable, Decodable {
    /// The actor that opens incidents.
    package static let night = "widget-census"

    package var state: LossState
    package var actor: String
    package var reason: String?
    /// In the app's zone.
    package var day: Day
    /// The devices that had updated when the act was recorded, and how many of them had lost the kind.
    package var upgraders: Int?
    package var lost: Int?
}

/// Acts on several incidents.
package struct LossActs: Sendable {
    /// An act and its incident.
    package struct Entry: Sendable, Decodable {
        var surface: String
        var kind: String
        package var toVersion: String
        package var act: LossAct
    }

    private var entries: [Entry]

    /// - Parameter entries: the oldest act first.
    package init(_ entries: [Entry]) { self.entries = entries }

    /// The acts on all incidents of a kind of one surface, the oldest first.
    package func on(_ kind: String, surface: String) -> [Entry] {
        entries.filter { $0.surface == surface && $0.kind.hasBytes(of: kind) }
    }

    /// The acts on one incident, the oldest first.
    package func on(_ incident: LossIncident) -> [LossAct] {
        entries.filter {
            $0.surface == incident.surface && $0.kind.hasBytes(of: incident.kind)
                && $0.toVersion.hasBytes(of: incident.toVersion)
        }.map(\.act)
    }
}

extension LossIncident {
    /// The evidence that opens an incident.
    package var threshold: Double { LossWatch(chance: chance).threshold }

    /// Whether most devices lost it, although the evidence does not suffice for an incident.
    package var looksLikeALoss: Bool {
        let updates = figures.updates
        return state == .watched && updates.lost - figures.excused >= LossWatch.fewestLost
            && 2 * updates.lost > updates.pairs
    }

    /// What to do now, as a sentence without its full stop.
    package var advice: String {
        switch state {
        case .watched, .open: "pause the phased release now; a pause brings nothing back, but prevents further losses"
        case .acknowledged: "nothing: it is known and followed"
        case .closed:
            devicesAtRisk == 0
                ? "nothing: it is over"
                : "nothing, because it was closed; but \(devicesAtRisk.counted("device")) on older versions still hold\(devicesAtRisk == 1 ? "s" : "") it"
        }
    }

    /// The message for webhooks when it was opened, acknowledged or closed; nil before that.
    func message(_ app: App) -> WebhookMessage? {
        switch state {
        case .watched: nil
        case .open: message(app, .opened)
        case .acknowledged: message(app, .acknowledged)
        case .closed: message(app, .closed)
        }
    }

    /// A message for webhooks; nil if it never opened.
    func message(_ app: App, _ occasion: MassLossMessage.Occasion) -> WebhookMessage? {
        guard let state = MassLossMessage.State(rawValue: state.rawValue), let openedOn,
            let surface = Surface(rawValue: surface)
        else { return nil }
        let updates = figures.updates
        let loss = MassLossMessage(
            appID: app.id, surface: surface, kind: kind, toVersion: toVersion, fromVersions: fromVersions,
            upgraders: updates.pairs, lost: updates.lost,
            lossRate: updates.lostShare, ordinaryRate: figures.ordinaryShare,
            evidence: figures.evidence, devicesAtRisk: devicesAtRisk, smallestDetectableRate: figures.smallestSeen,
            openedOn: openedOn, state: state, headline: headline, advice: advice)
        return WebhookMessage(.massLoss(occasion, loss), at: .now)
    }

    init(_ row: Row) throws {
        surface = try row["surface"]
        kind = try row["kind"]
        toVersion = try row["to_version"]
        let versions = try (row["from_versions"] as [String]).map { Version($0) }
        let losses = zip(try row["from_versions_lost"] as [Int], versions)
        fromVersions = losses.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.1.text)
        state = try row["state"]
        openedOn = try row["opened_on"]
        judgedOn = try row["judged_on"]
        chance = try row["chance"]
        devicesAtRisk = try row["devices_at_risk"]
        figures = LossFigures()
        let pairs: ComparedPairs = try row.decoded()
        figures.updates = pairs.updates
        figures.others = pairs.ordinary
        figures.excused = try row["excused"]
        figures.evidence = try row["evidence"]
        figures.smallestSeen = try row["smallest_seen"]
        figures.openedOn = openedOn
        figures.late = try row["late"]
        figures.unmatched = try row["unmatched"]
        figures.unmatchedWithOS = try row["unmatched_with_os"]
        details = try LossDetail.all(row)
    }
}

/// Pairs with an update, and pairs without one to compare them with.
struct ComparedPairs: Decodable {
    var updates: ReportPairs
    private var others: Int
    private var othersLost: Int
    private var othersSeconds: Int

    var ordinary: ReportPairs { ReportPairs(pairs: others, lost: othersLost, exposedSeconds: othersSeconds) }
}

extension LossIncident {
    /// A sentence without its full stop.
    package var headline: String {
        let place = surface.surfaceInBrackets
        let (updates, isOne) = (figures.updates, devicesAtRisk == 1)
        return "of \(updates.pairs.counted("device")) that held \(kind)\(place) and updated to \(toVersion), "
            + "\(updates.lost.grouped) (\(updates.lostShare.asPercentage)) lost it; "
            + "\(devicesAtRisk.grouped) more, on older versions, \(updates.lost > 0 ? "\(isOne ? "is" : "are") at risk" : "\(isOne ? "has" : "have") yet to update")"
    }
}
