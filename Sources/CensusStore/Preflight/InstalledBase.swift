package import CensusCore
internal import Crypto
internal import Postgres

/// What an app's devices hold, for comparison with a coming version.
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
        let known = try await manifests.all(app: app).map(\.manifest)
        let accepted = try await acknowledgements.all(app: app).map(\.acknowledgement)
        // From one moment: a device that upgrades meanwhile must not slip between two queries.
        let (preflight, base, counts) = try await database.transaction(
            "InstalledBase.preflight", isolation: .repeatableRead, readOnly: true
        ) { transaction in
            let base = try await transaction.base(appNumber: app.number)
            let alive = known.filter { manifest in base.alive.contains { $0.hasBytes(of: manifest.appVersion) } }
            let cells = try await transaction.query(SQL.InstalledBase.cells, [app.number]).map(HeldCell.init)
            let preflight = Preflight(manifest, alive: alive, cells: cells)
            let counts =
                preflight.exposures.isEmpty
                ? []
                : try await transaction.query(
                    SQL.InstalledBase.losses, [app.number, JSONText(preflight.exposuresInJSON)]
                ).map(PreflightCount.init)
            return (preflight, base.known, counts)
        }
        return PreflightVerdict(
            preflight, of: manifest, base: base, counts: counts, minimumCoverage: app.readiness.coverage,
            allowance: allowance, allowsUnknown: allowsUnknown, acknowledgements: accepted, today: today
        ) { Array(SHA256.hash(data: $0)) }
    }
}

extension Transaction {
    /// - Returns: with the versions of active and silent devices.
    fileprivate func base(appNumber: Int32) async throws -> (known: PreflightBase, alive: [String]) {
        let heard = try await query(SQL.InstalledBase.asOf, [appNumber]).first
        let rows = try await query(SQL.InstalledBase.versions, [appNumber]).map { row in
            (
                version: try row["app_version"] as String,
                active: try row["active"] as Int,
                reporting: try row["reporting"] as Int,
                silent: try row["silent"] as Int
            )
        }
        let base = PreflightBase(
            devicesActive: rows.reduce(0) { $0 + $1.active }, devicesReporting: rows.reduce(0) { $0 + $1.reporting },
            devicesUnknown: try heard?["devices_unknown"] ?? 0,
            devicesWaiting: try heard?["devices_waiting"] ?? 0,
            devicesSilent: rows.reduce(0) { $0 + $1.silent },
            versions: Version.sorted(rows.filter { $0.active > 0 }.map(\.version)),
            asOf: try heard?["as_of"])
        return (base, rows.map(\.version))
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

extension HeldCell {
    fileprivate init(_ row: Row) throws {
        try self.init(
            kind: .init(surface: row["surface"], kind: Text(row["kind"])), family: row["family"],
            intent: row["intent"], platform: row["platform"], appVersion: row["app_version"])
    }
}

extension PreflightCount {
    fileprivate init(_ row: Row) throws {
        try self.init(
            changes: (row["changes"] as [Int32]).map(Int.init),
            certainChanges: (row["certain_changes"] as [Int32]).map(Int.init),
            alternatives: (row["alternatives"] as [Int32]).map(Int.init), appVersion: row["app_version"],
            isSilent: row["is_silent"], devices: row["devices"], widgetsCertain: row["widgets_certain"],
            widgetsPossible: row["widgets_possible"])
    }
}
