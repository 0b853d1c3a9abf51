internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore
internal import Pages

/// An error response: `{"code", "message", "pointer"}`, as in the contract.
struct Problem: Error, Sendable {
    var status: HTTPResponse.Status
    /// Stable code on the wire.
    var code: String
    /// Says what is wrong and what to do; never quotes the sender's data. Responses to GET and to POST share these texts.
    var message: String
    /// RFC 6901: the place in the body; empty for the whole body.
    var pointer: String
    var headers: Headers
    /// The refused events of a decoded batch.
    var refused: [RefusedEvent]
    /// The warnings about a decoded batch.
    var warnings: [BatchWarning] = []
    /// Everything that is wrong with a manifest.
    var problems: [ManifestProblem]
    /// Everything that is wrong with an envelope, if that is more than one field.
    var mistakes: [EnvelopeError] = []
    /// The console shows this instead of the message.
    var page: Page?

    init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, pointer: String = "",
        headers: Headers = [:], refused: [RefusedEvent] = [], problems: [ManifestProblem] = []
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.pointer = pointer
        self.headers = headers
        self.refused = refused
        self.problems = problems
    }

    init(_ error: EnvelopeError) {
        let status: HTTPResponse.Status =
            switch error.verdict {
            case .malformed: .badRequest
            case .tooLarge: .contentTooLarge
            case .unusable: .unprocessableContent
            }
        self.init(status, error.code, error.message, pointer: error.pointer)
        if error.all.count > 1 { mistakes = error.all }
    }

    init(_ error: StoreError) {
        switch error.fault {
        case .data:
            // The server should have refused it before. The log says why.
            self = .unstorable
        case .request, .ours, .away, .setUp:
            self = .away
        }
    }

    init(_ fault: ParseFault) {
        switch fault {
        case .headTooLarge:
            self.init(
                .requestHeaderFieldsTooLarge, "head_too_large",
                "the request line and headers exceed 16 KiB or 100 fields; send fewer or shorter headers")
        case .notHTTP:
            self.init(
                .badRequest, "broken_request",
                "this is not an HTTP/1.1 request; check the client, and any proxy in between")
        }
    }

    static let notJSON = Problem(
        .unsupportedMediaType, "wrong_content_type", "Content-Type must be application/json")

    static let unstorable = Problem(
        .unprocessableContent, "unstorable",
        "the store rejected this data, which the server should have noticed; retrying won't help, so tell the operator")

    /// 503, never 4xx, for anything temporary: some clients drop their events on any 4xx.
    static let away = Problem(
        .serviceUnavailable, "store_away", "the store is unavailable or too slow; nothing was acknowledged, so retry",
        headers: [.retryAfter: "5"])

    /// For `/readyz`, while the server accepts no batches.
    static let spoolFull = Problem(
        .serviceUnavailable, "store_away",
        "the store is unavailable, and the spool is full or its disk is, so batches get 503",
        headers: [.retryAfter: "5"])

    static let busy = Problem(
        .serviceUnavailable, "queue_full",
        "too many requests are waiting for the store; nothing was accepted, so retry",
        headers: [.retryAfter: "2"])

    static let noRoom = Problem(
        .serviceUnavailable, "overloaded",
        "the server has no room for more requests; nothing was accepted, so retry",
        headers: [.retryAfter: "2"])

    static func rateLimited(_ seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "rate_limited",
            "this key exceeds its rate limit; nothing was accepted, so retry after the seconds in Retry-After",
            headers: [.retryAfter: String(seconds)])
    }

    /// The codes of requests that were turned away for lack of room, a turn or rate.
    static let refusals: Set<String> = [busy.code, noRoom.code, readersWait.code, rateLimited(1).code]

    static let notFound = Problem(
        .notFound, "not_found",
        "unknown path; the API is \(Route.contract.joined(separator: ", ")), and `/contract.md` describes it")

    static func methodNotAllowed(_ allowed: String) -> Problem {
        Problem(
            .methodNotAllowed, "method_not_allowed", "this path accepts only \(allowed)", headers: [.allow: allowed])
    }

    var response: Response {
        var json = JSONObject()
        json.add("code", code)
        json.add("message", message)
        json.add("pointer", pointer)
        if !refused.isEmpty { json.add("rejected", refused) }
        if !warnings.isEmpty { json.add("warnings", warnings) }
        if !problems.isEmpty { json.add("problems", problems.map { ($0.pointer, $0.message) }) }
        if !mistakes.isEmpty { json.add("problems", mistakes.map { ($0.pointer, $0.message) }) }
        var headers = headers
        headers[.contentType] = "application/json"
        return Response(status: status, headers: headers, body: json.buffer)
    }
}

extension Problem {
    /// Every code on the wire. Metrics count a code that is missing here as "other".
    static let codes = [
        "other", "all_refused", "body_cut_short", "body_too_large", "broken_request", "head_too_large",
        "invalid_device", "invalid_envelope", "invalid_form", "invalid_gzip", "invalid_json",
        "invalid_manifest", "invalid_query", "loss_too_large", "method_not_allowed", "no_device", "no_events",
        "no_key", "not_acknowledged", "not_found", "other_manifest", "other_site", "overloaded", "queue_full",
        "rate_limited", "readers_wait", "revoked_key", "stale_form", "store_away", "store_unfit", "too_deep",
        "too_many_events", "too_many_rows", "too_slow", "unknown_family", "unknown_finding", "unknown_key",
        "unknown_kind", "unknown_report", "unstorable", "unsupported_encoding", "wrong_app",
        "wrong_content_type", "wrong_release", "wrong_role", "wrong_schema",
    ]
}
