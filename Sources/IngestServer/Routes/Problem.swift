internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore
internal import Pages

/// An answer that is not 2xx: `{"code", "message", "pointer"}`, as the contract says.
struct Problem: Error, Sendable {
    var status: HTTPResponse.Status
    /// Stable code on the wire.
    var code: String
    /// A sentence for the sender. It repeats none of the data.
    var message: String
    /// RFC 6901: where in the body; empty for the whole body.
    var pointer: String
    var headers: Headers
    /// The events that were refused, where the batch was read.
    var refused: [RefusedEvent]
    /// The warnings about a batch that was read.
    var warnings: [BatchWarning] = []
    /// Everything that is wrong with a manifest.
    var problems: [ManifestProblem]
    /// What the console shows in place of the message.
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
    }

    init(_ error: StoreError) {
        switch error.fault {
        case .data:
            // The server should have refused it; the log tells the operator.
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
                "the request line and headers have more than 16 KiB or 100 fields: send fewer or shorter headers")
        case .notHTTP:
            self.init(
                .badRequest, "broken_request",
                "this is not an HTTP/1.1 request: check the client, and the proxy if there is one")
        }
    }

    static let notJSON = Problem(
        .unsupportedMediaType, "wrong_content_type", "Content-Type must be application/json")

    static let unstorable = Problem(
        .unprocessableContent, "unstorable", "the batch holds something that cannot be stored")

    /// 503, never 4xx, for anything temporary: some clients drop what they hold on any 4xx.
    static let away = Problem(
        .serviceUnavailable, "store_away", "the store is away or too slow; nothing was acknowledged: send it again",
        headers: [.retryAfter: "5"])

    /// For `/readyz`, while batches are not accepted.
    static let spoolFull = Problem(
        .serviceUnavailable, "store_away", "the store is away, and the spool is full or its disk is: batches get 503",
        headers: [.retryAfter: "5"])

    static let busy = Problem(
        .serviceUnavailable, "queue_full", "too much is waiting to be stored; nothing was accepted: send it again",
        headers: [.retryAfter: "2"])

    static let noRoom = Problem(
        .serviceUnavailable, "overloaded",
        "more is being sent than there is room for; nothing was accepted: send it again",
        headers: [.retryAfter: "2"])

    static func rateLimited(_ seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "rate_limited",
            "this key is used more than it may be; nothing was accepted: send it again after Retry-After seconds",
            headers: [.retryAfter: String(seconds)])
    }

    /// The same for a request that only asked: it sent nothing that could have been accepted.
    func answering(_ method: HTTPRequest.Method) -> Problem {
        guard method == .get || method == .head else { return self }
        var problem = self
        for ending in [
            "; nothing was acknowledged: send it again", "; nothing was accepted: send it again", ": send it again",
        ] {
            problem.message.replace(ending, with: ": ask again")
        }
        return problem
    }

    /// The codes of those who had to do without what others used.
    static let refusals: Set<String> = [busy.code, noRoom.code, readersWait.code, rateLimited(1).code]

    static let notFound = Problem(
        .notFound, "not_found",
        "there is no such path; programs send to \(Route.contract.joined(separator: ", ")); "
            + "`/contract.md` describes them")

    static func methodNotAllowed(_ allowed: String) -> Problem {
        Problem(
            .methodNotAllowed, "method_not_allowed", "this path takes \(allowed)", headers: [.allow: allowed])
    }

    var response: Response {
        var json = JSONObject()
        json.add("code", code)
        json.add("message", message)
        json.add("pointer", pointer)
        if !refused.isEmpty { json.add("rejected", refused) }
        if !warnings.isEmpty { json.add("warnings", warnings) }
        if !problems.isEmpty { json.add("problems", problems) }
        var headers = headers
        headers[.contentType] = "application/json"
        return Response(status: status, headers: headers, body: json.buffer)
    }
}

extension Problem {
    /// Every code on the wire; one that is missing here is counted as "other".
    static let codes = [
        "other", "all_refused", "body_cut_short", "body_too_large", "broken_request", "head_too_large",
        "invalid_device", "invalid_envelope", "invalid_form", "invalid_gzip", "invalid_json", "invalid_manifest",
        "invalid_query", "method_not_allowed", "no_device", "no_events", "no_key", "not_found", "other_manifest",
        "other_site", "overloaded", "queue_full", "rate_limited", "readers_wait", "revoked_key", "store_away",
        "store_unfit", "too_deep", "too_many_events", "too_many_rows", "too_slow", "unknown_key", "unknown_report",
        "unstorable", "unsupported_encoding", "wrong_app", "wrong_content_type", "wrong_role", "wrong_schema",
    ]
}
