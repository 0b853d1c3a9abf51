import CensusCore

/// Writes what Grafana writes in the place of variables and macros, for the PostgreSQL data source.
///
/// In Grafana's order: the browser fills in the variables, then the server looks for macros in what that gave.
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
        var text = ""
        var rest = sql[...]
        // Only once: what a value holds is no variable.
        while let match = rest.firstMatch(of: /\$\{(\w+)(?::(\w+))?\}|\$\w+\(?/) {
            text += rest[..<match.range.lowerBound]
            if let name = match.1 {
                text += try value(String(name), format: match.2.map(String.init))
            } else if match.0.hasSuffix("(") {
                text += match.0
            } else {
                throw Unknown(description: "\(match.0) is no macro, and no variable that is quoted")
            }
            rest = rest[match.range.upperBound...]
        }
        text += rest
        for match in text.matches(of: /\$([_a-zA-Z0-9]+)\(([^)]*)\)/).reversed() {
            text.replaceSubrange(match.range, with: try macro(String(match.1), of: String(match.2)))
        }
        return text
    }

    private func value(_ name: String, format: String?) throws -> String {
        guard let values = variables[name] else { throw Unknown(description: "there is no variable \(name)") }
        guard format == "sqlstring" else { throw Unknown(description: "\(name) has the format \(format ?? "of none")") }
        return values.map { "'" + $0.replacing("'", with: "''") + "'" }.joined(separator: ",")
    }

    private func macro(_ name: String, of argument: String) throws -> String {
        switch name {
        case "__timeFilter": "\(argument) BETWEEN '\(from)' AND '\(to)'"
        default: throw Unknown(description: "there is no macro \(name)")
        }
    }
}
