import CensusCore

/// Writes what Grafana writes in the place of its macros and variables, for the PostgreSQL data source.
struct GrafanaQuery {
    var from: Timestamp
    var to: Timestamp
    /// What is chosen, by variable; a variable of one value has one.
    var variables: [String: [String]] = [:]

    struct Unknown: Error, CustomStringConvertible {
        var description: String
    }

    /// - Throws: ``Unknown`` for a macro, variable or format that this does not know; what is left over would reach the
    ///   database as it is.
    func expanded(_ sql: String) throws -> String {
        var text = sql
        text.replace(/\$__timeFilter\(([^)]*)\)/) { match in "\(match.1) BETWEEN '\(from)' AND '\(to)'" }
        text.replace(/\$__timeFrom\(\)/) { _ in "'\(from)'" }
        text.replace(/\$__timeTo\(\)/) { _ in "'\(to)'" }
        let variable = /\$\{(\w+)(?::(\w+))?\}/
        if text.replacing(variable, with: "").contains("$") { throw Unknown(description: "a macro in \(text)") }
        for match in text.matches(of: variable).reversed() {
            guard let values = variables[String(match.1)] else { throw Unknown(description: "variable \(match.1)") }
            guard match.2 == "sqlstring" else {
                throw Unknown(description: "format \(match.2 ?? "none") of \(match.1)")
            }
            let quoted = values.map { "'" + $0.replacing("'", with: "''") + "'" }
            text.replaceSubrange(match.range, with: quoted.joined(separator: ","))
        }
        return text
    }
}
