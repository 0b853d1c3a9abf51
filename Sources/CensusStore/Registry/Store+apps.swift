internal import CensusCore
internal import Postgres

extension Store {
    /// - Returns: false when the app was there already.
    package func addApp(_ id: String) async throws(StoreError) -> Bool {
        guard !id.isEmpty, id.unicodeScalars.count <= 200, !id.holdsNull else {
            throw StoreError(.request, "an app id has 1 to 200 characters, such as com.example.weather")
        }
        return try await !query(SQL.`AppRegistry.add`, id).isEmpty
    }

    package func apps() async throws(StoreError) -> [App] {
        do {
            return try await query(SQL.`AppRegistry.all`).map(App.init)
        } catch {
            throw StoreError(error)
        }
    }

    /// Makes sure that parcels are of apps that this database has: an older backup may have been restored since.
    ///
    /// - Throws: ``StoreError`` with fault `data` when one is of another app.
    package func requireApps(of parcels: [Parcel]) async throws(StoreError) {
        let ids = Dictionary(uniqueKeysWithValues: try await apps().map { ($0.number, $0.id) })
        guard parcels.allSatisfy({ ids[$0.appNumber].hasBytes(of: $0.appID) }) else {
            throw StoreError(.data, "its app is not in this database: was an older backup restored?")
        }
    }

    /// - Throws: ``StoreError`` with fault `request` when there is no such app, naming five that there are and how many more.
    package func app(_ id: String) async throws(StoreError) -> App {
        let all = try await apps()
        if let app = all.first(where: { $0.id.hasBytes(of: id) }) { return app }
        let known =
            all.prefix(5).map(\.id).joined(separator: ", ") + (all.count > 5 ? " and \(all.count - 5) more" : "")
        throw StoreError(
            .request,
            all.isEmpty
                ? "there is no app yet: add one with `widget-census apps add \(id)`"
                : "there is no app \(id); there are: \(known). Add it with `widget-census apps add \(id)`")
    }

    package func setApp(_ id: String, _ settings: AppSettings) async throws(StoreError) {
        if let fault = settings.fault { throw StoreError(.request, fault) }
        if let zone = settings.zone { try await requireOneReading(of: zone) }
        _ = try await app(id)
        do {
            try await pool.transaction("AppRegistry.set") { connection in
                _ = try await connection.query(SQL.`AppRegistry.lock`, deadline: .seconds(60))
                _ = try await connection.query(
                    SQL.`AppRegistry.set`,
                    [
                        id, settings.zone, settings.windowDays.map(Int32.init), settings.maximumKinds.map(Int32.init),
                        settings.maximumFamilies.map(Int32.init), settings.limitDevices.map(Int32.init),
                        settings.limitShare, settings.readyDays.map(Int32.init), settings.minimumCoverage,
                        settings.doubtedBuilds,
                    ])
            }
        } catch {
            throw StoreError(error)
        }
    }
}

extension App {
    init(_ row: Row) throws(PostgresError) {
        self.init(
            id: try row.decode(String.self, at: 1),
            zone: try row.decode(String.self, at: 2),
            windowDays: try row.decode(Int.self, at: 3),
            caps: NameCaps(
                appNumber: try row.decode(Int32.self, at: 0),
                kinds: try row.decode(Int.self, at: 4),
                families: try row.decode(Int.self, at: 5)),
            readiness: ReadinessLimits(
                devices: try row.decode(Int.self, at: 6),
                share: try row.decode(Double.self, at: 7),
                days: try row.decode(Int.self, at: 8),
                coverage: try row.decode(Double.self, at: 9)),
            doubtedBuilds: Set(try row.decode([String].self, at: 10)))
    }
}
