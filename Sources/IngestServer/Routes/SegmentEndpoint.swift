internal import CensusCore
internal import CensusStore
internal import Foundation
internal import HTTPTypes
internal import NIOCore

/// Segment's HTTP API, for apps that already have a Segment client: docs/guides/segment.md.
///
/// These clients expect exactly 200 for a stored batch, drop a batch only on 400, and retry forever if an error has no `code`
/// and `message`.
struct SegmentEndpoint: Sendable {
    let admission: Admission
    let reader: BodyReader
    let batches: BatchReader
    let committer: BatchCommitter
    let authenticator: Authenticator
    let metrics: IngestMetrics
    let now: @Sendable () -> Timestamp

    /// First the three paths that take batches; the others take one call.
    static let paths =
        ["batch", "b", "import"].map { "/v1/\($0)" }
        + ["track", "identify", "page", "screen", "group", "alias"].flatMap { ["/v1/\($0)", "/v1/\($0.prefix(1))"] }

    /// The limit on the wire for a body that might contain the key. Segment has the same limit.
    private static let mostWithoutKey = 500 << 10

    func respond(to request: Request) async throws -> Response {
        guard request.method != .options else { return SegmentEndpoint.preflight }
        do {
            let refused = try await take(request)
            return Response(
                status: .ok, headers: SegmentEndpoint.open(refused.headers),
                body: ByteBuffer(string: #"{"success":true}"#))
        } catch let problem as Problem {
            throw problem.forSegment
        }
    }

    private func take(_ request: Request) async throws -> SegmentRefusals {
        var visitor: Visitor?
        if let key = Authenticator.segmentKey(of: request) {
            visitor = try await authenticator.visitor(with: key.hash, [.write], noting: request.caller)
        }
        // Some clients send the key only in the body. Until the server has read it, the client's address is charged.
        let sender = visitor?.hash ?? KeyHash(Array("\(request.peer?.ipAddress ?? "")".utf8))
        if visitor == nil { try authenticator.limiter.admit(sender) }
        let reservation = admission.reservation(sender)
        defer { reservation.end() }
        let (kept, refused) = try await read(request, visitor, sender, reservation)
        try reservation.resize(to: kept.reduce(0) { $0 + $1.rows.byteCount })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for batch in kept { group.addTask { try await committer.commit(batch) } }
            try await group.waitForAll()
        }
        return refused
    }

    /// A separate function, so that the body is freed before the commits, which can take long.
    private func read(
        _ request: Request, _ visitor: Visitor?, _ sender: KeyHash,
        _ reservation: Admission.Reservation
    ) async throws -> (kept: [ReadBatch], refused: SegmentRefusals) {
        var (reader, batches) = (reader, batches)
        if visitor == nil {
            reader.limits.bodyBytes = SegmentEndpoint.mostWithoutKey
            batches.limits.inflatedBytes = 4 * SegmentEndpoint.mostWithoutKey
        }
        let body = try await reader.read(request, reservation)
        let received = now()
        return try await batches.open(body, of: sender, reservation) { bytes in
            let sent = try SegmentBatch.read(bytes)
            let visitor = try await owner(of: sent, visitor, noting: request.caller)
            return try await decode(sent, visitor, received)
        }
    }

    private func owner(of batch: SegmentBatch, _ known: Visitor?, noting caller: Caller) async throws -> Visitor {
        if let known { return known }
        guard let key = batch.writeKey else {
            throw Problem(
                .unauthorized, "no_key",
                "the request has no key; send it as the user of Authorization: Basic, or as `writeKey` in the body",
                headers: [.wwwAuthenticate: "Basic"])
        }
        return try await authenticator.visitor(with: Key(text: key).hash, [.write], noting: caller)
    }

    /// Decodes the calls one context at a time. An unreadable call must not fail the others, because the client would drop them
    /// all. It is stored as refused, and the response's headers report it.
    ///
    /// - Throws: ``Problem``, if no call about widgets could be read.
    private func decode(
        _ sent: SegmentBatch, _ visitor: Visitor, _ received: Timestamp
    ) async throws -> (kept: [ReadBatch], refused: SegmentRefusals) {
        let appID = visitor.key.appID
        var (bodies, faults) = sent.bodies(appID: appID, received: received, limit: batches.limits.eventsPerBatch)
        var read: [ReadBatch] = []
        var taken = 0
        for body in bodies {
            do {
                read.append(
                    try await batches.decode(body.bytes, visitor, received, true, translate: body.translate))
                taken += body.calls
            } catch let problem as Problem where problem.status == .badRequest {
                faults.append(body.fault(problem.message, code: problem.code, at: problem.pointer))
            }
        }
        faults.sort { $0.positions.lexicographicallyPrecedes($1.positions) }
        let unreadable = faults.reduce(0) { $0 + $1.positions.count }
        metrics.countSegment(taken: taken, unreadable: unreadable, ignored: sent.count - taken - unreadable)
        if read.isEmpty, let fault = faults.first { throw Problem(fault.error) }
        let first = faults.first.map { "\($0.error.message), at \($0.error.pointer)" }
        let refused = SegmentRefusals(
            count: unreadable + read.reduce(0) { $0 + $1.refused.count },
            first: first ?? read.lazy.compactMap(\.refused.first?.refusal.message).first ?? "")
        for fault in faults {
            for batch in sent.refused(fault, appID: appID) { read.append(batches.refused(batch, visitor, received)) }
        }
        return (read, refused)
    }

    // MARK: Browsers

    private static let preflight = Response(
        status: .noContent,
        headers: open([
            .accessControlAllowMethods: "GET, POST",
            .accessControlAllowHeaders: "authorization, content-type, x-retry-count",
            .accessControlMaxAge: "7200",
        ]))

    /// Any web page may send, because a write key is public anyway.
    static func open(_ headers: Headers) -> Headers {
        var headers = headers
        headers[.accessControlAllowOrigin] = "*"
        return headers
    }
}

/// The refused calls of a request that got 200.
struct SegmentRefusals: Sendable {
    var count: Int
    /// The message about the first one.
    var first: String

    fileprivate var headers: Headers {
        var headers: Headers = [.contentType: "application/json"]
        guard count > 0 else { return headers }
        headers[.censusRefused] = "\(count)"
        headers[.censusRefusedFirst] = first.unicodeScalars.reduce(into: "") { text, scalar in
            text.unicodeScalars.append((0x20...0x7E).contains(scalar.value) ? scalar : "?")
        }
        headers[.accessControlExposeHeaders] = "Census-Refused, Census-Refused-First"
        return headers
    }
}

extension SegmentBatch {
    fileprivate static func read(_ bytes: [UInt8]) throws -> SegmentBatch {
        do throws(EnvelopeError) {
            return try SegmentBatch(bytes)
        } catch {
            throw Problem(error)
        }
    }
}

extension Authenticator {
    /// The key in `Bearer`, or in the user name of `Basic` (RFC 7617).
    fileprivate static func segmentKey(of request: Request) -> Key? {
        guard let header = request.headers[.authorization] else { return nil }
        if let key = bearer(header) { return key }
        let parts = header.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1]))
        else { return nil }
        let user = data.prefix { $0 != UInt8(ascii: ":") }
        return user.isEmpty ? nil : Key(text: String(decoding: user, as: UTF8.self))
    }
}

extension Problem {
    /// The same problem with a status that Segment's clients handle correctly: they drop a batch only on 400, and some retry a
    /// 413 forever.
    fileprivate var forSegment: Problem {
        var problem = self
        let dropped: Set<HTTPResponse.Status> = [.contentTooLarge, .unsupportedMediaType, .unprocessableContent]
        if dropped.contains(status) { problem.status = .badRequest }
        problem.headers = SegmentEndpoint.open(headers)
        return problem
    }
}

/// `GET /v1/projects/{key}/settings`: tells Segment's mobile clients where to send. Without a response they fall back to the
/// vendor's host, so the server answers from memory for every well-formed write key.
enum SegmentSettings {
    private static let notAKey = Problem(
        .notFound, Problem.notFound.code,
        "the path has no valid write key after `/v1/projects/`; use the whole key that `widget-census keys add` printed"
    )

    static func respond(to request: Request) throws -> Response {
        let segments = request.path.split(separator: "/")
        guard segments.count == 4, Key.couldBe(String(segments[2])) else { throw notAKey }
        var segment = JSONObject()
        segment.add("apiKey", String(segments[2]))
        if let host = request.authority, host.isHostAndPort { segment.add("apiHost", "\(host)/v1") }
        var retries = JSONObject()
        for name in ["rateLimitConfig", "backoffConfig"] as [StaticString] {
            var isOn = JSONObject()
            isOn.add("enabled", true)
            retries.add(name, isOn)
        }
        segment.add("httpConfig", retries)
        var integrations = JSONObject()
        integrations.add("Segment.io", segment)
        var settings = JSONObject()
        settings.add("integrations", integrations)
        return Response(
            status: .ok,
            headers: SegmentEndpoint.open([.contentType: "application/json", .cacheControl: "private, max-age=300"]),
            body: settings.buffer)
    }
}

extension String {
    /// Whether it has only the characters of a host and a port. Clients put it into a URL.
    fileprivate var isHostAndPort: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
                    UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }
}
