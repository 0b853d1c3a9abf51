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
    var readRoom = ReadRoom()

    /// - Parameter connectionString: a URI or keywords, as libpq takes them; empty: the `PG*` environment.
    package init(connectionString: String, maximumConnections: Int = 8, logger: Logger) {
        var configuration = ConnectionConfiguration(connectionString: connectionString)
        configuration.applicationName = "widget-census"
        configuration.settings = Store.sessionSettings
        // In another encoding PostgreSQL can't hold what phones send, or holds bytes that nobody has checked.
        configuration.serverEncoding = "UTF8"
        configuration.oldestServer = 150_000
        // How long PostgreSQL may take to answer a cancellation before its connection is given up.
        configuration.cancelGrace = .milliseconds(500)
        var limits = Pool.Limits()
        limits.maximumConnections = maximumConnections
        self.pool = Pool(configuration, limits: limits, logger: logger)
    }

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
