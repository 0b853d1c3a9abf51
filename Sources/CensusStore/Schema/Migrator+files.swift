internal import EmbeddedFiles
internal import Postgres

extension Migrator {
    /// The files of `sql/migrations`, by number.
    static let migrations = EmbeddedFile.files(in: "sql/migrations").map { Statement($0.name, $0.sql) }

    /// The views of `sql/views` and `sql/reports`, not in the order of their dependencies. Every command compares their digest
    /// with the database's.
    static let viewFiles =
        EmbeddedFile.files(in: "sql/views").map { Statement($0.name, $0.sql) }
        + ReportReader.names.sorted().map { name in
            Statement(name, EmbeddedFile.text(of: "sql/reports/\(name)/view.sql").withoutLastNewline)
        }

    /// The views, each after those that it reads.
    static let views: [Statement] = {
        var left = viewFiles.map(View.init)
        var ordered: [Statement] = []
        while !left.isEmpty {
            let waiting = Set(left.map(\.statement.name))
            guard let next = left.firstIndex(where: { $0.reads.isDisjoint(with: waiting) }) else {
                preconditionFailure("these views read each other: \(waiting.sorted())")
            }
            ordered.append(left.remove(at: next).statement)
        }
        return ordered
    }()
}

/// A view, and the names of the tables and views that it reads.
private struct View {
    let statement: Statement
    let reads: Set<String>

    init(_ statement: Statement) {
        self.statement = statement
        let lines = statement.text.split(separator: "\n").prefix { !$0.hasPrefix("comment on") }
        let query = lines.filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("--") }
        let words = query.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") } }
        let names = words.map { $0.split(separator: ".") }
            .filter { $0.count > 1 && ["census", "report"].contains($0[0]) }
        reads = Set(names.map { String($0[1]) }).subtracting([statement.name])
    }
}

extension EmbeddedFile {
    fileprivate var sql: String { text.withoutLastNewline }
}

extension String {
    var withoutLastNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
