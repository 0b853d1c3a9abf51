/// Where to connect, as whom, and how long to wait.
public struct ConnectionConfiguration: Sendable {
    /// A libpq connection string: a URI, `keyword=value` pairs, or nothing. Anything it omits comes from the `PG*` environment
    /// variables, the service file and the password file. Its `connect_timeout` is ignored.
    let connectionString: String
    /// The time limit of an attempt to connect, over all hosts and addresses.
    public var connectTimeout: Duration = .seconds(5)
    /// The time limit of a statement that has no deadline of its own.
    public var statementDeadline: Duration = .seconds(30)
    /// How long to wait for the answer to a cancel request before abandoning the connection. A caller waits at most for its
    /// deadline plus this time.
    public var cancelGrace: Duration = .seconds(2)
    /// How long to wait for a COMMIT after its task is cancelled. It isn't cancelled at once, because then its outcome would be
    /// unknown. After this time a cancel request is sent anyway, and the outcome is unknown.
    public var commitGrace: Duration = .seconds(2)
    /// Shown in `pg_stat_activity`; nil leaves it to the connection string.
    public var applicationName: String?
    /// Settings for the session by name, for example `["client_connection_check_interval": "500ms"]`. They override all others:
    /// those of the server, the database, the role, and the connection string's `options`. Settings unknown to the server are
    /// skipped, so you can give those of newer versions.
    ///
    /// They are set after connecting, not in the startup message, because poolers refuse unknown parameters there.
    public var settings: [String: SessionSetting] = [:]
    /// The encoding that the database must have, for example `UTF8`; nil for any.
    public var serverEncoding: String?
    /// The oldest supported version of the server: 150000 for 15.
    public var oldestServer = 0
    /// The most statements that a connection keeps prepared.
    public var preparedStatements = 256

    public init(connectionString: String, applicationName: String? = nil, settings: [String: SessionSetting] = [:]) {
        self.connectionString = connectionString
        self.applicationName = applicationName
        self.settings = settings
    }
}

extension ConnectionConfiguration: CustomStringConvertible, CustomReflectable {
    /// Omits the connection string, which might contain a password.
    public var description: String { "ConnectionConfiguration(\(applicationName ?? ""))" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The value of one setting in every session, overriding the server, the database and the role.
public struct SessionSetting: Sendable, Hashable {
    public var value: String
    /// Other values to leave as they are, because they are stricter; written as the server prints them.
    public var alternatives: Set<String>

    public init(_ value: String, or alternatives: Set<String> = []) {
        self.value = value
        self.alternatives = alternatives
    }
}

extension SessionSetting: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}
