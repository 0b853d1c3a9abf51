package import CensusCore
internal import Postgres

/// One kind, with the last decision about it.
package struct KindRecord: Hashable, Sendable, Decodable {
    package var kind: String
    package var lifecycle: Lifecycle
}

/// One kind on one surface as `kinds list` shows it.
package struct ListedKind: Hashable, Sendable, Decodable {
    package var kind: String
    package var lifecycle: Lifecycle
    /// Nil if no device holds it and there is no decision.
    package var surface: String?
    /// As of the last reconciled event.
    package var devicesCertain: Int
    package var devicesPossible: Int

    /// The surface; `widget` if none is recorded.
    package var place: String { surface ?? Surface.widget.rawValue }
}

/// What the gallery's answers for one app depend on, apart from the devices.
package struct GalleryKinds: Sendable {
    /// Shows whether the rest is still valid.
    struct Stamp: Hashable, Sendable, Decodable {
        var version: Int64
        var actedAt: Timestamp?
        var knownKinds: Int64
        var zone: String
        var windowDays: Int
        var doubtedBuilds: [String]
    }

    let stamp: Stamp
    /// By name.
    package let kinds: [KindRecord]
    /// How the app's devices are folded.
    package let fold: DeviceFold

    /// The version of the decisions.
    package var version: Int64 { stamp.version }

    init(stamp: Stamp, kinds: [KindRecord]) {
        self.stamp = stamp
        self.kinds = kinds
        fold = DeviceFold(
            window: ActivityWindow(days: stamp.windowDays, zoneNamed: stamp.zone),
            doubtedBuilds: Set(stamp.doubtedBuilds))
    }
}

/// What a person decides about a kind.
package struct KindDecision: Hashable, Sendable, Decodable {
    package var lifecycle: Lifecycle
    package var actor: String
    /// Why, in the person's words.
    package var reason: String?
    /// The kind that replaces it.
    package var replacedBy: String?

    package init(_ lifecycle: Lifecycle, by actor: String, because reason: String? = nil, replacedBy: String? = nil) {
        self.lifecycle = lifecycle
        self.actor = actor
        self.reason = reason
        self.replacedBy = replacedBy
    }
}

/// A recorded act, with its surface and the numbers there that it was based on.
package struct KindAct: Hashable, Sendable, Decodable {
    package var surface: String
    /// Also the version of the gallery policy.
    package var version: Int64
    package var decision: KindDecision
    /// In the app's zone; nil for an act that was recorded just now.
    package var day: Day?
    package var devicesCertain: Int
    package var devicesPossible: Int
    /// The verdict on the kind then; nil for acts from before verdicts were stored.
    package var verdict: Readiness.Verdict?
}

/// The widget kinds that apps have used, and people's decisions about them.
package struct KindRegistry: Sendable {
    let database: Database

    /// Every kind that an app has used, by name, as decided for the surface `widget`, which the gallery follows.
    ///
    /// - Parameter known: an earlier result; it is returned if it is still valid.
    /// - Throws: ``StoreError`` with fault `request` when there is no such app.
    package func ofGallery(
        appNumber: Int32, known: GalleryKinds? = nil
    ) async throws(StoreError) -> GalleryKinds {
        // Read the stamp first: kinds that are newer than their stamp are read again, but older ones would stay.
        let stamps = try await database.rows(SQL.KindRegistry.stamp, [appNumber], as: GalleryKinds.Stamp.self)
        guard let stamp = stamps.first else { throw StoreError(.request, "there is no app \(appNumber)") }
        if let known, known.stamp == stamp { return known }
        let kinds = try await database.rows(
            SQL.KindRegistry.kinds, [appNumber, Surface.widget.rawValue], as: KindRecord.self)
        return GalleryKinds(stamp: stamp, kinds: kinds)
    }

    /// Every kind that an app has used, by name and surface.
    package func all(appNumber: Int32) async throws(StoreError) -> [ListedKind] {
        try await database.rows(SQL.KindRegistry.all, [appNumber])
    }

    /// Every decision on a kind of one surface, the first one first.
    package func acts(on kind: String, surface: String, appNumber: Int32) async throws(StoreError) -> [KindAct] {
        try await database.rows(SQL.KindRegistry.acts, [appNumber, surface, kind])
    }

    /// Throws if the app never used the kind, for example after a typing error.
    ///
    /// - Parameter mayBeDeclared: whether it is enough that a manifest has the kind.
    package func require(_ kind: String, of app: App, mayBeDeclared: Bool = false) async throws(StoreError) {
        guard try await knows(kind, of: app, mayBeDeclared: mayBeDeclared) else {
            if !mayBeDeclared, try await knows(kind, of: app, mayBeDeclared: true) {
                throw StoreError(
                    .request, "no device of \(app.id) ever had the kind \(kind), which only a manifest declares")
            }
            let list: ShellCommand = "widget-census kinds list --app \(app.id)"
            let meant = try await nearest(to: kind, of: app)
            throw StoreError(
                .request,
                "\(app.id) has no kind \(kind)\(meant.map { "; did you mean \($0)?" } ?? ";") `\(list)` lists the known ones"
            )
        }
    }

    /// The kind of the app that is probably meant by a misspelled one.
    func nearest(to kind: String, of app: App) async throws(StoreError) -> String? {
        kind.nearest(among: Set(try await all(appNumber: app.number).map(\.kind)).sorted())
    }

    /// Whether the app ever used the kind.
    ///
    /// - Parameter mayBeDeclared: whether it is enough that a manifest has it.
    package func knows(_ kind: String, of app: App, mayBeDeclared: Bool = false) async throws(StoreError) -> Bool {
        try await database.value(SQL.KindRegistry.isKnown, [app.number, kind, mayBeDeclared], as: Bool.self) == true
    }

    /// Records a person's decision on a kind, with the verdict at that moment. The decision is for every surface on which the
    /// app ever had the kind, or for `widget` if there is none.
    ///
    /// - Parameter seen: the ``KindProspect/version`` that the decision is based on; nil: whatever it is.
    /// - Throws: ``StoreError`` with fault `request` if the app never used the kind, or ``StoreError/overtaken``.
    /// - Returns: one act per surface, by name, without surfaces where the decision was the same before.
    package func mark(
        kind: String, _ decision: KindDecision, app: App, seen: Int64? = nil
    ) async throws(StoreError) -> [KindAct] {
        // The replacement need not have been placed by anybody yet.
        try await require(kind, of: app)
        if let replacement = decision.replacedBy { try await require(replacement, of: app, mayBeDeclared: true) }
        return try await database.transaction("KindRegistry.mark") { transaction in
            try await transaction.run(SQL.KindRegistry.lock, deadline: .seconds(60))
            // A kind is judged while it is legacy: after it is marked, and before it is retired or reopened.
            let before = try await transaction.decide(app, through: nil)
            // Before the act is recorded, which is the last one then.
            let last = try await transaction.value(SQL.KindRegistry.lastAct, [app.number, kind], as: Int64.self)
            let parameters: [(any PostgresCodable)?] = [
                app.number, kind, decision.lifecycle.rawValue, decision.actor, Surface.allCases.map(\.rawValue),
                decision.reason, decision.replacedBy,
            ]
            var acts = try await transaction.rows(SQL.KindRegistry.mark, parameters, as: KindAct.self)
            guard !acts.isEmpty else { return [] }
            guard seen == nil || seen == last else { throw StoreError.overtaken }
            let after = try await transaction.decide(app, through: nil)
            var figures: [(act: Int64, json: String)] = []
            for index in acts.indices {
                let judged = (decision.lifecycle == .legacy ? after : before)
                    .first { $0.surface == acts[index].surface && $0.kind.hasBytes(of: kind) }
                guard let judged else { continue }
                acts[index].verdict = judged.readiness.verdict
                let record = ReadinessRecord(judged, appNumber: app.number, day: judged.figures.lastEnded)
                figures.append((acts[index].version, try record.json()))
            }
            try await transaction.run(
                SQL.KindRegistry.keepFigures, [figures.map(\.act), figures.map(\.json)])
            return acts
        }
    }
}
