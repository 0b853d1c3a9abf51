internal import Logging

/// What the log may say about a request: our own words and its id, never its path, key, address or body.
struct RequestRecord: Sendable {
    let id: RequestID
    /// ``Route/name``, or ``Route/other``.
    let route: String

    /// Failures that are not the sender's fault are logged as a ``LogSpell``; requests that succeed are counted, not logged.
    func log(status: Int, code: String?, took: Duration, to logger: Logger, _ faults: FaultLog) {
        // A batch that the server let in but the store can't take is our fault, whatever its status.
        if status >= 500 || code == Problem.unstorable.code {
            return faults.failed(code ?? "\(status)", "a request failed", metadata(status, code, took))
        }
        if proves(status) { faults.passed() }
        // A sender's fault is not news to the operator, and anybody can cause a flood of them.
        guard status >= 400, logger.logLevel <= .debug else { return }
        logger.debug("a request failed", metadata: metadata(status, code, took))
    }

    /// Whether it would have failed in an outage: a batch was committed, or the store answered a look at it.
    private func proves(_ status: Int) -> Bool { status < 300 && (route == "events" || route == "readyz") }

    private func metadata(_ status: Int, _ code: String?, _ took: Duration) -> Logger.Metadata {
        let (seconds, attoseconds) = took.components
        return [
            "request": "\(id)", "route": "\(route)", "status": "\(status)", "code": "\(code ?? "")",
            "milliseconds": "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)",
        ]
    }
}
