extension PostgresError: CustomStringConvertible {
    /// One line without data: the statement's name, what happened, the code.
    public var description: String {
        let subject = statement.map { "\($0): " } ?? ""
        let doubt = isOutcomeUnknown ? " (it may have been committed)" : ""
        return subject + summary + doubt
    }

    private var summary: String {
        let code = report?.state.map { " (\($0))" } ?? ""
        switch reason {
        case .server(let state): return "\(safeMessage ?? "the server refused") (\(state))\(remedy)"
        case .connectFailed: return (explanation ?? safeMessage ?? "cannot connect") + code
        case .connectionLost: return (explanation ?? "the connection was lost") + code
        case .deadlineExceeded: return (explanation ?? "the deadline passed") + code
        case .cancelled: return explanation ?? "cancelled"
        case .poolExhausted: return explanation ?? "no connection became free in time"
        case .poolClosed: return "the pool is shut down"
        case .decoding: return decodingError?.description ?? "a value is not of the type asked for"
        case .transactionFailed: return "a statement had failed, the transaction was rolled back"
        case .wrongUse: return explanation ?? "wrong use"
        case .setUp: return explanation ?? "the set-up is unusable"
        }
    }

    private var remedy: String {
        guard report?.isOfClosedWorker == true else { return "" }
        return ": let the coordinator in there, in pg_hba.conf, and give it the role's password, in pg_dist_authinfo"
    }

    /// The server's message, where it can name only parts of the schema or the server's state.
    ///
    /// Left out: 22 and 54 quote the value, P0 is whatever a function raises, XX and others are not known to be clean.
    private var safeMessage: String? {
        guard let report else { return nil }
        let classes: Set = ["08", "0A", "23", "25", "26", "28", "3D", "3F", "40", "42", "53", "55", "57"]
        guard let state = report.state else { return reason == .connectFailed ? report.line : nil }
        return classes.contains(state.class) || report.namesWorker ? report.line : Self.names[state]
    }

    /// PostgreSQL's own names for the conditions whose messages quote data.
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
    /// Everything known, over several lines. It may quote rows and parameters: not for a log that others read.
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
