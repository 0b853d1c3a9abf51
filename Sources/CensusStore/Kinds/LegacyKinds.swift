internal import CensusCore
internal import Postgres

/// The kinds of each app that were ever marked legacy, in the order in which they first were.
///
/// A kind never leaves the list, and new ones are added last, so a number says for which of them a device's overlaps are counted.
struct LegacyKinds: Sendable {
    private var byApp: [Int32: [KindCell]] = [:]

    init(_ rows: Rows) throws {
        for row in rows {
            let app: Int32 = try row["app_number"]
            byApp[app, default: []].append(try KindCell(surface: row["surface"], kind: row["kind"]))
        }
    }

    subscript(appNumber: Int32) -> [KindCell] { byApp[appNumber] ?? [] }
}

extension Transaction {
    func legacyKinds() async throws -> LegacyKinds { try LegacyKinds(try await query(SQL.KindRegistry.everLegacy)) }
}
