internal import CensusCore

/// One record as it stands in an exported file.
package struct ExportedRecord: Sendable {
    /// The line on which it begins, counted from 1.
    package var line: Int
    package var bytes: [UInt8]
    /// Nil for JSON.
    var header: CSVHeader?
    /// Stands for an array that the end of the file cuts off after its last whole record.
    var isCutOff = false

    package init(line: Int, bytes: [UInt8]) {
        self.line = line
        self.bytes = bytes
    }

    static let notUTF8 = "the line is not UTF-8; convert the file, for example with iconv -f ISO-8859-1 -t UTF-8"

    var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }
}

/// Cuts a file into records: the lines of JSON lines, the elements of an array, objects that take several lines, or the rows of
/// a table.
package struct RecordSplitter {
    private enum Layout {
        case unknown, lines
        case values(JSONScanner)
        case table(CSVHeader)
    }

    /// A row with more bytes has lost its closing quote.
    private static let longestRow = 1 << 20

    private let format: HistoryFormat
    private var layout = Layout.unknown
    /// A record whose end is not read yet.
    private var pending: ExportedRecord?
    /// The last one read, counted from 1.
    private var line = 0

    package init(_ format: HistoryFormat) { self.format = format }

    /// - Parameters:
    ///   - line: without its line end.
    ///   - number: of the line, counted from 1.
    /// - Returns: the records that end in the line.
    package mutating func records(in line: [UInt8], number: Int) -> [ExportedRecord] {
        self.line = number
        switch layout {
        case .unknown:
            guard !line.isBlank else { return [] }
            layout = layout(of: line)
            if case .table = layout { return [] }
            return records(in: line, number: number)
        case .lines: return line.isBlank ? [] : opened(ExportedRecord(line: number, bytes: line))
        case .values(var scanner):
            defer { layout = .values(scanner) }
            return values(in: line, number: number, &scanner)
        case .table(let header):
            if pending == nil, line.isBlank { return [] }
            return row(header, line, number)
        }
    }

    /// - Returns: the record that the end of the file cuts off.
    package mutating func end() -> ExportedRecord? {
        defer { (pending, layout, line) = (nil, .unknown, 0) }
        if pending == nil, case .values(let scanner) = layout, scanner.isInArray {
            var cut = ExportedRecord(line: line, bytes: [])
            cut.isCutOff = true
            return cut
        }
        return pending
    }

    private func layout(of line: [UInt8]) -> Layout {
        let text = line.trimmed
        if text.first == UInt8(ascii: "[") || text.elementsEqual("{".utf8) { return .values(JSONScanner()) }
        if text.first == UInt8(ascii: "{") { return .lines }
        guard let header = CSVHeader(line), isTable(header) else { return .lines }
        return .table(header)
    }

    /// An error message that stands in place of the export can have commas, too.
    private func isTable(_ header: CSVHeader) -> Bool {
        format.name == .csv || format.event.contains { header.columns.contains($0.description) }
    }

    private mutating func row(_ header: CSVHeader, _ line: [UInt8], _ number: Int) -> [ExportedRecord] {
        var row = pending ?? ExportedRecord(line: number, bytes: [])
        if pending != nil { row.bytes.append(UInt8(ascii: "\n")) }
        row.bytes.append(contentsOf: line)
        row.header = header
        let isOpen =
            row.bytes.contains(UInt8(ascii: "\"")) && CSVRow.fields(of: row.bytes, separator: header.separator) == nil
        pending = isOpen && row.bytes.count < Self.longestRow ? row : nil
        return pending == nil ? [row] : []
    }

    /// The records in the answer to a query of TelemetryDeck, or the record itself.
    private func opened(_ record: ExportedRecord) -> [ExportedRecord] {
        guard format.name == .telemetrydeck, let value = try? RecordValue(json: record.bytes),
            let rows = value["result.rows"]?.elements ?? (value["events"] == nil ? nil : [value])
        else { return [record] }
        return rows.flatMap { $0["events"]?.elements ?? [] }.compactMap { event in
            guard case .json(let document, let index) = event else { return nil }
            return ExportedRecord(line: record.line, bytes: Array(document.source(at: index)))
        }
    }

    private mutating func values(in line: [UInt8], number: Int, _ scanner: inout JSONScanner) -> [ExportedRecord] {
        var found: [ExportedRecord] = []
        for byte in line {
            switch scanner.take(byte) {
            case .outside: continue
            case .inside:
                if pending == nil { pending = ExportedRecord(line: number, bytes: []) }
                pending?.bytes.append(byte)
            case .end:
                pending?.bytes.append(byte)
                if let pending { found += opened(pending) }
                pending = nil
            }
        }
        scanner.endLine()
        return found
    }
}

/// Finds the objects in a text of JSON that stand by themselves or in one array.
private struct JSONScanner {
    enum Place { case outside, inside, end }

    private var depth = 0
    private(set) var isInArray = false
    private var isInString = false
    private var isEscaped = false

    mutating func take(_ byte: UInt8) -> Place {
        if depth == 0 {
            // Outside of objects there are only an array's brackets, commas and space.
            if byte == UInt8(ascii: "[") { isInArray = true }
            if byte == UInt8(ascii: "]") { isInArray = false }
            guard byte == UInt8(ascii: "{") else { return .outside }
            depth = 1
            return .inside
        }
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return .inside
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        return depth == 0 ? .end : .inside
    }

    /// A string can't have a line end.
    mutating func endLine() { (isInString, isEscaped) = (false, false) }
}

extension [UInt8] {
    fileprivate static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0D || byte == 0x09 }

    var isBlank: Bool { allSatisfy([UInt8].isSpace) }

    fileprivate var trimmed: ArraySlice<UInt8> {
        let start = drop(while: [UInt8].isSpace)
        return start[..<((start.lastIndex { ![UInt8].isSpace($0) }).map { $0 + 1 } ?? start.startIndex)]
    }
}
