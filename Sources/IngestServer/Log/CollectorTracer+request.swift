internal import HTTPTypes
internal import Traces
internal import Tracing

/// What a trace can contain about a request: its method, its route's template and its response's status and code, in the words of
/// OpenTelemetry's conventions for HTTP. Never its path, key, address or body.
extension CollectorTracer {
    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
    ]

    /// - Parameter route: nil for an unknown path.
    func startSpan(from sender: TraceContext, _ request: Request, _ route: Route?) -> TraceSpan {
        var context = InstrumentationContext.topLevel
        context.trace = sender
        let isKnown = CollectorTracer.methods.contains(request.method)
        let template = route?.template(of: request.path)
        let method = isKnown ? request.method.rawValue : "HTTP"
        let span = startSpan(template.map { "\(method) \($0)" } ?? method, context: context, ofKind: .server)
        span.attributes["http.request.method"] = isKnown ? method : "_OTHER"
        span.attributes["http.route"] = template
        return span
    }
}

extension TraceSpan {
    /// - Parameter code: the problem's.
    func end(status: Int, code: String?) {
        attributes["http.response.status_code"] = status
        attributes["error.type"] = code
        if status >= 500 { setStatus(SpanStatus(code: .error)) }
        end()
    }
}
