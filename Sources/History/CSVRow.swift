/// A row of a table (RFC 4180).
package enum CSVRow {
    /// The fields of a row; nil if the row ends within quotes, because a field has a line end.
    package static func fields(of row: some Collection<UInt8>, separator: UInt8) -> [String]? {
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var isAtStart = true
        var bytes = row[...]
        if bytes.count > 1, row.suffix(1).first == UInt8(ascii: "\r") { bytes = bytes.prefix(bytes.count - 1) }
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\"") where isQuoted && bytes.first == UInt8(ascii: "\""):
                field.append(byte)
                bytes.removeFirst()
            case UInt8(ascii: "\"") where isQuoted: isQuoted = false
            // Within a field that doesn't begin with one a quote is a character: 5" screen.
            case UInt8(ascii: "\"") where isAtStart: isQuoted = true
            case separator where !isQuoted:
                fields.append(String(decoding: field, as: UTF8.self))
                field.removeAll(keepingCapacity: true)
                isAtStart = true
                continue
            default: field.append(byte)
            }
            isAtStart = false
        }
        return isQuoted ? nil : fields + [String(decoding: field, as: UTF8.self)]
    }
}

/// The first row of a table.
package struct CSVHeader: Hashable, Sendable {
    package let columns: [String]
    package let separator: UInt8
    /// Why no row below it can be read.
    let fault: String?

    /// - Returns: nil if it has one column only, or a field with a line end.
    package init?(_ row: [UInt8]) {
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        guard let separator = separators.first(where: row.contains),
            let columns = CSVRow.fields(of: row, separator: separator)
        else { return nil }
        self.separator = separator
        // PostHog's export of its activity page has `*.event`.
        self.columns = columns.map { $0.hasPrefix("*.") ? String($0.dropFirst(2)) : $0 }
        fault =
            String(validating: row, as: UTF8.self) == nil
            ? "in the header, \(ExportedRecord.notUTF8)" : CSVHeader.fault(of: self.columns)
    }

    /// What is wrong with the names of columns. Spreadsheets write several without a name, and nothing below them.
    package static func fault(of names: [String]) -> String? {
        var seen: Set<String> = []
        return names.first { !$0.isEmpty && !seen.insert($0).inserted }.map { "two columns are named \($0.prefix(60))" }
    }

    /// All columns, and those in the object at a path by their names in it.
    func columns(below path: RecordPath?) -> [String] {
        guard let path else { return columns }
        return columns + columns.compactMap { $0.hasPrefix("\(path).") ? String($0.dropFirst("\(path).".count)) : nil }
    }
}
