internal import CensusCore
internal import CensusStore
internal import Foundation
internal import HTTPTypes
internal import NIOCore

/// Segment's HTTP API, for apps that already have one of its clients: docs/guides/segment.md.
///
/// Its clients want exactly 200 for what is stored, drop a batch only on 400, and retry forever what has no `code` and `message`.
struct SegmentEndpoint: Sendable {
    let admission: Admission
    let reader: BodyReader
    let batches: BatchReader
    let committer: BatchCommitter
    let authenticator: Authenticator
    let metrics: IngestMetrics
    let now: @Sendable () -> Timestamp

    /// The two batch paths first; the others take one call.
    static let paths =
        ["batch", "b", "import"].map { "/v1/\($0)" }
        + ["track", "identify", "page", "screen", "group", "alias"].flatMap { ["/v1/\($0)", "/v1/\($0.prefix(1))"] }

    /// The limit for a body that may contain the key, on the wire: Segment takes no larger ones.
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
        // Some clients send the key in the body alone: until it is read the address pays.
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

    /// A function of its own, so that the body is freed before the commits, which may take long.
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
                .unauthorized, "no_key", "send your key as the user of Authorization: Basic, or as `writeKey`",
                headers: [.wwwAuthenticate: "Basic"])
        }
        return try await authenticator.visitor(with: Key(text: key).hash, [.write], noting: caller)
    }

    /// A call that can't be read must not drag down its neighbours: the client would drop them all. It is kept as refused, and the answer's
    /// headers tell of it.
    ///
    /// - Throws: ``Problem``, if nothing about widgets could be read.
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

    /// Any page may send: a key that may write is public.
    static func open(_ headers: Headers) -> Headers {
        var headers = headers
        headers[.accessControlAllowOrigin] = "*"
        return headers
    }
}

/// What was not kept of a request that got 200.
struct SegmentRefusals: Sendable {
    var count: Int
    /// What is wrong with the first.
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
    /// The key in the user of `Basic` (RFC 7617), or in `Bearer`; nil where there is none.
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
    /// With the statuses on which Segment's clients do the right thing: they drop a batch on 400 alone, and some keep what got
    /// 413 for ever.
    fileprivate var forSegment: Problem {
        var problem = self
        let dropped: Set<HTTPResponse.Status> = [.contentTooLarge, .unsupportedMediaType, .unprocessableContent]
        if dropped.contains(status) { problem.status = .badRequest }
        problem.headers = SegmentEndpoint.open(headers)
        return problem
    }
}

/// `GET /v1/projects/{key}/settings`: where Segment's mobile clients learn where to send. Without it they fall back to the vendor's own
/// host; so it is answered from memory for every key that could be one.
enum SegmentSettings {
    private static let notAKey = Problem(
        .notFound, Problem.notFound.code,
        "what stands between `/v1/projects/` and `/settings` is no write key: take all of what `widget-census keys add` printed"
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
    /// Clients put it into a URL: only characters that a host and a port are made of.
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
