package import CensusCore
internal import Postgres

/// One kind and what was decided of it.
package struct KindRecord: Hashable, Sendable {
    package var kind: String
    package var lifecycle: Lifecycle
}

/// An act that was written down, with the surface it is of and the numbers there on which it was done.
package struct KindAct: Hashable, Sendable {
    package var surface: String
    package var version: Int64
    package var devicesCertain: Int
    package var devicesPossible: Int
}

extension Store {
    /// Every kind an app was seen to use, by name, as it was decided for the surface `widget`: what the gallery goes by. With the
    /// version of the decisions.
    package func kinds(appNumber: Int32) async throws(StoreError) -> (version: Int64, kinds: [KindRecord]) {
        do {
            let version = try await query(SQL.`PolicyStore.version`, appNumber).first?.decode(Int64.self, at: 0) ?? 0
            let kinds = try await query(SQL.`PolicyStore.kinds`, appNumber, Surface.widget.rawValue)
            return (version, try kinds.map(KindRecord.init))
        } catch {
            throw StoreError(error)
        }
    }

    /// Every kind an app was seen to use, by name: legacy when that was decided last on any surface.
    package func kindsOfAnySurface(appNumber: Int32) async throws(StoreError) -> [KindRecord] {
        do {
            return try await query(SQL.`PolicyStore.kinds`, appNumber, nil as String?).map(KindRecord.init)
        } catch {
            throw StoreError(error)
        }
    }

    /// Writes down a person's decision on a kind, for every surface on which the app was ever seen to hold it; `widget` when
    /// it was seen on none.
    ///
    /// - Throws: ``StoreError`` with fault `request` when the app was never seen to use the kind.
    /// - Returns: one act a surface, by name, without those where that was decided already.
    package func mark(
        kind: String, as lifecycle: Lifecycle, by actor: String, app: App
    ) async throws(StoreError) -> [KindAct] {
        do {
            let isKnown = try await query(SQL.`PolicyStore.isKnown`, app.number, kind).first?.decode(Bool.self, at: 0)
            guard isKnown == true else {
                throw StoreError(
                    .request, "\(app.id) has no kind \(kind): see `widget-census kinds list --app \(app.id)`")
            }
            return try await pool.transaction("PolicyStore.mark") { connection in
                _ = try await connection.query(SQL.`PolicyStore.lock`, [app.number])
                return try await connection.query(
                    SQL.`PolicyStore.mark`,
                    [app.number, kind, lifecycle.rawValue, actor, Surface.allCases.map(\.rawValue)]
                ).map { row in
                    KindAct(
                        surface: try row.decode(String.self, at: 0),
                        version: try row.decode(Int64.self, at: 1),
                        devicesCertain: try row.decode(Int.self, at: 2),
                        devicesPossible: try row.decode(Int.self, at: 3))
                }
            }
        } catch {
            throw StoreError(error)
        }
    }
}

extension KindRecord {
    fileprivate init(_ row: Row) throws(PostgresError) {
        self.init(
            kind: try row.decode(String.self, at: 0),
            lifecycle: Lifecycle(rawValue: try row.decode(String.self, at: 1)) ?? .active)
    }
}
