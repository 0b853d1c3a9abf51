internal import CensusStore

/// How a table is made to fit a screen, step by step: an identifier that is the same in all rows is printed once above; long names are broken;
/// common beginnings of kinds are shortened; long texts are cut; and the least useful columns are left out.
struct TableLayout {
    /// How many characters the longest cell of each column has, before it is cut. Counted once: a table may have many rows, and many
    /// layouts are tried.
    private var longest: [Int]
    /// How many characters the name of each column has, and the longest of its parts.
    private let names: [(whole: Int, part: Int)]
    /// Columns of which a cell is a sentence.
    private let sentences: Set<Int>
    /// Columns that are printed once, above.
    var said: [Int] = []
    var breaksNames = false
    /// What stands for a beginning that cells have in common; "…" is for what is cut.
    static let prefixSign = "~"
    /// What cells of a column begin with, shown as ``prefixSign``.
    var prefixes: [Int: String] = [:]
    /// Columns that are left out.
    var spared: [Int] = []
    /// How wide columns of text may be whose longest cells are cut.
    var cuts: [Int: Int] = [:]

    /// Every column as wide as it is.
    ///
    /// - Parameter cells: as they are printed.
    init(_ table: ReportTable, _ cells: [[String]]) {
        longest = table.columns.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        names = table.columns.map { ($0.name.count, $0.name.partsAtUnderscores.map(\.count).max() ?? 0) }
        sentences = Set(
            table.columns.indices.filter { column in
                cells.contains { $0[column].count > 40 && $0[column].contains(" ") }
            })
    }

    /// How many characters wide a column is: as its longest cell or its name.
    func width(of column: Int) -> Int {
        let name = breaksNames ? names[column].part : names[column].whole
        return max(name, min(longest[column], cuts[column] ?? .max))
    }

    private mutating func shorten(_ column: Int, of cells: [[String]], by prefix: String) {
        prefixes[column] = prefix
        longest[column] =
            cells.map { $0[column].count - ($0[column].hasPrefix(prefix) ? prefix.count - 1 : 0) }.max() ?? 0
    }
}

extension TableLayout {
    /// The first layout that fits.
    ///
    /// - Parameters:
    ///   - cells: as they are printed.
    ///   - width: of the screen, by layout.
    /// - Returns: nil when none does.
    static func fitting(
        _ table: ReportTable, _ cells: [[String]], within screen: Int, width: (TableLayout) -> Int
    ) -> TableLayout? {
        let constants = constantColumns(table, cells)
        var layout = TableLayout(table, cells)
        for breaksNames in [false, true] {
            for count in 0...constants.count {
                layout.said = Array(constants.prefix(count))
                layout.breaksNames = breaksNames
                if width(layout) <= screen { return layout }
            }
        }
        for column in table.columns.indices where ["kind", "other_kind"].contains(table.columns[column].name) {
            guard let prefix = cells.map({ $0[column] }).sharedPrefix else { continue }
            layout.shorten(column, of: cells, by: prefix)
        }
        for spared in [nil] + dropOrder(table, besides: constants).map(Optional.some) {
            if let spared { layout.spared.append(spared) }
            if width(layout) <= screen { return layout }
            let cut = layout.cut(table, within: screen, width: width)
            if width(cut) <= screen { return cut }
        }
        return nil
    }

    /// Shorter cells are useless: for a name, and for a sentence.
    private static let shortest = (name: 12, sentence: 24)

    /// The same with its widest texts cut as far as need be, and as they can be.
    private func cut(_ table: ReportTable, within screen: Int, width: (TableLayout) -> Int) -> TableLayout {
        var layout = self
        var widths: [Int: (now: Int, shortest: Int)] = [:]
        for column in table.columns.indices
        where table.columns[column].isCuttable && !said.contains(column) && !spared.contains(column) {
            let shortest = TableLayout.shortest
            widths[column] = (longest[column], sentences.contains(column) ? shortest.sentence : shortest.name)
        }
        var excess = width(self) - screen
        while excess > 0, let widest = widths.filter({ $1.now > $1.shortest }).max(by: { $0.value.now < $1.value.now })
        {
            let now = widest.value.now - 1
            widths[widest.key]?.now = now
            layout.cuts[widest.key] = now
            // A column is as wide as its name at least.
            excess = width(layout) - screen
        }
        return layout
    }

    /// The identifiers that are the same in all rows: a number or a verdict is what the reader asked for, and stays in its row.
    private static func constantColumns(_ table: ReportTable, _ cells: [[String]]) -> [Int] {
        guard cells.count > 1 else { return [] }
        return table.columns.indices.filter { column in
            table.columns[column].isIdentifier && !cells[0][column].isEmpty
                && cells.allSatisfy { $0[column] == cells[0][column] }
        }
    }

    /// Those that the table names; then its numbers except the first, and its texts except the first two, from the right.
    private static func dropOrder(_ table: ReportTable, besides constants: [Int]) -> [Int] {
        let columns = Array(table.columns.indices)
        let named = table.spare.compactMap { name in columns.first { table.columns[$0].name == name } }
        let numbers = columns.filter { table.columns[$0].isNumber }.dropFirst().reversed()
        let texts = columns.filter { !table.columns[$0].isNumber && !constants.contains($0) }.dropFirst(2).reversed()
        var order: [Int] = []
        for column in named + numbers + texts where !order.contains(column) && !constants.contains(column) {
            order.append(column)
        }
        return order
    }
}

extension ReportTable.Column {
    /// Whether it says what a row is about, not what was found.
    fileprivate var isIdentifier: Bool {
        !isNumber
            && (["app_id", "day", "surface", "kind", "family", "platform", "zone"].contains(name)
                || name.hasSuffix("_version"))
    }

    /// Part of a number, a time or a picture would be wrong.
    fileprivate var isCuttable: Bool { !isWhole }
}

extension [String] {
    /// The dotted beginning, such as "com.example.weather.", that shortens these texts most; nil when no two share one.
    package var sharedPrefix: String? {
        var counts: [String: Int] = [:]
        for text in Set(self) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            for count in 1..<Swift.max(2, parts.count) where count < parts.count {
                counts[parts.prefix(count).joined(separator: ".") + ".", default: 0] += 1
            }
        }
        let saved = counts.filter { $0.value > 1 && $0.key.count > 2 }
        return saved.max { left, right in
            (left.value * left.key.count, left.key) < (right.value * right.key.count, right.key)
        }?.key
    }
}
