internal import CensusStore

/// Makes a table fit a screen, step by step: it prints identifiers that are the same in all rows once, above the table; breaks
/// long column names; shortens common beginnings of kinds; cuts long texts; and leaves out the least useful columns.
struct TableLayout {
    /// The length of each column's longest cell before cutting. It is counted once, because a table can have many rows, and
    /// many layouts are tried.
    private var longest: [Int]
    /// The lengths of each column's name and of the name's longest part.
    private let names: [(whole: Int, part: Int)]
    /// Columns with a sentence in a cell.
    private let sentences: Set<Int>
    /// Columns printed once, above the table.
    var said: [Int] = []
    var breaksNames = false
    /// The sign for a beginning that cells have in common; "…" is for cut text.
    static let prefixSign = "~"
    /// By column, the common beginning of cells, shown as ``prefixSign``.
    var prefixes: [Int: String] = [:]
    /// Columns left out.
    var spared: [Int] = []
    /// By column, the width that its longest cells are cut to.
    var cuts: [Int: Int] = [:]

    /// Starts with every column at its full width.
    ///
    /// - Parameter cells: the printed texts.
    init(_ table: ReportTable, _ cells: [[String]]) {
        longest = table.columns.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        names = table.columns.map { ($0.name.count, $0.name.partsAtUnderscores.map(\.count).max() ?? 0) }
        sentences = Set(
            table.columns.indices.filter { column in
                cells.contains { $0[column].count > 40 && $0[column].contains(" ") }
            })
    }

    /// A column's width in characters: that of its longest cell or its name.
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
    ///   - cells: the printed texts.
    ///   - width: the width of a layout.
    /// - Returns: nil if none fits.
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

    /// The shortest useful cells, for names and for sentences.
    private static let shortest = (name: 12, sentence: 24)

    /// The same layout with its widest texts cut as far as necessary and useful.
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
            // A column is at least as wide as its name.
            excess = width(layout) - screen
        }
        return layout
    }

    /// Identifiers that are the same in all rows. Numbers and verdicts are what the reader asked for, so they stay in their
    /// rows.
    private static func constantColumns(_ table: ReportTable, _ cells: [[String]]) -> [Int] {
        guard cells.count > 1 else { return [] }
        return table.columns.indices.filter { column in
            table.columns[column].isIdentifier && !cells[0][column].isEmpty
                && cells.allSatisfy { $0[column] == cells[0][column] }
        }
    }

    /// First the columns that the table names; then numbers except the first, and texts except the first two, from the right.
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
    /// Whether it identifies the row, and is not a result.
    fileprivate var isIdentifier: Bool {
        !isNumber
            && (["app_id", "day", "surface", "kind", "family", "platform", "zone"].contains(name)
                || name.hasSuffix("_version"))
    }

    /// Cut numbers, times and pictures would be wrong.
    fileprivate var isCuttable: Bool { !isWhole }
}

extension [String] {
    /// The dotted beginning, such as "com.example.weather.", that shortens these texts most; nil if no two share one.
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
