package import CensusCore
package import CensusStore
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import ServiceLifecycle
package import Spool

/// The HTTP server, and the services that run alongside it.
package struct IngestService: Service {
    /// A connection on which nothing happens for this long is closed.
    private static let idleTimeout: TimeAmount = .seconds(20)

    /// What the parser takes as a head.
    private static let heads = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100)

    package let load: IngestLoad
    private let application: Application<IngestHandler>
    private let services: [any Service]
    private let logger: Logger

    /// - Parameters:
    ///   - retention: as last read; it is read again while the service runs.
    ///   - spool: takes over while the store is away; without one batches get 503 then.
    ///   - version: this program's, for the metrics.
    ///   - port: 0 takes a free one, which `onListening` is given.
    ///   - now: the server's clock.
    package init(
        store: Store, retention: Retention, spool: BatchSpool? = nil, secret: Secret, version: String,
        host: String, port: Int, options: ServerOptions = ServerOptions(),
        now: @escaping @Sendable () -> Timestamp = { .now }, logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        let keys = KeyRing(store: store, patience: options.patience.question, logger: logger)
        let retention = Retention.watch(
            startingWith: retention, patience: options.patience.question, store: store, logger: logger)
        let declarations = StoreWatch.declarations(patience: options.patience.question, store: store, logger: logger)
        let deadlines = RequestDeadlines(limit: options.limits.requestDeadline)
        let admission = Admission(
            options, faults: FaultLog(logger: logger), usage: KeyUsage(logger: logger), metrics: IngestMetrics())
        let handler = IngestHandler(
            store: store, spool: spool, secret: secret, keys: keys, retention: retention, declarations: declarations,
            deadlines: deadlines, admission: admission, options: options, version: version, now: now,
            logger: logger)
        self.load = handler.load
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .notice)
        self.application = Application(
            responder: handler,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [HeadWatch.Installer(deadlines: deadlines, admission: admission)],
                    idleTimeout: IngestService.idleTimeout, httpDecoderConfiguration: IngestService.heads)),
            // Made in one call: its `with(…)` drops the delegate that counts connections.
            configuration: ApplicationConfiguration(
                // Not longer: whatever arrives during a burst waits in the same line. With 3,000 connections at once the others' p99
                // was a second with 4,096, and is 150 ms with this (Benchmarks/attack, silent-connections).
                address: .hostname(host, port: port), backlog: 1_024,
                availableConnectionsDelegate: ConnectionCount.Delegate(count: admission.connections)),
            onServerRunning: { channel in
                let watch = ConnectionCount.AcceptWatch(admission.connections)
                try? await channel.pipeline.addHandler(watch, position: .first).get()
                await onListening(channel.localAddress?.port ?? port)
            },
            logger: quiet)
        self.services =
            [keys, retention, declarations, deadlines, admission.memory, admission.usage]
            + (handler.drainer.map { [$0] } ?? [])
        self.logger = logger
    }

    package func run() async throws {
        // Stopped in reverse order: first the server closes and finishes what it has, then what it depends on.
        let group = ServiceGroup(
            configuration: .init(services: services + [application], logger: logger))
        try await group.run()
    }
}
