package import CensusCore
internal import Postgres

/// One kind and what was decided of it.
package struct KindRecord: Hashable, Sendable {
    package var kind: String
    package var lifecycle: Lifecycle
}

/// An act that was written down, with the numbers on which it was done.
package struct KindAct: Hashable, Sendable {
    package var version: Int64
    package var devicesCertain: Int
    package var devicesPossible: Int
}

extension Store {
    /// Every kind an app was seen to use, by name, with the version of the decisions on them.
    package func kinds(appNumber: Int32) async throws(StoreError) -> (version: Int64, kinds: [KindRecord]) {
        do {
            let version = try await query(SQL.`PolicyStore.version`, appNumber).first?.decode(Int64.self, at: 0) ?? 0
            let kinds = try await query(SQL.`PolicyStore.kinds`, appNumber).map { row in
                KindRecord(
                    kind: try row.decode(String.self, at: 0),
                    lifecycle: Lifecycle(rawValue: try row.decode(String.self, at: 1)) ?? .active)
            }
            return (version, kinds)
        } catch {
            throw StoreError(error)
        }
    }

    /// Writes down a person's decision on a kind of the surface `widget`.
    ///
    /// - Throws: ``StoreError`` with fault `request` when the app was never seen to use the kind.
    /// - Returns: nil when that was decided already.
    package func mark(
        kind: String, as lifecycle: Lifecycle, by actor: String, app: App
    ) async throws(StoreError) -> KindAct? {
        do {
            let isKnown = try await query(SQL.`PolicyStore.isKnown`, app.number, kind).first?.decode(Bool.self, at: 0)
            guard isKnown == true else {
                throw StoreError(
                    .request, "\(app.id) has no kind \(kind): see `widget-census kinds list --app \(app.id)`")
            }
            return try await pool.transaction("PolicyStore.mark") { connection in
                _ = try await connection.query(SQL.`PolicyStore.lock`, [app.number])
                return try await connection.query(
                    SQL.`PolicyStore.mark`, [app.number, Surface.widget.rawValue, kind, lifecycle.rawValue, actor]
                ).first.map { row in
                    KindAct(
                        version: try row.decode(Int64.self, at: 0),
                        devicesCertain: try row.decode(Int.self, at: 1),
                        devicesPossible: try row.decode(Int.self, at: 2))
                }
            }
        } catch {
            throw StoreError(error)
        }
    }
}
