internal import Logging
internal import Traces

/// What the log may contain about a request: its id, its trace and its route's name, never its path, key, address or body.
struct RequestRecord: Sendable {
    let id: RequestID
    /// ``Route/name``, or ``Route/other``.
    let route: String
    /// Nil if the request names no trace.
    var trace: TraceContext?

    /// Logs failures that are not the sender's fault as a ``LogSpell``. Successful requests are only counted.
    func log(status: Int, code: String?, took: Duration, to logger: Logger, _ faults: FaultLog) {
        // A batch that the server accepts and the store rejects is an internal error, whatever its status.
        if status >= 500 || code == Problem.unstorable.code {
            return faults.failed(code ?? "\(status)", "a request failed", metadata(status, code, took))
        }
        if proves(status) { faults.passed() }
        // The sender's faults don't interest the operator, and anybody can cause a flood of them.
        guard status >= 400, logger.logLevel <= .debug else { return }
        logger.debug("a request failed", metadata: metadata(status, code, took))
    }

    /// Whether its success shows that there is no outage: a batch was committed, or `/readyz` found the store ready.
    private func proves(_ status: Int) -> Bool { status < 300 && (route == "events" || route == "readyz") }

    private func metadata(_ status: Int, _ code: String?, _ took: Duration) -> Logger.Metadata {
        let (seconds, attoseconds) = took.components
        var metadata: Logger.Metadata = [
            "request": "\(id)", "route": "\(route)", "status": "\(status)", "code": "\(code ?? "")",
            "milliseconds": "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)",
        ]
        if let trace {
            metadata["trace_id"] = "\(trace.trace)"
            metadata["span_id"] = "\(trace.span)"
        }
        return metadata
    }
}
