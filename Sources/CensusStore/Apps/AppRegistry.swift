internal import CensusCore
internal import Postgres

/// The apps that are counted, and their settings.
package struct AppRegistry: Sendable {
    let database: Database

    /// After "it is".
    package static let idInWords =
        "a bundle id or package name such as com.example.weather: 1 to 200 letters, digits, dots, hyphens and underscores"

    /// Whether an app can be added under this id. Earlier programs accepted any text, and their apps can still be found.
    package static func accepts(id: String) -> Bool {
        let bytes = id.utf8
        return (1...200).contains(bytes.count)
            && bytes.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || ".-_".utf8.contains(byte)
            }
    }

    /// - Returns: false when the app exists already.
    package func add(_ id: String) async throws(StoreError) -> Bool {
        // Apps that an earlier program added can have any id.
        if try await all().contains(where: { $0.id.hasBytes(of: id) }) { return false }
        guard AppRegistry.accepts(id: id) else {
            throw StoreError(.request, "an app id is \(AppRegistry.idInWords)")
        }
        return try await database.run(SQL.AppRegistry.add, [id]) > 0
    }

    package func all() async throws(StoreError) -> [App] {
        try await database.rows(SQL.AppRegistry.all, as: App.init)
    }

    /// Makes sure that this database has the apps of the batches. It lacks them if an older backup was restored.
    ///
    /// - Throws: ``StoreError`` with fault `data` when it lacks one.
    package func require(of batches: [BatchRows]) async throws(StoreError) {
        let ids = Dictionary(uniqueKeysWithValues: try await all().map { ($0.number, $0.id) })
        guard batches.allSatisfy({ ids[$0.appNumber].hasBytes(of: $0.appID) }) else {
            throw StoreError(.data, "its app is not in this database; was an older backup restored?")
        }
    }

    /// - Parameter id: nil for the only app.
    /// - Throws: ``StoreError`` with fault `request` when there is no such app, or when `id` is nil and there are several.
    package func app(_ id: String?) async throws(StoreError) -> App {
        if let id { return try await app(id) }
        let all = try await all()
        guard let only = all.first, all.count == 1 else {
            let known = all.prefix(5).map(\.id).joined(separator: ", ")
            throw StoreError(
                .request,
                all.isEmpty
                    ? "there is no app yet; add one with `widget-census apps add APP_ID`"
                    : "there are \(all.count) apps: give --app, such as \(known)")
        }
        return only
    }

    /// - Throws: ``StoreError`` with fault `request` when there is no such app; it names five that exist and counts the rest.
    package func app(_ id: String) async throws(StoreError) -> App {
        let all = try await all()
        if let app = all.first(where: { $0.id.hasBytes(of: id) }) { return app }
        let known =
            all.prefix(5).map(\.id).joined(separator: ", ") + (all.count > 5 ? " and \(all.count - 5) more" : "")
        let meant = id.nearest(among: all.map(\.id)).map { "; did you mean \($0)?" } ?? "."
        throw StoreError(
            .request,
            all.isEmpty
                ? "there is no app yet; add one with `\(ShellCommand("widget-census apps add \(id)"))`"
                : "there is no app \(id)\(meant) The known apps are: \(known). Add another with `\(ShellCommand("widget-census apps add \(id)"))`"
        )
    }

    /// Removes an app without data, such as one whose id was mistyped.
    ///
    /// - Throws: ``StoreError`` with fault `request` when there is no such app, when it has data, or when one of its keys is
    ///   valid: then events might be on their way.
    package func remove(_ id: String) async throws(StoreError) {
        let app = try await app(id)
        try await database.transaction("AppRegistry.remove") { transaction in
            try await transaction.run(SQL.AppRegistry.lock, deadline: .seconds(60))
            struct Heard: Decodable { var wasHeard: Bool, keys: Int }
            let heard = try await transaction.rows(SQL.AppRegistry.heard, [app.number], as: Heard.self)
            guard let heard = heard.first else { return }
            if heard.wasHeard {
                throw StoreError(
                    .request,
                    "\(id) has data, and counts are kept. Revoke its keys to stop it from receiving events; "
                        + "`widget-census forget` deletes single devices")
            }
            let keys = heard.keys
            guard keys == 0 else {
                throw StoreError(
                    .request,
                    "\(keys.counted("key")) of \(id) \(keys == 1 ? "is" : "are") valid, or \(keys == 1 ? "was" : "were") until a "
                        + "minute ago, so events can still arrive; revoke all keys, wait a minute, then remove the app")
            }
            try await transaction.run(SQL.AppRegistry.remove, [app.number])
        }
    }

    /// Changes settings, and records who did it and how it changed the verdicts, which are recomputed immediately.
    ///
    /// - Throws: ``StoreError`` with fault `request` when a value is out of bounds, or when there is no such app.
    /// - Returns: nil when nothing had to change.
    @discardableResult
    package func set(
        _ id: String, _ settings: AppSettings, by actor: String = "widget-census", because reason: String? = nil,
        seen: Int64? = nil
    ) async throws(StoreError) -> SettingAct? {
        if let fault = settings.fault { throw StoreError(.request, fault) }
        if let zone = settings.zone { try await requireOneReading(of: zone) }
        _ = try await app(id)
        return try await database.transaction("AppRegistry.set") { transaction in
            try await transaction.run(SQL.AppRegistry.lock, deadline: .seconds(60))
            let before = try await transaction.judged(appID: id)
            try await transaction.run(
                SQL.AppRegistry.set,
                [
                    id, settings.zone, settings.windowDays.map(Int32.init), settings.maximumKinds.map(Int32.init),
                    settings.maximumFamilies.map(Int32.init), settings.limitDevices.map(Int32.init),
                    settings.limitShare, settings.readyDays.map(Int32.init), settings.minimumCoverage,
                    settings.doubtedBuilds, settings.falseAlarms,
                ])
            let after = try await transaction.judged(appID: id)
            let act = SettingAct(by: actor, because: reason, before: before, after: after)
            guard !act.changes.isEmpty else { return nil }
            try await transaction.require(seen, from: SQL.AppRegistry.lastAct, [after.app.number])
            try await transaction.run(SQL.AppRegistry.keepAct, try act.parameters(after.app))
            return act
        }
    }

    /// Changes with each change of an app's settings.
    package func version(of app: App) async throws(StoreError) -> Int64 {
        try await database.value(SQL.AppRegistry.lastAct, [app.number], as: Int64.self) ?? 0
    }

    /// What a change of the limits would do, without storing anything.
    package func prospect(
        _ settings: AppSettings, of app: App, by actor: String, because reason: String?
    ) async throws(StoreError) -> SettingAct {
        var tried = app
        tried.readiness = settings.limits(from: app.readiness)
        let decisions = DecisionStore(database: database)
        let before = (app: app, verdicts: try await decisions.verdicts(on: app))
        let after = (app: tried, verdicts: try await decisions.verdicts(on: tried))
        return SettingAct(by: actor, because: reason, before: before, after: after)
    }

    /// Every change of an app's settings, the first one first.
    package func acts(appNumber: Int32) async throws(StoreError) -> [SettingAct] {
        try await database.rows(SQL.AppRegistry.acts, [appNumber], as: SettingAct.init)
    }
}

extension Transaction {
    /// An app with the verdicts on its kinds, by its settings as they are now.
    fileprivate func judged(appID: String) async throws -> (app: App, verdicts: [KindVerdict]) {
        let app = try await query(SQL.AppRegistry.all).map(App.init).first { $0.id.hasBytes(of: appID) }
        guard let app else { throw StoreError(.request, "there is no app \(appID)") }
        return (app, try await decide(app, through: nil))
    }
}

extension App {
    init(_ row: Row) throws(PostgresError) {
        try self.init(
            id: row["app_id"], zone: row["zone"], windowDays: row["window_days"],
            caps: NameCaps(
                appNumber: row["app_number"], kinds: row["maximum_kinds"], families: row["maximum_families"]),
            readiness: ReadinessLimits(
                devices: row["limit_devices"], share: row["limit_share"], days: row["ready_days"],
                coverage: row["minimum_coverage"]), doubtedBuilds: Set(row["doubted_builds"] as [String]),
            falseAlarms: row["false_alarms"])
    }
}
