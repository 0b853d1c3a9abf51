/// Where to connect, as whom, and how long to wait.
public struct ConnectionConfiguration: Sendable {
    /// What libpq takes: a URI, `keyword=value` pairs, a database's name, or nothing. What it leaves out comes from the
    /// `PG*` environment variables, the service file and the password file. Its `connect_timeout` is ignored.
    let connectionString: String
    /// For the whole attempt, over all hosts and addresses.
    public var connectTimeout: Duration = .seconds(5)
    /// After this a statement is cancelled, unless it has its own deadline.
    public var statementDeadline: Duration = .seconds(30)
    /// How long the server may take to answer a cancel request before the connection is given up; a caller waits at
    /// most for the sum of its deadline and this.
    public var cancelGrace: Duration = .seconds(2)
    /// How long a COMMIT may take once its task is cancelled: it is not cancelled at once, because then nobody would know its
    /// outcome. After that a cancel request is sent all the same, and the outcome is unknown.
    public var commitGrace: Duration = .seconds(2)
    /// Shown in `pg_stat_activity`; nil leaves it to the connection string.
    public var applicationName: String?
    /// Settings for the session by name, for example `["client_connection_check_interval": "500ms"]`. They win over all others:
    /// the server's, the database's, the role's, and those in the connection string's `options`. One that the server
    /// does not know is left out, so that those of newer versions can be named.
    ///
    /// They are set when the connection stands, and not in its startup message: poolers refuse unknown parameters there.
    public var settings: [String: SessionSetting] = [:]
    /// The only encoding that a database may have, for example `UTF8`; nil: any.
    public var serverEncoding: String?
    /// The oldest supported version of the server: 150000 for 15.
    public var oldestServer = 0
    /// How many statements a connection keeps prepared.
    public var preparedStatements = 256

    public init(connectionString: String, applicationName: String? = nil, settings: [String: SessionSetting] = [:]) {
        self.connectionString = connectionString
        self.applicationName = applicationName
        self.settings = settings
    }
}

extension ConnectionConfiguration: CustomStringConvertible, CustomReflectable {
    /// Leaves out the connection string: it may hold a password.
    public var description: String { "ConnectionConfiguration(\(applicationName ?? ""))" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The value of one setting in every session, whatever the server, the database or the role say.
public struct SessionSetting: Sendable, Hashable {
    public var value: String
    /// Another value that is accepted, as the server prints it, because it asks for more.
    public var alternatives: Set<String>

    public init(_ value: String, or alternatives: Set<String> = []) {
        self.value = value
        self.alternatives = alternatives
    }
}

extension SessionSetting: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}
