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
                version: try row.decode("app_version", as: String.self),
                active: try row.decode("active", as: Int.self),
                reporting: try row.decode("reporting", as: Int.self),
                silent: try row.decode("silent", as: Int.self)
            )
        }
        let base = PreflightBase(
            devicesActive: rows.reduce(0) { $0 + $1.active }, devicesReporting: rows.reduce(0) { $0 + $1.reporting },
            devicesUnknown: try heard?.decode("devices_unknown", as: Int.self) ?? 0,
            devicesWaiting: try heard?.decode("devices_waiting", as: Int.self) ?? 0,
            devicesSilent: rows.reduce(0) { $0 + $1.silent },
            versions: Version.sorted(rows.filter { $0.active > 0 }.map(\.version)),
            asOf: try heard?.decode("as_of", as: Timestamp?.self) ?? nil)
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
        guard let surface = Surface(rawValue: try row.decode("surface", as: String.self)),
            let platform = Platform(rawValue: try row.decode("platform", as: String.self))
        else { throw StoreError(.ours, "a device has a surface or platform that this program does not know") }
        self.init(
            kind: .init(surface: surface, kind: Text(try row.decode("kind", as: String.self))),
            family: try row.decode("family", as: String?.self), intent: try row.decode("intent", as: String?.self),
            platform: platform, appVersion: try row.decode("app_version", as: String.self))
    }
}

extension PreflightCount {
    fileprivate init(_ row: Row) throws {
        self.init(
            changes: try row.decode("changes", as: [Int32].self).map(Int.init),
            certainChanges: try row.decode("certain_changes", as: [Int32].self).map(Int.init),
            alternatives: try row.decode("alternatives", as: [Int32].self).map(Int.init),
            appVersion: try row.decode("app_version", as: String.self),
            isSilent: try row.decode("is_silent", as: Bool.self),
            devices: try row.decode("devices", as: Int.self),
            widgetsCertain: try row.decode("widgets_certain", as: Int.self),
            widgetsPossible: try row.decode("widgets_possible", as: Int.self))
    }
}
