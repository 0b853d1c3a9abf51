internal import CensusStore
internal import HTTPTypes
internal import Pages

/// A path of the API: its methods, the roles that may use it, and its endpoint.
///
/// 404, 405 and `Allow`, the check of keys, metrics and logs all use ``all``.
struct Route: Sendable {
    /// Its name in metrics and logs.
    let name: String
    /// A segment in braces matches any segment.
    let paths: [String]
    private let methods: [HTTPRequest.Method]
    /// The key must have one of these roles. Empty if the route needs no key, or if its endpoint checks the key.
    let roles: [Key.Role]
    /// Whether all responses share one buffer.
    let sharesAnswers: Bool
    /// Whether the path exists for this request; otherwise it gets 404.
    private let isThere: @Sendable (IngestHandler, Request) -> Bool
    private let answer: @Sendable (IngestHandler, Request) async throws -> Response

    static let all = [
        Route("events", .post, "/v1/events", for: .write) { handler, request, visitor in
            try await handler.events.respond(to: request, from: visitor)
        },
        Route("validate", .post, "/v1/validate", for: .write) { handler, request, visitor in
            try await handler.events.respond(to: request, from: visitor, keeps: false)
        },
        Route("segment", [.post, .options], SegmentEndpoint.paths) { handler, request in
            try await handler.segment.respond(to: request)
        },
        Route("segment_settings", [.get], ["/v1/projects/{key}/settings"]) { _, request in
            try SegmentSettings.respond(to: request)
        },
        Route("gallery_policy", .get, "/v1/gallery-policy", for: .write, .read) { handler, request, visitor in
            try await handler.gallery.respond(to: request, from: visitor)
        },
        Route("device", .delete, "/v1/device", for: .write) { handler, request, visitor in
            try await handler.erasure.respond(to: request, from: visitor)
        },
        Route("manifests", .post, "/v1/manifests", for: .release) { handler, request, visitor in
            try await handler.manifests.respond(to: request, from: visitor)
        },
        Route("preflight", .post, "/v1/preflight", for: .release, .manage) { handler, request, visitor in
            try await handler.preflight.respond(to: request, from: visitor)
        },
        Route("acknowledgements", .post, "/v1/acknowledgements", for: .manage) { handler, request, visitor in
            try await handler.acknowledgements.respond(to: request, from: visitor)
        },
        Route("documents", [.get], ServedDocument.paths, sharesAnswers: true) { _, request in
            try ServedDocument.respond(to: request)
        },
        Route("reports", .get, "/v1/reports", for: .read, .manage) { handler, request, _ in
            try ReportsEndpoint(reading: handler.reading).list(request)
        },
        Route("reports", .get, "/v1/reports/{name}", for: .read, .manage) { handler, request, visitor in
            try await ReportsEndpoint(reading: handler.reading)
                .respond(to: request, name: request.lastPathSegment, from: visitor)
        },
        // For people who type the host alone.
        Route("console", [.get], ["/"], where: { handler, _ in handler.console.isOn }) { _, _ in
            Response(status: .seeOther, headers: [.location: Link.Place.overview.rawValue])
        },
        Route(
            "console", [.get], ConsoleEndpoint.shown.map(\.rawValue), where: { handler, _ in handler.console.isOn }
        ) {
            handler, request in
            try await handler.console.show(Link.Place(rawValue: request.path) ?? .overview, request)
        },
        Route("console", [.get, .post], ["/console/device"], where: { handler, _ in handler.console.isOn }) {
            handler, request in try await handler.console.device(request)
        },
        Route("console", [.post], [Link.Place.preview.rawValue], where: { handler, _ in handler.console.isOn }) {
            handler, request in try await handler.console.preview(request)
        },
        Route("console", [.post], [Link.Place.act.rawValue], where: { handler, _ in handler.console.isOn }) {
            handler, request in try await handler.console.act(request)
        },
        Route("console", [.get], ["/console/report/{name}"], where: { handler, _ in handler.console.isOn }) {
            handler, request in try await handler.console.report(request)
        },
        Route("console", [.get, .post], ["/console/login"], where: { handler, _ in handler.console.isOn }) {
            handler, request in try await handler.console.login(request)
        },
        Route("console", [.post], ["/console/logout"], where: { handler, _ in handler.console.isOn }) {
            handler, request in try await handler.console.logout(request)
        },
        Route(
            "console", [.get], ["/console/style.css"], sharesAnswers: true,
            where: { handler, _ in handler.console.isOn }
        ) { handler, _ in handler.console.style() },
        Route(
            "console", [.get], ["/console/hover.js"], sharesAnswers: true,
            where: { handler, _ in handler.console.isOn }
        ) { handler, _ in handler.console.script() },
        // Some load balancers send HEAD.
        Route("livez", [.get, .head], ["/livez", "/healthz"]) { handler, _ in handler.health.live() },
        Route("readyz", [.get, .head], ["/readyz"]) { handler, _ in try await handler.health.ready() },
        Route(
            "metrics", [.get], ["/metrics"],
            where: { handler, request in handler.scrape.admits(request, from: request.peer) }
        ) { handler, _ in await handler.scrape.respond() },
    ]

    /// The API's paths with their methods, without Segment's.
    static let contract = all.filter { $0.paths[0].hasPrefix("/v1/") && !$0.name.hasPrefix("segment") }.flatMap {
        route in
        route.paths.map { "`\(route.allowed.joined(separator: ", ")) \($0)`" }
    }

    /// The names in metrics and logs; several routes can share one.
    static let names: [String] = all.map(\.name).reduce(into: []) { names, name in
        if !names.contains(name) { names.append(name) }
    }

    /// The name in metrics and logs for unknown paths: clients can't add names.
    static let other = "other"

    private static let byPath = Dictionary(
        uniqueKeysWithValues: all.flatMap { route in route.paths.map { ($0, route) } })
    private static let templates = byPath.keys.filter { $0.contains("{") }.map { $0.split(separator: "/") }

    /// Whether the server answers it even when memory is short: operators need these, and the responses are small.
    var isForOperators: Bool { ["livez", "readyz", "metrics"].contains(name) }

    /// The methods, for `Allow`.
    var allowed: [String] { methods.map(\.rawValue) }

    /// Nil for an unknown path.
    init?(path: String) {
        guard let route = Route.byPath[path] ?? Route.template(of: path).flatMap({ Route.byPath[$0] }) else {
            return nil
        }
        self = route
    }

    /// The path as in ``all``, in place of one that can hold a key or a name.
    func template(of path: String) -> String { paths.first { $0 == path || $0.contains("{") } ?? name }

    private static func template(of path: String) -> String? {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return templates.first { template in
            template.count == segments.count
                && zip(template, segments).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
        }.map { "/" + $0.joined(separator: "/") }
    }

    /// A route without a check of the key.
    private init(
        _ name: String, _ methods: [HTTPRequest.Method], _ paths: [String], roles: [Key.Role] = [],
        sharesAnswers: Bool = false,
        where isThere: @escaping @Sendable (IngestHandler, Request) -> Bool = { _, _ in true },
        answer: @escaping @Sendable (IngestHandler, Request) async throws -> Response
    ) {
        self.name = name
        self.paths = paths
        self.methods = methods
        self.roles = roles
        self.sharesAnswers = sharesAnswers
        self.isThere = isThere
        self.answer = answer
    }

    /// A route that requires a key with one of the roles.
    private init(
        _ name: String, _ method: HTTPRequest.Method, _ path: String, for roles: Key.Role...,
        answer: @escaping @Sendable (IngestHandler, Request, Visitor) async throws -> Response
    ) {
        self.init(name, [method], [path], roles: roles) { handler, request in
            let visitor = try await handler.authenticator.require(roles, of: request, noting: request.caller)
            return try await answer(handler, request, visitor)
        }
    }

    func respond(at handler: IngestHandler, to request: Request) async throws -> Response {
        guard isThere(handler, request) else { throw Problem.notFound }
        guard methods.contains(request.method) else {
            throw Problem.methodNotAllowed(allowed.joined(separator: ", "))
        }
        return try await answer(handler, request)
    }
}

extension Request {
    /// The value of `{name}` in the route's path.
    var lastPathSegment: String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }
}
