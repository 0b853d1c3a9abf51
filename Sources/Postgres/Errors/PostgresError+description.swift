extension PostgresError: CustomStringConvertible {
    /// One line without data: the statement's name, the error and its code.
    public var description: String {
        let subject = statement.map { "\($0): " } ?? ""
        let doubt = isOutcomeUnknown ? " (it may have been committed)" : ""
        return subject + summary + doubt
    }

    private var summary: String {
        let code = report?.state.map { " (\($0))" } ?? ""
        switch reason {
        case .server(let state): return "\(safeMessage ?? "the server rejected it") (\(state))\(remedy)"
        case .connectFailed: return (explanation ?? safeMessage ?? "cannot connect") + code
        case .connectionLost: return (explanation ?? "the connection was lost") + code
        case .deadlineExceeded: return (explanation ?? "the deadline passed") + code
        case .cancelled: return explanation ?? "cancelled"
        case .poolExhausted: return explanation ?? "no connection became free in time"
        case .poolClosed: return "the pool is shut down"
        case .decoding: return decodingError?.description ?? "a value does not have the expected type"
        case .transactionFailed: return "a statement failed, so the transaction was rolled back"
        case .wrongUse: return explanation ?? "invalid use"
        case .setUp: return explanation ?? "the configuration is unusable"
        }
    }

    private var remedy: String {
        guard report?.isOfClosedWorker == true else { return "" }
        return ": allow the coordinator in that worker's pg_hba.conf, "
            + "and put the role's password into the coordinator's pg_dist_authinfo"
    }

    /// The server's message, if it can mention only the schema or the server's state.
    ///
    /// Other messages are left out: 22 and 54 quote the value, P0 is any text that a function raises, and XX and the rest might
    /// contain data.
    private var safeMessage: String? {
        guard let report else { return nil }
        let classes: Set = ["08", "0A", "23", "25", "26", "28", "3D", "3F", "40", "42", "53", "55", "57"]
        guard let state = report.state else { return reason == .connectFailed ? report.line : nil }
        // Before the first statement, a value can only be one of the connection's own parameters.
        let isOfParameter = reason == .connectFailed && state.class == "22"
        return classes.contains(state.class) || isOfParameter || report.namesWorker ? report.line : Self.names[state]
    }

    /// PostgreSQL's names of the conditions whose messages quote data.
    private static let names: [SQLState: String] = [
        .numericValueOutOfRange: "numeric value out of range",
        .datetimeFieldOverflow: "datetime field overflow",
        .characterNotInRepertoire: "character not in repertoire",
        .invalidTextRepresentation: "invalid text representation",
        .invalidBinaryRepresentation: "invalid binary representation",
        .badCopyFileFormat: "bad copy file format",
        .untranslatableCharacter: "untranslatable character",
        .statementTooComplex: "statement too complex",
    ]
}

extension PostgresError: CustomDebugStringConvertible {
    /// Everything that is known, on several lines. Not for a log that others read, because it can quote rows and parameters.
    public var debugDescription: String {
        var lines = [description]
        let add = { (name: String, value: String?) in
            if let value, !value.isEmpty { lines.append("  \(name): \(value)") }
        }
        add("severity", report?.severity)
        add("message", report?.message)
        add("detail", report?.detail)
        add("hint", report?.hint)
        add("position", report?.position)
        add("context", report?.context)
        add("schema", report?.schema)
        add("table", report?.table)
        add("column", report?.column)
        add("type", report?.dataType)
        add("constraint", report?.constraint)
        add("routine", report?.routine)
        return lines.joined(separator: "\n")
    }
}
