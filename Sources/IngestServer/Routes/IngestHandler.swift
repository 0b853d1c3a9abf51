package import CensusCore
package import CensusStore
internal import HTTPTypes
package import Logging
internal import NIOCore
package import Spool
package import Traces
internal import Tracing

/// Routes each request to its endpoint, and logs and counts the response.
package final class IngestHandler: Responder {
    let authenticator: Authenticator
    let events: EventsEndpoint
    let segment: SegmentEndpoint
    let gallery: GalleryPolicyEndpoint
    let erasure: ErasureEndpoint
    let manifests: ManifestsEndpoint
    let preflight: PreflightEndpoint
    let acknowledgements: AcknowledgementsEndpoint
    let reading: StoreReading
    let console: ConsoleEndpoint
    let health: HealthEndpoint
    let scrape: MetricsEndpoint
    private let admission: Admission
    private let metrics: IngestMetrics
    private let logger: Logger
    /// Nil if nobody wants trace spans.
    private let tracer: CollectorTracer?
    let load: IngestLoad
    /// Runs alongside the server if there is a spool.
    let drainer: Drainer?

    /// - Parameters:
    ///   - version: the program's version, for the metrics.
    ///   - now: the server's clock.
    package init(
        store: Store, spool: BatchSpool?, secret: Secret, keys: KeyRing, retention: StoreWatch<Retention>,
        declarations: StoreWatch<[Int32: DeclaredKinds]>,
        admission: Admission, options: ServerOptions,
        version: String, now: @escaping @Sendable () -> Timestamp, tracer: CollectorTracer?, logger: Logger
    ) {
        let metrics = admission.metrics
        self.authenticator = Authenticator(keys: keys, limiter: RateLimiter(options.rates))
        let reader = BodyReader(limits: options.limits)
        let failover = spool.map { Failover(spool: $0, metrics: metrics, logger: logger) }
        self.drainer = failover.map { Drainer(store: store, failover: $0, logger: logger) }
        let commits = GroupCommit(
            store: store, failover: failover, patience: options.patience, metrics: metrics,
            faults: admission.faults, logger: logger)
        self.load = IngestLoad(commits: commits)
        let batches = BatchReader(
            limits: options.limits, retention: retention, limiter: authenticator.limiter, admission: admission,
            names: NameLimiter(store: store), declarations: declarations, failover: failover, secret: secret,
            patience: options.patience.question)
        let committer = BatchCommitter(commits: commits, metrics: metrics)
        self.events = EventsEndpoint(
            admission: admission, reader: reader, batches: batches, committer: committer,
            authenticator: authenticator, now: now)
        self.segment = SegmentEndpoint(
            admission: admission, reader: reader, batches: batches, committer: committer, authenticator: authenticator,
            metrics: metrics, now: now)
        self.gallery = GalleryPolicyEndpoint(
            store: store, admission: admission, secret: secret, patience: options.patience.question,
            decisionsKeptFor: options.decisionsKeptFor, metrics: metrics, now: now)
        self.erasure = ErasureEndpoint(
            store: store, admission: admission, spool: spool, secret: secret, patience: options.patience.erasure,
            now: now)
        let intake = ManifestIntake(
            admission: admission,
            reader: BodyReader(limits: options.limits, remedy: "compress it, or declare fewer kinds"))
        self.manifests = ManifestsEndpoint(intake: intake, store: store, patience: options.patience.question)
        self.reading = StoreReading(store: store, admission: admission, patience: options.patience.report)
        self.preflight = PreflightEndpoint(
            intake: intake, reading: reading, patience: options.patience.preflight, version: version)
        self.acknowledgements = AcknowledgementsEndpoint(
            intake: intake, reading: reading, patience: options.patience.preflight)
        self.console = ConsoleEndpoint(
            access: ConsoleAccess(options: options.console, authenticator: authenticator, secret: secret, now: now),
            reading: ConsoleReading(reading: reading, secret: secret, version: version, now: now),
            reports: ReportsEndpoint(reading: reading), admission: admission, actPatience: options.patience.act)
        self.admission = admission
        self.health = HealthEndpoint(
            store: store, spool: spool, commits: commits.health, faults: admission.faults,
            patience: options.patience.health, logger: logger)
        self.scrape = MetricsEndpoint(
            access: options.metrics, version: version, metrics: metrics, commits: commits, store: store, spool: spool,
            gauges: StoreGauges(store: store), admission: admission, traces: tracer?.exporter)
        self.metrics = metrics
        self.tracer = tracer
        self.logger = logger
    }

    /// Handles small batches and `/livez` on the connection's event loop; everything else goes to ``respond(to:)``.
    func begin(_ request: Request) -> Beginning {
        guard request.fault == nil else { return .later }
        switch request.path {
        case "/v1/events" where !admission.memory.isShort:
            let work = Work(handler: self, request: request, route: IngestHandler.events)
            do {
                guard let visitor = try events.plainSender(of: request) else { return .later }
                return .collect(PlainReport(work: work, visitor: visitor))
            } catch {
                return .answer(work.end(error))
            }
        case "/livez" where request.method == .get || request.method == .head:
            return .answer(Work(handler: self, request: request, route: IngestHandler.live).end(health.live()))
        default: return .later
        }
    }

    private static let events = Route(path: "/v1/events")
    private static let live = Route(path: "/livez")

    func respond(to request: Request) async -> Response {
        let work = Work(handler: self, request: request, route: Route(path: request.path))
        do {
            return work.end(try await answer(request, work.route))
        } catch {
            return work.end(error)
        }
    }

    func respond(to fault: ParseFault) -> Response {
        let problem = Problem(fault)
        metrics.countRequest(Route.other, status: problem.status.code, code: problem.code, took: .zero)
        var response = problem.response
        response.headers[.requestID] = RequestID().description
        return response
    }

    /// One request in progress.
    struct Work: Sendable {
        let handler: IngestHandler
        let request: Request
        let route: Route?
        private let id: RequestID
        private let trace: TraceContext?
        /// Nil unless the sender's trace is sampled and an operator wants it.
        private let span: TraceSpan?
        private let begun = ContinuousClock.now

        fileprivate init(handler: IngestHandler, request: Request, route: Route?) {
            self.handler = handler
            self.request = request
            self.route = route
            id = RequestID(request)
            let sender = request.headers[.traceparent].flatMap { TraceContext($0) }
            if let tracer = handler.tracer, let sender, sender.isSampled {
                let span = tracer.startSpan(from: sender, request, route)
                (self.span, trace) = (span, span.context.trace)
            } else {
                (span, trace) = (nil, sender?.child)
            }
        }

        func end(_ error: any Error) -> Response {
            let problem: Problem
            switch error {
            case let known as Problem: problem = known
            case is CancellationError: problem = .away
            default:
                // An internal error: 503, never a status that makes clients drop their events.
                handler.logger.error(
                    "a request failed unexpectedly", metadata: ["request": "\(id)", "error": "\(type(of: error))"])
                problem = .away
            }
            return end(handler.answer(problem, to: request), problem.code)
        }

        /// Reserves the response's memory, counts the response and logs it.
        func end(_ response: Response, _ code: String? = nil) -> Response {
            let admission = handler.admission
            var (response, code) = handler.reserved(response, code, to: request, route)
            if let code, Problem.refusals.contains(code), let key = request.caller.key {
                admission.usage.add(key, refused: 1)
            }
            response.headers[.requestID] = id.description
            if let trace { response.headers[.traceresponse] = trace.header }
            let took = ContinuousClock.now - begun
            let record = RequestRecord(id: id, route: route?.name ?? Route.other, trace: trace)
            handler.metrics.countRequest(record.route, status: response.status.code, code: code, took: took)
            span?.end(status: response.status.code, code: code)
            record.log(status: response.status.code, code: code, took: took, to: handler.logger, admission.faults)
            return response
        }
    }

    private func answer(_ problem: Problem, to request: Request) -> Response {
        console.owns(request.path) ? console.trouble(problem, request) : problem.response
    }

    /// Reserves a large response's memory until the client has read it.
    private func reserved(
        _ response: Response, _ code: String?, to request: Request, _ route: Route?
    ) -> (Response, code: String?) {
        guard response.isLarge, route?.sharesAnswers != true else { return (response, code) }
        var response = response
        do {
            response.memory = try admission.answer(
                response.body.readableBytes, to: request.caller.key ?? .nobody,
                isOwed: request.method != .get && request.method != .head)
            return (response, code)
        } catch {
            return (answer(.noRoom, to: request), Problem.noRoom.code)
        }
    }

    private func answer(_ request: Request, _ route: Route?) async throws -> Response {
        if let fault = request.fault { throw Problem(.badRequest, "broken_request", fault.message) }
        guard let route else { throw Problem.notFound }
        guard route.isForOperators || !admission.memory.isShort else {
            metrics.countTurnedAway(.memory)
            throw Problem.noRoom
        }
        return try await route.respond(at: self, to: request)
    }
}
