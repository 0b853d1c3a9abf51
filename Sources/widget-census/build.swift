internal import CensusStore
internal import EmbeddedPostgres
internal import Foundation
internal import IngestServer
internal import Logging
internal import Nightly
internal import ServiceLifecycle
internal import Spool
internal import UnixSignals
internal import Webhooks

/// The parts of the program, put together from settings: the only place that knows them all.
struct Census: Sendable {
    let store: Store
    let logger: Logger
    private let secret: Secret?
    /// Our own PostgreSQL; nil where one was named.
    private let embedded: EmbeddedServer?

    /// The key of the id hashes.
    ///
    /// - Throws: ``UsageError`` when none was given for a database that is not our own.
    func requireSecret() throws -> Secret {
        guard let secret else {
            throw UsageError(
                "CENSUS_SECRET is not set: it is the key under which device ids are hashed, the same on every node. "
                    + "Make one with `openssl rand -hex 32` and keep it")
        }
        return secret
    }

    /// Runs `body` with the store, starting and stopping our own PostgreSQL around it where none was named.
    ///
    /// Our own database is migrated without asking; with another one a schema that is not ours is refused.
    ///
    /// - Parameters:
    ///   - onCluster: whether a migration refuses whatever is not the coordinator of a cluster.
    ///   - onlyReads: a standby, or another database that takes no writes, will do.
    ///   - begins: whether our own database is made when there is none.
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
                    kept: SecretFile(in: settings.dataDirectory), logger: logger, migrates: true, onCluster: onCluster,
                    onlyReads: onlyReads, body)
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
                // Another process may have set it up meanwhile.
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

    /// Warns about settings under which PostgreSQL breaks our promises, and which can't be changed from here.
    func warnOfUnsafeSettings() async throws {
        let unsafe = try await store.deployment.unsafeSettings()
        if !unsafe.isEmpty {
            logger.warning(
                "PostgreSQL may lose what was acknowledged when its machine crashes: switch these on",
                metadata: ["off": "\(unsafe.map(\.description).joined(separator: ", "))"])
        }
        for collation in try await store.deployment.staleCollations() {
            logger.warning(
                "texts sort otherwise than when indexes of this database were built: build them again",
                metadata: [
                    "collation": "\(collation.name ?? collation.locale)", "was": "\(collation.then)",
                    "is": "\(collation.now)", "run": "\(collation.remedy)",
                ])
        }
    }

    /// Warns about apps whose days may be counted in two ways.
    func warnOfDoubtfulZones() async throws {
        for doubtful in try await store.apps.doubtfulZones() {
            logger.warning(
                "an app's days may begin at other times here than in PostgreSQL: set another zone by `apps set --zone`",
                metadata: ["app": "\(doubtful.appID)", "zone": "\(doubtful.zone)"])
        }
    }

    /// As many as requested, or as there are descriptors for.
    private func connections(_ wanted: ConnectionLimit) throws -> ConnectionLimit {
        let descriptors = Descriptors.raiseLimit()
        guard let limit = ConnectionLimit.fitting(wanted.maximum, descriptors: descriptors) else {
            throw UsageError(
                "this process may open \(descriptors) files, which leaves none for clients: raise the limit "
                    + "(ulimit -n, LimitNOFILE= in the unit) to \(wanted.maximum + ConnectionLimit.reserve) or more")
        }
        if limit != wanted {
            logger.warning(
                "fewer connections than asked for: this process may not open more files; raise LimitNOFILE or ulimit -n",
                metadata: [
                    "connections": "\(limit.maximum)", "wanted": "\(wanted.maximum)", "descriptors": "\(descriptors)",
                ])
        }
        return limit
    }

    /// The service: the server, the reconciler, webhooks, and partitions made ahead. Runs until a signal ends it, then finishes
    /// what it has. Anything in the spool then stays there.
    func serve(
        host: String, port: Int, options: ServerOptions = ServerOptions(), spool settings: SpoolSettings? = nil,
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
        // The partitions for today's events must be there before the first one arrives; the rest follow while we run.
        try await partitions.keepNear()
        let server = IngestService(
            store: store, retention: try await store.upkeep.retention(), spool: spool, secret: secret,
            version: WidgetCensus.version, host: host, port: port, options: options, logger: logger,
            onListening: onListening)
        let reconciler = ReconcilerService(store: store, logger: logger) { [load = server.load] in load.waiting }
        let webhooks = WebhookService(
            store: store, sender: WebhookSender(version: WidgetCensus.version), logger: logger)
        var services: [any Service] = [
            partitions, StuckCopyWatch(store: store, logger: logger), reconciler, webhooks, server,
        ]
        if let embedded { services.insert(EmbeddedRevival(embedded: embedded, store: store, logger: logger), at: 0) }
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
