package import CensusCore
internal import Postgres

/// The kinds that an app's devices hold, possibly or certainly, with their families and intents. Devices count if they are
/// active, or fell silent within a year.
package struct HeldWidgets: Hashable, Sendable {
    package struct HeldKind: Hashable, Sendable {
        package var id: Manifest.Kind.ID
        package var devices: Int
        /// A device counts for each that it holds.
        package var families: [Named]
        package var intents: [Named]
    }

    package struct Named: Hashable, Sendable {
        /// Nil if the app doesn't send it.
        package var name: String?
        package var devices: Int
    }

    /// All devices, with and without widgets.
    package var devices: Int
    /// Of active devices.
    package var versions: [String]
    /// Ordered by surface and name.
    package var kinds: [HeldKind]
}

extension InstalledBase {
    /// What an app's devices hold.
    package func held(app: App) async throws(StoreError) -> HeldWidgets {
        struct Row: Decodable { var surface: Surface, kind: Text, part: String, name: String?, devices: Int }
        struct Holders: Decodable { var appVersion: String, active, silent: Int }
        let rows = try await database.rows(SQL.InstalledBase.held, [app.number], as: Row.self)
        let holders = try await database.rows(SQL.InstalledBase.versions, [app.number], as: Holders.self)
        let kinds = Dictionary(grouping: rows) { Manifest.Kind.ID(surface: $0.surface, kind: $0.kind) }.map {
            id, rows in
            func named(_ part: String) -> [HeldWidgets.Named] {
                rows.filter { $0.part == part }.map { .init(name: $0.name, devices: $0.devices) }
            }
            return HeldWidgets.HeldKind(
                id: id, devices: named("kind").first?.devices ?? 0, families: named("family"), intents: named("intent"))
        }
        return HeldWidgets(
            devices: holders.reduce(0) { $0 + $1.active + $1.silent },
            versions: holders.filter { $0.active > 0 }.map(\.appVersion), kinds: kinds.sorted { $0.id < $1.id })
    }
}
