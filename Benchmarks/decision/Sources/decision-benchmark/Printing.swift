import Foundation

/// A Markdown table, to be pasted into a page.
struct Table {
    private var rows: [[String]]

    init(_ columns: [String]) { rows = [columns, columns.map { _ in "---" }] }

    mutating func add(_ row: [String]) { rows.append(row) }

    func show(_ title: String) {
        print("\n\(title)\n")
        for row in rows { print("| " + row.joined(separator: " | ") + " |") }
    }
}

/// The progress of a table, on standard error.
struct Progress {
    private let what: String
    private let total: Int
    private let started = ContinuousClock.now
    private var shown = ContinuousClock.now
    private var done = 0

    init(_ what: String, total: Int) {
        (self.what, self.total) = (what, total)
    }

    mutating func advance(by count: Int = 1) {
        done += count
        let now = ContinuousClock.now
        guard now - shown > .seconds(1) || done >= total else { return }
        shown = now
        let seconds = (now - started) / .seconds(1)
        let left = seconds * (Double(total) / Double(max(1, done)) - 1)
        let line = "\r\(what): \(done) of \(total), \(Int(seconds)) s, about \(Int(left)) s left   "
        FileHandle.standardError.write(Data((line + (done >= total ? "\n" : "")).utf8))
    }
}

extension Int {
    /// Digits in groups of three.
    var grouped: String {
        let digits = String(self)
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text += "," }
            text.append(digit.element)
        }
    }

    func share(of whole: Int) -> String {
        whole > 0 ? String(format: "%.1f%%", 100 * Double(self) / Double(whole)) : "-"
    }
}

/// The results of `work` in order, computed on as many threads as there are cores.
func concurrently<Result: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) throws -> Result, each: (Int, Result) throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        let width = ProcessInfo.processInfo.activeProcessorCount
        var (begun, taken) = (0, 0)
        var waiting: [Int: Result] = [:]
        func begin() {
            guard begun < count else { return }
            let number = begun
            begun += 1
            group.addTask { (number, try work(number)) }
        }
        for _ in 0..<width { begin() }
        while let (number, result) = try await group.next() {
            begin()
            waiting[number] = result
            while let next = waiting.removeValue(forKey: taken) {
                try each(taken, next)
                taken += 1
            }
        }
    }
}
