internal import CensusCore
internal import CensusStore
internal import Fleet

/// Compares counts with the truth.
struct Comparison {
    struct Cell {
        var day: Day
        var surface: Surface
        var kind: String
        var truth: Int
        var certain: Int
        var possible: Int
        var expected: Double
        var naive: Int

        var isSound: Bool { certain <= truth && truth <= possible }
    }

    /// Cells by day, surface and kind, without those where both truth and counts are zero.
    let cells: [Cell]

    init(truth: TruthFile, counted: [CountedCell]) {
        var byKey: [TruthTable.Key: CountedCell] = [:]
        for cell in counted { byKey[TruthTable.Key(day: cell.day, surface: cell.surface, kind: cell.kind)] = cell }
        let closed = Set(counted.map(\.day)).intersection(truth.days)
        cells = Set(byKey.keys).union(truth.devices.keys).filter { closed.contains($0.day) }.sorted().compactMap {
            key in
            let count = byKey[key]
            let cell = Cell(
                day: key.day, surface: key.surface, kind: key.kind, truth: truth.devices[key] ?? 0,
                certain: count?.certain ?? 0, possible: count?.possible ?? 0, expected: count?.expected ?? 0,
                naive: count?.reported ?? 0)
            return cell.truth + cell.possible + cell.naive > 0 ? cell : nil
        }
    }

    var summary: String {
        let count = Double(cells.count)
        func mean(_ value: (Cell) -> Double) -> Double { cells.reduce(0) { $0 + value($1) } / count }
        let sound = cells.count(where: \.isSound)
        let width = mean { Double($0.possible - $0.certain) }
        let naive = mean { abs(Double($0.naive - $0.truth)) }
        let expected = mean { abs($0.expected - Double($0.truth)) }
        func against(_ value: Double) -> String {
            naive > 0 ? "\((value / naive).rounded(to: 3)) of the naive error" : ""
        }
        return """
            cells (day, surface, kind)        \(cells.count); \(sound) sound (\((Double(sound) / count * 100).rounded(to: 2))%)
            mean truth                        \(mean { Double($0.truth) }.rounded(to: 1)) devices
            mean error of the naive number    \(naive.rounded(to: 2))
            mean width, possible - certain    \(width.rounded(to: 2))  \(against(width))
            mean error of devices_expected    \(expected.rounded(to: 2))  \(against(expected))
            """
    }
}

extension Comparison.Cell {
    static let columns = [
        ReportTable.Column("day", isTime: true), ReportTable.Column("surface"), ReportTable.Column("kind"),
        ReportTable.Column("truth", isNumber: true), ReportTable.Column("certain", isNumber: true),
        ReportTable.Column("expected", isNumber: true), ReportTable.Column("possible", isNumber: true),
        ReportTable.Column("naive", isNumber: true), ReportTable.Column("sound"),
    ]

    var row: [String?] {
        [
            "\(day)", surface.rawValue, kind, "\(truth)", "\(certain)", "\(expected)", "\(possible)", "\(naive)",
            isSound ? "yes" : "NO",
        ]
    }
}

extension Double {
    fileprivate func rounded(to places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
