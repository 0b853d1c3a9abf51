internal import EmbeddedFiles
internal import Postgres

/// A file of `sql/statements`: what one type runs, each statement after a line `-- name: save`.
struct StatementFile: Sendable {
    private let type: String
    private let texts: [Substring: String]

    init(_ type: String) {
        self.type = type
        var texts: [Substring: [Substring]] = [:]
        var name: Substring = ""
        for line in EmbeddedFile.text(of: "sql/statements/\(type).sql").split(separator: "\n") {
            if line.hasPrefix("-- name: ") {
                name = line.dropFirst("-- name: ".count)
            } else {
                texts[name, default: []].append(line)
            }
        }
        self.texts = texts.mapValues { $0.joined(separator: "\n") }
    }

    func statement(_ name: String) -> Statement {
        guard let text = texts[name[...]] else {
            preconditionFailure("sql/statements/\(type).sql has no statement \(name): run scripts/index-files")
        }
        return Statement("\(type).\(name)", text)
    }

    func copy(_ name: String) -> CopyStatement { CopyStatement(statement(name)) }
}
