internal import CensusCore
internal import Postgres

/// Pairs of reports of several apps, as one step of the reconciler enters them in the queue of the watch for losses.
struct PairEntries: Sendable {
    /// What pairs are counted by.
    struct Cell: Hashable, Sendable {
        var day: Day
        var surface: Surface
        @Bytewise var kind: String
        @Bytewise var fromVersion: String
        @Bytewise var toVersion: String
        var stratum: LossStratum
        @Bytewise var osRelease: String?
        /// By name; empty if there are too many to mean anything.
        var gained: [Text]

        /// A renamed kind adds one, and a split kind a few.
        private static let mostGained = 3

        init(_ pair: ReportPair, zone: ReportingZone) {
            day = zone.day(of: pair.at)
            surface = pair.surface
            stratum = LossStratum(isOtherOS: pair.isOtherOS, gap: ReportGap(pair.gap))
            gained = pair.gained.count <= Cell.mostGained ? pair.gained.sorted() : []
            _osRelease = Bytewise(wrappedValue: pair.osRelease?.text)
            _kind = Bytewise(wrappedValue: pair.kind)
            _fromVersion = Bytewise(wrappedValue: pair.fromVersion)
            _toVersion = Bytewise(wrappedValue: pair.toVersion)
        }
    }

    private(set) var byApp: [Int32: [Cell: ReportPairs]] = [:]

    mutating func add(_ pairs: [Cell: ReportPairs], appNumber: Int32) {
        byApp[appNumber, default: [:]].merge(pairs, uniquingKeysWith: +)
    }

    var rows: CopyRows {
        var rows = CopyRows(for: SQL.LossStore.enter)
        for (appNumber, pairs) in byApp.sorted(by: { $0.key < $1.key }) {
            for (cell, counted) in pairs {
                rows.append { row in
                    row.value(appNumber)
                    row.value(cell.day)
                    row.value(cell.surface.rawValue)
                    row.value(cell.kind)
                    row.value(cell.fromVersion)
                    row.value(cell.toVersion)
                    row.value(cell.stratum.isOtherOS)
                    row.value(cell.stratum.gap.rawValue)
                    row.value(cell.osRelease)
                    row.value(cell.gained.map(\.text))
                    row.value(Int64(counted.pairs))
                    row.value(Int64(counted.lost))
                    row.value(Int64(counted.exposedSeconds))
                }
            }
        }
        return rows
    }
}

extension Transaction {
    func enter(_ pairs: PairEntries) async throws {
        let rows = pairs.rows
        if !rows.isEmpty { _ = try await copyIn(SQL.LossStore.enter, [rows]) }
    }
}
