internal import CensusCore
internal import Foundation
internal import History

/// Another tool's daily numbers: a CSV whose first row names `day`, `kind` and what each number counts.
struct TheirNumbers {
    struct Row {
        var line: Int
        var day: Day
        /// Nil if the file doesn't say.
        var app: String?
        /// Nil if the file doesn't say.
        var surface: String?
        var kind: String
        var numbers: [TheirMeasure: Double]
    }

    /// In the file's order.
    private(set) var rows: [Row] = []

    /// - Parameter path: - for standard input.
    /// - Throws: ``UsageError`` that names the line.
    init(path: String) throws {
        let data: Data
        do {
            data =
                path == "-"
                ? FileHandle.standardInput.readDataToEndOfFile() : try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw UsageError(unreadable: path, error)
        }
        try self.init(Array(data), named: path)
    }

    init(_ bytes: [UInt8], named path: String) throws {
        guard !bytes.isGzip else {
            throw UsageError("\(path) is gzip; unpack it first, with gunzip")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw UsageError("\(path) is not UTF-8; save it as UTF-8")
        }
        let lines = bytes.withoutByteOrderMark.split(separator: 0x0A, omittingEmptySubsequences: false)
        let header = try Header(Array(lines.first ?? []), path)
        var seen: [String: Int] = [:]
        for (number, line) in zip(1..., lines).dropFirst() where !line.allSatisfy({ $0 == 0x0D }) {
            guard let fields = CSVRow.fields(of: line, separator: header.separator) else {
                throw UsageError("\(path):\(number): a quoted field has no end on its line")
            }
            let row = try Row(fields, header, line: number, path)
            let key = "\(row.app ?? "") \(row.day) \(row.surface ?? "") \(row.kind)"
            if let other = seen.updateValue(number, forKey: key) {
                throw UsageError("\(path):\(number): line \(other) is also for \(row.kind.brief) on \(row.day)")
            }
            rows.append(row)
        }
        guard !rows.isEmpty else { throw UsageError("\(path) has no row below its header") }
    }

    /// Where the columns are.
    fileprivate struct Header {
        let separator: UInt8
        let count: Int
        let day: Int
        let kind: Int
        let app: Int?
        let surface: Int?
        let measures: [(measure: TheirMeasure, place: Int)]

        init(_ row: [UInt8], _ path: String) throws {
            let fields = (CSVHeader(row)?.columns ?? []).map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            if let fault = CSVHeader.fault(of: fields) { throw UsageError("\(path):1: \(fault)") }
            separator = CSVHeader(row)?.separator ?? UInt8(ascii: ",")
            count = fields.count
            let measures = TheirMeasure.allCases.compactMap { measure in
                fields.firstIndex(of: measure.rawValue).map { (measure, $0) }
            }
            guard let day = fields.firstIndex(of: "day"), let kind = fields.firstIndex(of: "kind"), !measures.isEmpty
            else {
                throw UsageError(
                    "\(path):1: the first row must name the columns, separated by commas: day, kind, and one or more of "
                        + "\(TheirMeasure.allCases.map(\.rawValue).joined(separator: ", ")); it is \(String(decoding: row, as: UTF8.self).brief)"
                )
            }
            (self.day, self.kind, self.measures) = (day, kind, measures)
            app = fields.firstIndex(of: "app_id")
            surface = fields.firstIndex(of: "surface")
        }
    }
}

extension TheirNumbers.Row {
    fileprivate init(_ fields: [String], _ header: TheirNumbers.Header, line: Int, _ path: String) throws {
        func refused(_ why: String) -> UsageError { UsageError("\(path):\(line): \(why)") }
        guard fields.count == header.count else {
            throw refused("it has \(fields.count.counted("field")), the header \(header.count)")
        }
        guard let day = Day(compact: fields[header.day]) else {
            throw refused("day must be such as 2026-11-01 or 20261101, not \(fields[header.day].brief)")
        }
        let kind = fields[header.kind]
        guard !kind.isEmpty else { throw refused("kind is empty") }
        var numbers: [TheirMeasure: Double] = [:]
        for (measure, place) in header.measures where !fields[place].isEmpty {
            guard let number = Double(digits: fields[place][...]), abs(number) < 1e15 else {
                throw refused("\(measure.rawValue) must be a number, not \(fields[place].brief)")
            }
            numbers[measure] = number
        }
        func optional(_ place: Int?) -> String? { place.map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 } }
        self.init(
            line: line, day: day, app: optional(header.app), surface: optional(header.surface), kind: kind,
            numbers: numbers)
    }
}

extension Day {
    /// Also as GA4 writes days: 20261101.
    fileprivate init?(compact text: String) {
        guard text.utf8.count == 8, !text.contains("-") else {
            self.init(text)
            return
        }
        self.init("\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.dropFirst(6))")
    }
}
