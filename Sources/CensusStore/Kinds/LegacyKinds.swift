internal import CensusCore
internal import Postgres

/// The kinds of each app that were ever marked legacy, in the order in which they first were.
///
/// A kind never leaves the list, and new ones are added at the end. So a number is enough to store for which kinds a device's
/// overlaps are counted.
struct LegacyKinds: Sendable {
    private let byApp: [Int32: [KindCell]]

    fileprivate init(_ marked: [MarkedKind]) {
        byApp = Dictionary(grouping: marked, by: \.appNumber).mapValues { kinds in
            kinds.map { KindCell(surface: $0.surface, kind: $0.kind) }
        }
    }

    subscript(appNumber: Int32) -> [KindCell] { byApp[appNumber] ?? [] }
}

extension Transaction {
    func legacyKinds() async throws -> LegacyKinds { LegacyKinds(try await rows(SQL.KindRegistry.everLegacy)) }
}

private struct MarkedKind: Decodable {
    var appNumber: Int32
    var surface: Surface
    var kind: String
}
