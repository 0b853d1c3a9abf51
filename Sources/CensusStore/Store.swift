package import Logging
package import Postgres

/// The tables of Widget Census: the only part of the program that runs SQL.
///
/// Cheap to copy; its parts are extensions and small types over one pool.
package struct Store: Sendable {
    package let pool: Pool
    /// Fewer observations are not worth the round trips of a transaction: they are merged, not copied.
    var rowsToCopy = 200
    var redeliveries = Redeliveries()

    /// - Parameter connectionString: a URI or keywords, as libpq takes them; empty: the `PG*` environment.
    package init(connectionString: String, maximumConnections: Int = 8, logger: Logger) {
        var configuration = ConnectionConfiguration(connectionString: connectionString)
        configuration.applicationName = "widget-census"
        configuration.settings = Store.sessionSettings
        // How long PostgreSQL may take to answer a cancellation before its connection is given up.
        configuration.cancelGrace = .milliseconds(500)
        var limits = Pool.Limits()
        limits.maximumConnections = maximumConnections
        self.pool = Pool(configuration, limits: limits, logger: logger)
    }

    /// A client that was killed, or that the network has forgotten, must not go on holding locks, nor commit what nobody
    /// waits for.
    static let sessionSettings = [
        "client_connection_check_interval": "500ms",
        // Between two statements of a transaction we compute, for seconds. Without a limit a session whose client is out
        // of reach keeps its locks for hours, and who needs those rows waits as long. Appending has a shorter one.
        "idle_in_transaction_session_timeout": "60s",
        "tcp_keepalives_idle": "30",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
        // `create temporary table if not exists` speaks up every time.
        "client_min_messages": "warning",
        "timezone": "UTC",
    ]

    /// Runs a statement and speaks of its failure as a ``StoreError``.
    func query(_ statement: Statement, _ parameters: (any PostgresCodable)?...) async throws(StoreError) -> Rows {
        do {
            return try await pool.query(statement, parameters)
        } catch {
            throw StoreError(error)
        }
    }

    package func shutdown() async {
        await pool.shutdown()
    }

    /// Answers whether PostgreSQL does.
    package func ping() async throws(StoreError) {
        _ = try await query(Statement("Store.ping", "select 1"))
    }
}
