internal import CLibPQ

/// The value of a setting in a session, and the server process that reported it.
private struct HeldSetting {
    var name: String
    var value: String?
    var process: Int32
}

extension Session {
    /// Applies the configuration's settings, and checks that the server, database and session meet its requirements.
    ///
    /// - Throws: ``PostgresError/Reason/setUp`` if they aren't.
    func makeFit(_ configuration: ConnectionConfiguration, _ watch: Watch) throws(PostgresError) {
        let version = Int(PQserverVersion(connection))
        guard version >= configuration.oldestServer else {
            throw unfit(
                "PostgreSQL \(version / 10_000) is too old: it must be \(configuration.oldestServer / 10_000) or newer")
        }
        let encoding = PQparameterStatus(connection, "server_encoding").map { String(cString: $0) } ?? ""
        if let wanted = configuration.serverEncoding, encoding != wanted {
            throw unfit(
                "the database's encoding is \(encoding) and must be \(wanted): create a new one with "
                    + "`createdb --encoding=\(wanted) --template=template0 NAME`, and move the data to it")
        }
        guard !configuration.settings.isEmpty else { return }
        do throws(PostgresError) {
            let set = try heldSettings(setting(configuration.settings), watch)
            // A separate message, like all later statements: if a pooler sends it to another session, it misses the settings.
            let held = try heldSettings(reading(configuration.settings.keys.sorted()), watch)
            try compare(set, held)
        } catch {
            throw connectFailure(error)
        }
    }

    private func compare(_ set: [HeldSetting], _ held: [HeldSetting]) throws(PostgresError) {
        let values = Dictionary(held.map { ($0.name, $0.value) }) { first, _ in first }
        let process = set.first?.process ?? serverProcess
        let isKept = set.dropFirst().allSatisfy { values[$0.name] == $0.value }
        guard isKept, (set + held).allSatisfy({ $0.process == process }) else {
            throw unfit(PostgresError.sharedSessions)
        }
        serverProcess = process
    }

    /// One message, and so one transaction, in which neither a role's statement timeout nor its search path applies.
    ///
    /// The first row has no name.
    private func setting(_ settings: [String: SessionSetting]) -> Statement {
        let rows = settings.sorted { $0.key < $1.key }.map { name, setting in
            let alternatives = setting.alternatives.sorted().map(quoted).joined(separator: ", ")
            return "(\(quoted(name)), \(quoted(setting.value)), array[\(alternatives)]::text[])"
        }
        return Statement(
            "session settings",
            """
            set local statement_timeout = 0;
            set local search_path = pg_catalog;
            select '' as name, '' as value, pg_backend_pid()
            union all
            select name, set_config(name, value, false), pg_backend_pid()
            from (values \(rows.joined(separator: ", "))) as wanted (name, value, alternatives)
            where current_setting(name, true) <> all (alternatives)
                -- A name with a dot belongs to no part of PostgreSQL, and can be created.
                and (current_setting(name, true) is not null or name like '%.%')
            """)
    }

    private func reading(_ names: [String]) -> Statement {
        Statement(
            "session settings held",
            """
            select name, pg_catalog.current_setting(name, true), pg_catalog.pg_backend_pid()
            from pg_catalog.unnest(array[\(names.map(quoted).joined(separator: ", "))]::text[]) as held (name)
            """)
    }

    private func heldSettings(_ statement: Statement, _ watch: Watch) throws(PostgresError) -> [HeldSetting] {
        var rows: [[String?]] = []
        try script(statement, copy: nil, watch) { rows += TextRows($0).rows }
        return rows.map { HeldSetting(name: $0[0] ?? "", value: $0[1], process: $0[2].flatMap { Int32($0) } ?? 0) }
    }

    private func quoted(_ text: String) -> String {
        guard let literal = PQescapeLiteral(connection, text, text.utf8.count) else { return "''" }
        defer { PQfreemem(literal) }
        return String(cString: literal)
    }

    private func unfit(_ sentence: String) -> PostgresError {
        PostgresError(.setUp, statement: nil, explanation: sentence)
    }

    /// Turns an error of a statement into one of connecting, because there is no session yet.
    private func connectFailure(_ error: PostgresError) -> PostgresError {
        switch error.reason {
        case .setUp, .cancelled: return error
        case .deadlineExceeded: return Session.connectTimeout
        default:
            var failure = PostgresError(.connectFailed, statement: error.statement)
            failure.report = error.report
            failure.explanation = error.report == nil ? error.explanation : nil
            return failure
        }
    }

    /// Whether there is a pooler between us and the server: the process that answers isn't the one that greeted us.
    var isPooled: Bool { serverProcess != PQbackendPID(connection) }
}

extension PostgresError {
    /// The error message about a pooler that distributes a session's statements over several server sessions.
    static let sharedSessions =
        "a pooler between this program and PostgreSQL distributes the statements of one session over several, but this "
        + "program needs sessions of its own. In pgbouncer, set pool_mode = session for this database, or connect to "
        + "PostgreSQL directly"
}
