internal import CLibPQ
internal import Logging

extension Session {
    /// Connects and authenticates. Only looking up a host name can outlast the watch, because libpq can't limit that.
    static func connect(
        _ configuration: ConnectionConfiguration, _ watch: Watch, wakeUp: WakeUp, logger: Logger
    ) throws(PostgresError) -> Session {
        guard let connection = try configuration.withKeywords(PQconnectStart) else {
            throw PostgresError(.connectFailed, statement: nil, explanation: "no memory for a connection")
        }
        let notices = NoticeLog(logger)
        notices.listen(to: connection)
        do throws(PostgresError) {
            // Adds the SQLSTATE to messages, because libpq has no function for it while connecting.
            PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
            try shakeHands(connection, watch, wakeUp)
        } catch {
            PQfinish(connection)
            throw error
        }
        notices.endConnecting()
        let session = Session(connection, configuration, notices, wakeUp: wakeUp, logger: logger)
        try session.makeFit(configuration, watch)
        return session
    }

    private static func PQconnectStart(
        _ keywords: UnsafePointer<UnsafePointer<CChar>?>, _ values: UnsafePointer<UnsafePointer<CChar>?>
    ) -> OpaquePointer? {
        PQconnectStartParams(keywords, values, 1)
    }

    private static func shakeHands(
        _ connection: OpaquePointer, _ watch: Watch, _ wakeUp: WakeUp
    ) throws(PostgresError) {
        guard PQstatus(connection) != CONNECTION_BAD else { throw connectFailure(connection) }
        var polling = PGRES_POLLING_WRITING
        while true {
            switch polling {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_FAILED: throw connectFailure(connection)
            default: break
            }
            let isReading = polling == PGRES_POLLING_READING
            let ready = SocketWait.wait(
                PQsocket(connection), reading: isReading, writing: !isReading, wakeUp, until: watch.deadline)
            guard !watch.isInterrupted else { throw PostgresError(.cancelled) }
            guard !watch.isOver else { throw Self.connectTimeout }
            if ready.canRead || ready.canWrite { polling = PQconnectPoll(connection) }
        }
    }

    static var connectTimeout: PostgresError {
        PostgresError(.connectFailed, statement: nil, explanation: "cannot connect: the server did not answer in time")
    }

    private static func connectFailure(_ connection: OpaquePointer) -> PostgresError {
        let message = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        if let fault = ConnectionConfiguration.fault(in: message) {
            return PostgresError(.setUp, statement: nil, explanation: fault)
        }
        var error = PostgresError(.connectFailed)
        error.report = ServerMessage(connectMessage: message)
        return error
    }
}

extension ConnectionConfiguration {
    /// How libpq's messages begin when it can't even try to connect. Those about a server begin with `connection to server`.
    private static let faults = [
        "invalid ", "could not match ", "could not parse network address ", "definition of service ", "service file ",
        "syntax error in service file ", "Unix-domain socket path ",
    ]

    /// The error in the connection string or the `PG*` variables, without values, which might be part of a password.
    ///
    /// - Returns: nil if the message is about something else, which might be temporary.
    fileprivate static func fault(in message: String) -> String? {
        guard faults.contains(where: message.hasPrefix) else { return nil }
        let safe = message.replacing(/(?s)".*"/, with: "…").split(whereSeparator: \.isNewline).joined(separator: "; ")
        return "the connection string or a PG* variable is invalid: \(safe)"
    }
}

extension ServerMessage {
    /// Parses libpq's message about a failed attempt, for example `connection to server at "db" (::1), port 5432 failed:
    /// FATAL:  53300: sorry, too many clients already`. With several hosts, the last one that answered counts.
    convenience init(connectMessage text: String) {
        var state: SQLState?
        var lines: [Substring] = []
        // libpq indents its hints with a tab.
        let all = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
        for line in all where !line.hasPrefix("LOCATION:  ") {
            guard let match = line.firstMatch(of: #/:  ([0-9A-Z]{5}): /#) else {
                lines.append(line)
                continue
            }
            state = SQLState(rawValue: String(match.1))
            lines.append(line[..<match.range.lowerBound] + ": " + line[match.range.upperBound...])
        }
        self.init(message: lines.joined(separator: "; "), state: state)
    }
}
