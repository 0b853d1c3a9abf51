internal import CensusCore
internal import Postgres

/// The kinds of each app that were ever marked legacy, in the order in which they first were.
///
/// A kind never leaves the list, and new ones are added last, so a number says for which of them a device's overlaps are counted.
struct LegacyKinds: Sendable {
    private var byApp: [Int32: [KindCell]] = [:]

    init(_ rows: Rows) throws {
        for row in rows {
            guard let surface = Surface(rawValue: try row.decode("surface", as: String.self)) else {
                throw StoreError(.ours, "a kind was marked on a surface that this program does not know")
            }
            byApp[try row.decode("app_number", as: Int32.self), default: []]
                .append(KindCell(surface: surface, kind: try row.decode("kind", as: String.self)))
        }
    }

    subscript(appNumber: Int32) -> [KindCell] { byApp[appNumber] ?? [] }
}

extension Transaction {
    func legacyKinds() async throws -> LegacyKinds { try LegacyKinds(try await query(SQL.KindRegistry.everLegacy)) }
}
