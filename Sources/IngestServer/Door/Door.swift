package import CensusCore
package import CensusStore
internal import HTTPTypes
package import Hummingbird
package import Logging
internal import NIOCore

/// What a request to the door knows of its connection.
package struct DoorContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The request's body, until it was read.
    var reading: BodyDeadlines.Reading?

    package init(source: ApplicationRequestContextSource) {
        self.coreContext = CoreRequestContextStorage(source: source)
        self.channel = source.channel
    }
}

/// The paths of the contract and who answers them.
///
/// A responder of our own and not a router: a path that is there with another method must say 405 and what it takes.
package struct Door: HTTPResponder {
    package typealias Context = DoorContext

    private let events: EventsEndpoint
    private let gallery: GalleryPolicyEndpoint
    private let health: HealthEndpoint
    private let benchmark: BodyReader?
    private let deadlines: BodyDeadlines
    private let logger: Logger

    /// - Parameters:
    ///   - now: the server's clock.
    ///   - answersBenchmark: whether `POST /noop` reads a body and answers 202: what the rest is measured against.
    package init(
        store: Store, secret: Secret, keys: KeyRing, deadlines: BodyDeadlines, limits: Limits = Limits(),
        now: @escaping @Sendable () -> Timestamp = { .now }, answersBenchmark: Bool = false, logger: Logger
    ) {
        let guardian = Guardian(keys: keys)
        let reader = BodyReader(limits: limits, deadlines: deadlines)
        self.events = EventsEndpoint(
            guardian: guardian, reader: reader, decoder: BatchDecoder(limits: limits), names: NameGate(store: store),
            commits: GroupCommit(store: store, logger: logger), secret: secret, now: now)
        self.gallery = GalleryPolicyEndpoint(guardian: guardian, store: store, secret: secret, now: now)
        self.health = HealthEndpoint(store: store, logger: logger)
        self.benchmark = answersBenchmark ? reader : nil
        self.deadlines = deadlines
        self.logger = logger
    }

    package func respond(to request: Request, context: DoorContext) async throws -> Response {
        var context = context
        context.reading = deadlines.begin(request, on: context.channel)
        let response = await response(to: request, context)
        // A body here would be taken for the beginning of the next answer.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func response(to request: Request, _ context: DoorContext) async -> Response {
        do {
            return try await answer(request, context)
        } catch let problem as Problem {
            return problem.response
        } catch is CancellationError {
            return Problem.away.response
        } catch {
            // Ours, whatever it is: never a status on which clients drop what they hold.
            logger.error("a request failed unforeseen", metadata: ["error": "\(type(of: error))"])
            return Problem.away.response
        }
    }

    private func answer(_ request: Request, _ context: DoorContext) async throws -> Response {
        switch (request.uri.path, request.method) {
        case ("/v1/events", .post): return try await events.respond(to: request, context: context)
        case ("/v1/events", _): throw Problem.methodNotAllowed("POST")
        case ("/v1/gallery-policy", .get): return try await gallery.respond(to: request)
        case ("/livez", .get), ("/healthz", .get): return health.live()
        case ("/readyz", .get): return try await health.ready()
        case ("/v1/gallery-policy", _), ("/livez", _), ("/healthz", _), ("/readyz", _):
            throw Problem.methodNotAllowed("GET")
        case ("/noop", .post):
            guard let benchmark else { throw Problem.notFound }
            _ = try await benchmark.read(request, context)
            return Response(status: .accepted)
        default: throw Problem.notFound
        }
    }
}
