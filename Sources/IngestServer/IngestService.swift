package import CensusCore
package import CensusStore
package import Logging
internal import NIOCore
internal import ServiceLifecycle
package import Spool
package import Traces

/// The HTTP server, and the services that run alongside it.
package struct IngestService: Service {
    package let load: IngestLoad
    private let listener: Listener
    private let services: [any Service]
    private let logger: Logger

    /// - Parameters:
    ///   - retention: the last known value; the service reads it again while it runs.
    ///   - spool: takes over while the store is unavailable; without one, batches then get 503.
    ///   - version: the program's version, for the metrics.
    ///   - port: 0 for any free one, which is passed to `onListening`.
    ///   - now: the server's clock.
    ///   - tracer: gets a span for each request whose sender's trace is sampled.
    package init(
        store: Store, retention: Retention, spool: BatchSpool? = nil, secret: Secret, version: String,
        host: String, port: Int, options: ServerOptions = ServerOptions(),
        now: @escaping @Sendable () -> Timestamp = { .now }, tracer: CollectorTracer? = nil,
        logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        let keys = KeyRing(store: store, patience: options.patience.question, logger: logger)
        let retention = Retention.watch(
            startingWith: retention, patience: options.patience.question, store: store, logger: logger)
        let declarations = StoreWatch.declarations(patience: options.patience.question, store: store, logger: logger)
        let admission = Admission(
            options, faults: FaultLog(logger: logger), usage: KeyUsage(logger: logger), metrics: IngestMetrics())
        let handler = IngestHandler(
            store: store, spool: spool, secret: secret, keys: keys, retention: retention, declarations: declarations,
            admission: admission, options: options, version: version, now: now,
            tracer: tracer, logger: logger)
        self.load = handler.load
        var limits = ConnectionState.Limits()
        limits.request = TimeAmount(options.limits.requestDeadline)
        self.listener = Listener(
            host: host, port: port, responder: handler, connections: admission.connections, limits: limits,
            onListening: onListening, logger: logger)
        self.services =
            [keys, retention, declarations, admission.memory, admission.usage]
            + (handler.drainer.map { [$0] } ?? [])
        self.logger = logger
    }

    package func run() async throws {
        // Services stop in reverse order: the listener first, then the services that it depends on.
        let group = ServiceGroup(
            configuration: .init(services: services + [listener], logger: logger))
        try await group.run()
    }
}
