internal import CensusStore
internal import EmbeddedPostgres
internal import Foundation
internal import IngestServer
internal import Logging
internal import Nightly
internal import ServiceLifecycle
internal import Spool
internal import Traces
internal import UnixSignals
internal import Webhooks

/// Builds the program's parts from the settings. Only this file knows all parts.
struct Census: Sendable {
    let store: Store
    let logger: Logger
    private let secret: Secret?
    /// Our private PostgreSQL; nil if a database is named.
    private let embedded: EmbeddedServer?

    /// The key for hashing ids.
    ///
    /// - Throws: ``UsageError`` if a database is named but no secret is.
    func requireSecret() throws -> Secret {
        guard let secret else {
            throw UsageError(
                "CENSUS_SECRET is not set. It is the key for hashing device ids, the same on every node for as long as the "
                    + "database lives. Set the one that this database was first used with, or for a new database make one "
                    + "with `openssl rand -hex 32` and keep it")
        }
        return secret
    }

    /// Runs `body` with the store. If no database is named, starts our private PostgreSQL before it and stops it afterwards.
    ///
    /// Our private database is migrated automatically, except by commands that only read: an older `serve` might still use it. In a
    /// named one, a schema of another version is an error.
    ///
    /// - Parameters:
    ///   - onCluster: whether to migrate only the coordinator of a cluster.
    ///   - onlyReads: whether a standby, or another read-only database, will do.
    ///   - begins: whether to create our private database if there is none.
    static func with<T: Sendable>(
        _ settings: Settings, logger: Logger, migrates: Bool = false, onCluster: Bool = false, onlyReads: Bool = false,
        begins: Bool = false,
        _ body: (Census) async throws -> T
    ) async throws -> T {
        guard let database = settings.database else {
            let embedded = try await EmbeddedServer.start(
                EmbeddedServer.Configuration(dataDirectory: settings.dataDirectory, makes: begins), logger: logger)
            Interruption.shared.keep(embedded)
            defer { Interruption.shared.keep(nil) }
            do {
                let value = try await with(
                    embedded.connectionString, embedded, secret: settings.secret,
                    kept: SecretFile(in: settings.dataDirectory), logger: logger, migrates: !onlyReads,
                    onCluster: onCluster, onlyReads: onlyReads, body)
                await embedded.stop()
                return value
            } catch {
                await embedded.stop()
                throw error
            }
        }
        return try await with(
            database, nil, secret: settings.secret, kept: nil, logger: logger, migrates: migrates, onCluster: onCluster,
            onlyReads: onlyReads, body)
    }

    private static func with<T: Sendable>(
        _ connectionString: String, _ embedded: EmbeddedServer?, secret: String?, kept file: SecretFile?,
        logger: Logger, migrates: Bool, onCluster: Bool, onlyReads: Bool, _ body: (Census) async throws -> T
    ) async throws -> T {
        var secret = try (secret ?? file?.text()).map { text in try Secret(text) }
        let store = Store(connectionString: connectionString, logger: logger)
        do {
            try await store.deployment.requireOwnSessions()
            let migrator = Migrator(store: store, logger: logger)
            if migrates {
                _ = try await migrator.migrate(onCluster: onCluster)
            } else {
                try await migrator.requireCurrent()
            }
            if secret == nil, let file {
                let isBegun = try await store.deployment.hasSecret()
                // Another process might have created it in the meantime.
                guard let text = try file.text() ?? (isBegun ? nil : file.make()) else { throw file.isMissing }
                secret = try Secret(text)
            }
            if let secret { try await store.deployment.require(secret, begins: !onlyReads) }
            let value = try await body(Census(store: store, logger: logger, secret: secret, embedded: embedded))
            await store.shutdown()
            return value
        } catch let error as StoreError {
            let cause = await store.cause(of: error)
            await store.shutdown()
            throw cause
        } catch {
            await store.shutdown()
            throw error
        }
    }

    /// Warns about settings with which PostgreSQL breaks our guarantees, and that we can't change ourselves.
    func warnOfUnsafeSettings() async throws {
        let unsafe = try await store.deployment.unsafeSettings()
        if !unsafe.isEmpty {
            logger.warning(
                "PostgreSQL can lose acknowledged events if its machine crashes: switch these settings on",
                metadata: ["off": "\(unsafe.map(\.description).joined(separator: ", "))"])
        }
        for collation in try await store.deployment.staleCollations() {
            logger.warning(
                "texts sort differently than when this database's indexes were built: rebuild the indexes",
                metadata: [
                    "collation": "\(collation.name ?? collation.locale)", "was": "\(collation.then)",
                    "is": "\(collation.now)", "run": "\(collation.remedy)",
                ])
        }
    }

    /// Warns about apps whose days we and PostgreSQL might count differently.
    func warnOfDoubtfulZones() async throws {
        for doubtful in try await store.apps.doubtfulZones() {
            logger.warning(
                "an app's days might begin at other times here than in PostgreSQL: set another zone with `apps set --zone`",
                metadata: ["app": "\(doubtful.appID)", "zone": "\(doubtful.zone)"])
        }
    }

    /// The wanted connections, or as many as there are file descriptors for.
    private func connections(_ wanted: ConnectionLimit) throws -> ConnectionLimit {
        let descriptors = Descriptors.raiseLimit()
        guard let limit = ConnectionLimit.fitting(wanted.maximum, descriptors: descriptors) else {
            throw UsageError(
                "this process may open \(descriptors) files, which leaves none for clients: raise the limit "
                    + "(ulimit -n, LimitNOFILE= in the unit) to \(wanted.maximum + ConnectionLimit.reserve) or more")
        }
        if limit != wanted {
            logger.warning(
                "fewer connections than configured: this process may not open more files; raise LimitNOFILE or ulimit -n",
                metadata: [
                    "connections": "\(limit.maximum)", "wanted": "\(wanted.maximum)", "descriptors": "\(descriptors)",
                ])
        }
        return limit
    }

    /// - Returns: nil without a collector. It is passed on to what is traced and not made global, because the HTTP client would then
    ///   trace webhooks, and the exporter's own requests without an end.
    private func tracer(_ collector: URL?) -> CollectorTracer? {
        collector.map { collector in
            CollectorTracer(
                exporter: TraceExporter(collector: collector, version: WidgetCensus.version, logger: logger))
        }
    }

    /// Runs `body`, and then sends what it has traced.
    func tracing<T: Sendable>(
        _ collector: URL?, _ body: (CollectorTracer?) async throws -> T
    ) async throws -> T {
        let tracer = tracer(collector)
        do {
            let value = try await body(tracer)
            await tracer?.exporter.flush()
            return value
        } catch {
            await tracer?.exporter.flush()
            throw error
        }
    }

    /// Runs the service: the server, the reconciler, webhooks, and the creation of partitions. After a signal it finishes the
    /// requests it has and ends. Batches in the spool stay there.
    func serve(
        host: String, port: Int, options: ServerOptions = ServerOptions(), spool settings: SpoolSettings? = nil,
        traces: URL? = nil,
        onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        Allocator.returnLargePieces()
        let secret = try requireSecret()
        try await warnOfUnsafeSettings()
        try await warnOfDoubtfulZones()
        var options = options
        options.connections = try connections(options.connections)
        let spool = try settings.map { settings in
            try BatchSpool(folder: settings.folder, limit: settings.limit, program: WidgetCensus.version)
        }
        defer { spool?.close() }
        let partitions = PartitionService(store: store, logger: logger)
        // Today's partitions must exist before the first event arrives; the rest are created while the service runs.
        try await partitions.keepNear()
        let tracer = tracer(traces)
        let server = IngestService(
            store: store, retention: try await store.upkeep.retention(), spool: spool, secret: secret,
            version: WidgetCensus.version, host: host, port: port, options: options, tracer: tracer,
            logger: logger, onListening: onListening)
        let reconciler = ReconcilerService(store: store, logger: logger) { [load = server.load] in load.waiting }
        let webhooks = WebhookService(
            store: store, sender: WebhookSender(version: WidgetCensus.version), logger: logger)
        var services: [any Service] = [
            partitions, StuckCopyWatch(store: store, logger: logger), reconciler, webhooks, server,
        ]
        if let embedded { services.insert(EmbeddedRevival(embedded: embedded, store: store, logger: logger), at: 0) }
        // The first stops last, and then sends the spans of the last requests.
        if let tracer { services.insert(tracer.exporter, at: 0) }
        let group = ServiceGroup(
            configuration: .init(
                services: services,
                gracefulShutdownSignals: Interruption.signals, logger: logger))
        do {
            try await group.run()
        } catch {
            throw ListenFailure(error, host: host, port: port, holder: PortHolder.inWords) ?? error
        }
    }
}
