package import CensusCore
internal import Postgres

/// One kind, and what was decided about it.
package struct KindRecord: Hashable, Sendable {
    package var kind: String
    package var lifecycle: Lifecycle
}

/// A recorded act, with its surface and the numbers there that it was based on.
package struct KindAct: Hashable, Sendable {
    package var surface: String
    package var version: Int64
    package var devicesCertain: Int
    package var devicesPossible: Int
}

/// The widget kinds that apps were seen to use, and what people decided about them.
package struct KindRegistry: Sendable {
    let database: Database

    /// Every kind an app was seen to use, by name, as decided for the surface `widget`, which the gallery follows; with the
    /// version of the decisions.
    package func ofGallery(appNumber: Int32) async throws(StoreError) -> (version: Int64, kinds: [KindRecord]) {
        let version = try await database.value(SQL.`KindRegistry.version`, [appNumber], as: Int64.self) ?? 0
        let surface = Surface.widget.rawValue
        return (version, try await database.rows(SQL.`KindRegistry.kinds`, [appNumber, surface], as: KindRecord.init))
    }

    /// Every kind an app was seen to use, by name; legacy when that is the last decision on any surface.
    package func all(appNumber: Int32) async throws(StoreError) -> [KindRecord] {
        try await database.rows(SQL.`KindRegistry.kinds`, [appNumber, nil as String?], as: KindRecord.init)
    }

    /// Records a person's decision on a kind, for every surface where the app was ever seen to hold it, or for `widget` when
    /// there is none.
    ///
    /// - Throws: ``StoreError`` with fault `request` when the app was never seen to use the kind.
    /// - Returns: one act per surface, by name, without surfaces where the same was decided already.
    package func mark(
        kind: String, as lifecycle: Lifecycle, by actor: String, app: App
    ) async throws(StoreError) -> [KindAct] {
        guard try await database.value(SQL.`KindRegistry.isKnown`, [app.number, kind], as: Bool.self) == true else {
            throw StoreError(
                .request, "\(app.id) has no kind \(kind): see `widget-census kinds list --app \(app.id)`")
        }
        return try await database.transaction("KindRegistry.mark") { transaction in
            _ = try await transaction.query(SQL.`KindRegistry.lock`, [app.number])
            return try await transaction.query(
                SQL.`KindRegistry.mark`,
                [app.number, kind, lifecycle.rawValue, actor, Surface.allCases.map(\.rawValue)]
            ).map { row in
                KindAct(
                    surface: try row.decode("surface", as: String.self),
                    version: try row.decode("act_number", as: Int64.self),
                    devicesCertain: try row.decode("devices_certain", as: Int.self),
                    devicesPossible: try row.decode("devices_possible", as: Int.self))
            }
        }
    }
}

extension KindRecord {
    fileprivate init(_ row: Row) throws(PostgresError) {
        self.init(
            kind: try row.decode("kind", as: String.self),
            lifecycle: Lifecycle(rawValue: try row.decode("lifecycle", as: String.self)) ?? .active)
    }
}
