package import CensusCore
internal import Crypto
internal import Postgres

/// What an app's devices have, for comparison with a coming version.
package struct InstalledBase: Sendable {
    let database: Database
    let manifests: ManifestRegistry
    let acknowledgements: AcknowledgementRegistry

    /// Compares a coming version with every version that devices run.
    ///
    /// - Parameter today: in UTC.
    package func preflight(
        _ manifest: Manifest, app: App, allowance: PreflightAllowance, allowsUnknown: Bool = false, today: Day
    ) async throws(StoreError) -> PreflightVerdict {
        try await preflight(
            manifest, app: app, allowance: allowance, allowsUnknown: allowsUnknown, today: today
        ) { Preflight(manifest, alive: $0, cells: $1) }
    }

    /// The same for a version that only drops a kind, or one of its families.
    ///
    /// - Throws: ``StoreError`` with fault `request` if nobody knows the family.
    package func preflight(
        dropping kind: String, family: String?, app: App, allowance: PreflightAllowance, allowsUnknown: Bool = false,
        today: Day
    ) async throws(StoreError) -> PreflightVerdict {
        try await preflight(
            Manifest(appID: app.id, appVersion: "", kinds: []), app: app, allowance: allowance,
            allowsUnknown: allowsUnknown, today: today
        ) { alive, held throws(StoreError) in
            do throws(Preflight.UnknownFamily) {
                return try Preflight(dropping: kind, family: family, of: app.id, alive: alive, cells: held)
            } catch {
                throw StoreError(.request, error.description)
            }
        }
    }

    private func preflight(
        _ manifest: Manifest, app: App, allowance: PreflightAllowance, allowsUnknown: Bool, today: Day,
        compare: @escaping @Sendable (_ alive: [Manifest], _ held: [HeldCell]) throws(StoreError) -> Preflight
    ) async throws(StoreError) -> PreflightVerdict {
        let known = try await manifests.all(app: app).map(\.manifest)
        let accepted = try await acknowledgements.all(app: app).map(\.acknowledgement)
        // From one snapshot: a device that upgrades in the meantime must not be missed between two queries.
        let (preflight, base, counts) = try await database.transaction(
            "InstalledBase.preflight", isolation: .repeatableRead, readOnly: true
        ) { transaction in
            let base = try await transaction.base(appNumber: app.number)
            let alive = known.filter { manifest in base.alive.contains { $0.hasBytes(of: manifest.appVersion) } }
            let cells = try await transaction.rows(SQL.InstalledBase.cells, [app.number], as: HeldCell.self)
            let preflight = try compare(alive, cells)
            let counts: [PreflightCount] =
                preflight.exposures.isEmpty
                ? []
                : try await transaction.rows(
                    SQL.InstalledBase.losses, [app.number, JSONText(preflight.exposuresInJSON)])
            return (preflight, base.known, counts)
        }
        return PreflightVerdict(
            preflight, of: manifest, base: base, counts: counts, minimumCoverage: app.readiness.coverage,
            allowance: allowance, allowsUnknown: allowsUnknown, acknowledgements: accepted, today: today
        ) { Array(SHA256.hash(data: $0)) }
    }
}

extension Transaction {
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
