import CensusCore

/// Expands variables and macros as Grafana does for the PostgreSQL data source.
///
/// In Grafana's order: the browser expands variables, then the server expands macros in the result.
struct GrafanaQuery {
    var from: Timestamp
    var to: Timestamp
    /// The chosen values, by variable; a single-value variable has one.
    var variables: [String: [String]] = [:]

    struct Unknown: Error, CustomStringConvertible {
        var description: String
    }

    /// - Throws: ``Unknown`` for an unknown macro, variable or format, which would otherwise reach the
    ///   database unexpanded.
    func expanded(_ sql: String) throws -> String {
        var text = ""
        var rest = sql[...]
        // A single pass, because values aren't expanded again.
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
