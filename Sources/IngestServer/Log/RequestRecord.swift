internal import Logging

/// What the log may say of one request: words of ours and its id, never its path, key, address or body.
struct RequestRecord: Sendable {
    let id: RequestID
    let route: Route

    /// What failed through no fault of the sender is told as a ``LogSpell``; those that did not fail are counted, not told.
    func log(status: Int, code: String?, took: Duration, to logger: Logger, _ faults: FaultLog) {
        // That the store can't take what the door let in is ours to know, whatever its status.
        if status >= 500 || code == Problem.unstorable.code {
            return faults.failed(code ?? "\(status)", "a request failed", metadata(status, code, took))
        }
        faults.passed()
        // A sender's fault is no news to whoever runs this, and anybody can cause a flood of them.
        guard status >= 400, logger.logLevel <= .debug else { return }
        logger.debug("a request failed", metadata: metadata(status, code, took))
    }

    private func metadata(_ status: Int, _ code: String?, _ took: Duration) -> Logger.Metadata {
        let (seconds, attoseconds) = took.components
        return [
            "request": "\(id)", "route": "\(route.name)", "status": "\(status)", "code": "\(code ?? "")",
            "milliseconds": "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)",
        ]
    }
}
