package import CensusCore
internal import Crypto
internal import Postgres

/// What an app's devices have, for comparison with a coming version.
package struct InstalledBase: Sendable {
    let database: Database
    let manifests: ManifestRegistry
    let acknowledgements: AcknowledgementRegistry

    /// Compares a coming release with every version that devices run.
    ///
    /// - Parameter today: in UTC.
    /// - Throws: ``StoreError`` with fault `request` if the release drops a family that nobody knows.
    package func preflight(
        _ release: ComingRelease, app: App, allowance: PreflightAllowance, allowsUnknown: Bool = false, today: Day
    ) async throws(StoreError) -> PreflightVerdict {
        try await verdict(
            on: impact(of: release, app: app), app: app, allowance: allowance, allowsUnknown: allowsUnknown,
            today: today)
    }

    /// Reads every device that might lose something.
    ///
    /// - Throws: ``StoreError`` with fault `request` if the release drops a family that nobody knows.
    package func impact(of release: ComingRelease, app: App) async throws(StoreError) -> ReleaseImpact {
        let known = try await manifests.all(app: app).map(\.manifest)
        // From one snapshot: a device that upgrades in the meantime must not be missed between two queries.
        return try await database.transaction("InstalledBase.impact", isolation: .repeatableRead, readOnly: true) {
            transaction in
            try await transaction.execute(script: SQL.InstalledBase.begin)
            var base = try await transaction.base(appNumber: app.number)
            let alive = known.filter { manifest in base.alive.contains { $0.hasBytes(of: manifest.appVersion) } }
            let cells = try await transaction.rows(SQL.InstalledBase.cells, [app.number], as: HeldCell.self)
            var formerly = try await transaction.formerKinds(appNumber: app.number)
            // A version without a manifest might ship what other versions do.
            let isDeclared = base.alive.allSatisfy { version in alive.contains { $0.appVersion.hasBytes(of: version) } }
            if !isDeclared { formerly.formUnion(known.flatMap(\.kinds).map(\.id)) }
            let preflight = try release.compared(of: app.id, alive: alive, held: cells, formerly: formerly)
            if !preflight.surfacesToKnow.isEmpty {
                let systems = try await transaction.rows(
                    SQL.DecisionStore.systems, [app.number, nil as Day?], as: RunningSystem.self)
                for surface in preflight.surfacesToKnow {
                    base.known.lists[surface] = systems.reduce(into: .init(able: 0, listing: 0)) { $0.add($1, surface) }
                }
            }
            let counts: [PreflightCount] =
                preflight.exposures.isEmpty
                ? []
                : try await transaction.rows(
                    SQL.InstalledBase.losses,
                    [app.number, JSONText(preflight.exposuresInJSON), Int32(preflight.changes.count)])
            return ReleaseImpact(
                manifest: release.manifest(of: app.id), preflight: preflight, base: base.known, counts: counts)
        }
    }

    /// Judges an impact by the acknowledgements as they are now.
    ///
    /// - Parameter today: in UTC.
    package func verdict(
        on impact: ReleaseImpact, app: App, allowance: PreflightAllowance, allowsUnknown: Bool = false, today: Day
    ) async throws(StoreError) -> PreflightVerdict {
        let accepted = try await acknowledgements.all(app: app).map(\.acknowledgement)
        return PreflightVerdict(
            impact.preflight, of: impact.manifest, base: impact.base, counts: impact.counts,
            minimumCoverage: app.readiness.coverage, allowance: allowance, allowsUnknown: allowsUnknown,
            acknowledgements: accepted, today: today
        ) { Array(SHA256.hash(data: $0)) }
    }
}

/// A version that is to be released.
package enum ComingRelease: Hashable, Sendable {
    case manifest(Manifest)
    /// It only drops a kind, or one of its families.
    case dropping(kind: Text, family: Text? = nil)

    /// - Returns: nil without a kind.
    package init?(dropping kind: String?, family: String?) {
        guard let kind else { return nil }
        self = .dropping(kind: Text(kind), family: family.map { Text($0) })
    }

    /// What stands in place of the manifest's path.
    package var location: String {
        switch self {
        case .manifest: "manifest.json"
        case .dropping(let kind, _): "dropping \(kind.text)"
        }
    }

    fileprivate func manifest(of appID: String) -> Manifest {
        switch self {
        case .manifest(let manifest): manifest
        case .dropping: Manifest(appID: appID, appVersion: "", kinds: [])
        }
    }

    fileprivate func compared(
        of appID: String, alive: [Manifest], held: [HeldCell], formerly: Set<Manifest.Kind.ID>
    ) throws(StoreError) -> Preflight {
        switch self {
        case .manifest(let manifest): return Preflight(manifest, alive: alive, cells: held, formerly: formerly)
        case .dropping(let kind, let family):
            do throws(Preflight.UnknownFamily) {
                return try Preflight(
                    dropping: kind.text, family: family?.text, of: appID, alive: alive, cells: held,
                    formerly: formerly)
            } catch {
                throw StoreError(.request, error.description)
            }
        }
    }
}

/// What a release takes from an app's devices, as of one snapshot.
package struct ReleaseImpact: Hashable, Sendable {
    let manifest: Manifest
    let preflight: Preflight
    let base: PreflightBase
    let counts: [PreflightCount]
}

extension Transaction {
    /// The kinds that devices had within a year, without those that were retired.
    fileprivate func formerKinds(appNumber: Int32) async throws -> Set<Manifest.Kind.ID> {
        struct Former: Decodable { var surface: Surface, kind: String }
        let rows = try await rows(SQL.InstalledBase.former, [appNumber], as: Former.self)
        return Set(rows.map { Manifest.Kind.ID(surface: $0.surface, kind: Text($0.kind)) })
    }

    /// - Returns: what devices have, with the versions of active and silent devices.
    fileprivate func base(appNumber: Int32) async throws -> (known: PreflightBase, alive: [String]) {
        struct Reconciled: Decodable { var asOf: Timestamp?, devicesUnknown, devicesWaiting: Int }
        struct Holders: Decodable { var appVersion: String, active, reporting, silent: Int }
        let reconciled = try await rows(SQL.InstalledBase.asOf, [appNumber], as: Reconciled.self).first
        let holders = try await rows(SQL.InstalledBase.versions, [appNumber], as: Holders.self)
        let base = PreflightBase(
            devicesActive: holders.reduce(0) { $0 + $1.active },
            devicesReporting: holders.reduce(0) { $0 + $1.reporting },
            devicesUnknown: reconciled?.devicesUnknown ?? 0, devicesWaiting: reconciled?.devicesWaiting ?? 0,
            devicesSilent: holders.reduce(0) { $0 + $1.silent },
            versions: Version.sorted(holders.filter { $0.active > 0 }.map(\.appVersion)), asOf: reconciled?.asOf)
        return (base, holders.map(\.appVersion))
    }
}

extension Preflight {
    fileprivate var exposuresInJSON: String {
        var json = JSONBuilder()
        json.array(exposures) { json, exposure in
            let cell = exposure.cell
            json.object { json in
                json.member("change", exposure.change)
                json.member("is_certain", exposure.isCertain)
                json.member("is_one_of", exposure.certainty == .oneOf)
                json.member("surface", cell.kind.surface.rawValue)
                json.member("kind", cell.kind.kind.text)
                json.member("family", cell.family)
                json.member("intent", cell.intent)
                json.member("platform", cell.platform.rawValue)
                json.member("app_version", cell.appVersion)
            }
        }
        return json.text
    }
}
