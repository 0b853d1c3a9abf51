package import CensusCore
package import CensusStore
internal import HTTPTypes
package import Hummingbird
package import Logging
internal import NIOCore
package import Spool

/// The paths of the contract, and the endpoints that answer them.
///
/// A responder of our own, not a router: a path that exists with another method must say 405 and which methods it takes.
package struct IngestHandler: HTTPResponder {
    package typealias Context = ConnectionContext

    let authenticator: Authenticator
    let events: EventsEndpoint
    let segment: SegmentEndpoint
    let gallery: GalleryPolicyEndpoint
    let erasure: ErasureEndpoint
    let manifests: ManifestsEndpoint
    /// What an endpoint that reads is made from.
    let reading: StoreReading
    let console: ConsoleEndpoint
    let health: HealthEndpoint
    let scrape: MetricsEndpoint
    private let admission: Admission
    private let deadlines: RequestDeadlines
    private let metrics: IngestMetrics
    private let logger: Logger
    let load: IngestLoad
    /// Runs alongside the server if there is a spool.
    let drainer: Drainer?

    /// - Parameters:
    ///   - version: this program's, for the metrics.
    ///   - now: the server's clock.
    package init(
        store: Store, spool: BatchSpool?, secret: Secret, keys: KeyRing, retention: StoreWatch<Retention>,
        declarations: StoreWatch<[Int32: DeclaredKinds]>,
        deadlines: RequestDeadlines, admission: Admission, options: ServerOptions,
        version: String, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        let metrics = admission.metrics
        self.authenticator = Authenticator(keys: keys, limiter: RateLimiter(options.rates))
        let reader = BodyReader(limits: options.limits, deadlines: deadlines)
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
            admission: admission, reader: reader, batches: batches, committer: committer, now: now)
        self.segment = SegmentEndpoint(
            admission: admission, reader: reader, batches: batches, committer: committer, authenticator: authenticator,
            metrics: metrics, now: now)
        self.gallery = GalleryPolicyEndpoint(
            store: store, admission: admission, secret: secret, patience: options.patience.question,
            decisionsKeptFor: options.decisionsKeptFor, metrics: metrics, now: now)
        self.erasure = ErasureEndpoint(
            store: store, admission: admission, spool: spool, secret: secret, patience: options.patience.erasure,
            now: now)
        self.manifests = ManifestsEndpoint(
            admission: admission, reader: reader, store: store, patience: options.patience.question)
        self.reading = StoreReading(store: store, admission: admission, patience: options.patience.report)
        self.console = ConsoleEndpoint(
            access: ConsoleAccess(options: options.console, authenticator: authenticator, secret: secret, now: now),
            reading: ConsoleReading(reading: reading, secret: secret, version: version, now: now),
            reports: ReportsEndpoint(reading: reading), admission: admission, deadlines: deadlines)
        self.admission = admission
        self.health = HealthEndpoint(
            store: store, spool: spool, commits: commits.health, faults: admission.faults,
            patience: options.patience.question, logger: logger)
        self.scrape = MetricsEndpoint(
            access: options.metrics, version: version, metrics: metrics, commits: commits, store: store, spool: spool,
            gauges: StoreGauges(store: store), admission: admission, deadlines: deadlines)
        self.deadlines = deadlines
        self.metrics = metrics
        self.logger = logger
    }

    package func respond(to request: Request, context: ConnectionContext) async throws -> Response {
        // Nothing is made for a client that has not taken what it got before.
        let flow = admission.flows[context.channel]
        await flow?.clear()
        let begun = ContinuousClock.now
        var context = context
        context.body = AnnouncedBody(request.headers)
        context.bodyDeadline = deadlines.begin(context.body, on: context.channel)
        context.entry = admission.bodies.entry(context.body, on: context.channel)
        // The rest of a body that is still arriving when its request is answered is let through and dropped.
        defer { context.entry?.use() }
        let route = Route(path: request.uri.path)
        let record = RequestRecord(id: RequestID(request), route: route?.name ?? Route.other)

        var (response, code) = await response(to: request, context, route, record)
        (response, code) = paced(response, code, to: request, context, route)
        if let key = context.caller.key, Problem.refusals.contains(code ?? "") { admission.usage.add(key, refused: 1) }
        flow?.made()
        response.headers[.requestID] = record.id.description
        let took = ContinuousClock.now - begun
        metrics.countRequest(record.route, status: response.status.code, code: code, took: took)
        record.log(status: response.status.code, code: code, took: took, to: logger, admission.faults)
        // A body here would be taken for the beginning of the next answer.
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// - Returns: with the code on the wire, where there is one.
    private func response(
        to request: Request, _ context: ConnectionContext, _ route: Route?, _ record: RequestRecord
    ) async -> (Response, code: String?) {
        let problem: Problem
        do {
            return (try await answer(request, context, route), nil)
        } catch let known as Problem {
            problem = known
        } catch is CancellationError {
            problem = .away
        } catch {
            // Our fault, whatever it is: never a status that makes clients drop what they hold.
            logger.error(
                "a request failed unexpectedly",
                metadata: ["request": "\(record.id)", "error": "\(type(of: error))"])
            problem = .away
        }
        return (answer(problem, to: request), problem.code)
    }

    private func answer(_ problem: Problem, to request: Request) -> Response {
        console.owns(request.uri.path) ? console.trouble(problem, request) : problem.answering(request.method).response
    }

    /// A large answer reserves its memory until the client has taken it, and is written as fast as that.
    private func paced(
        _ response: Response, _ code: String?, to request: Request, _ context: ConnectionContext, _ route: Route?
    ) -> (Response, code: String?) {
        guard let length = response.body.contentLength, length > AnswerFlow.piece else { return (response, code) }
        var response = response
        if route?.sharesAnswers == true {
            response.pace(on: context.channel, memory: nil)
            return (response, code)
        }
        do {
            let memory = try admission.answer(
                length, to: context.caller.key ?? .nobody, isOwed: request.method != .get && request.method != .head)
            response.pace(on: context.channel, memory: memory)
            return (response, code)
        } catch {
            return (answer(.noRoom, to: request), Problem.noRoom.code)
        }
    }

    private func answer(_ request: Request, _ context: ConnectionContext, _ route: Route?) async throws -> Response {
        if let fault = HeadFault(request.headers) { throw Problem(.badRequest, "broken_request", fault.message) }
        guard let route else { throw Problem.notFound }
        guard route.isForOperators || !admission.memory.isShort else {
            metrics.countTurnedAway(.memory)
            throw Problem.noRoom
        }
        return try await route.respond(at: self, to: request, context: context)
    }
}

/// What a request knows about its connection.
package struct ConnectionContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel
    var body = AnnouncedBody.none
    /// The request's body, until it has been read.
    var bodyDeadline: RequestDeadlines.Reading?
    /// Lets the request's body in, if it is a large one.
    var entry: BodyAdmissions.Entry?
    let caller = Caller()

    package init(source: ApplicationRequestContextSource) {
        self.coreContext = CoreRequestContextStorage(source: source)
        self.channel = source.channel
    }
}
