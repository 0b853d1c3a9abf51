internal import Logging

/// What the log may say of one request: words of ours and its id, never its path, key, address or body.
struct RequestRecord: Sendable {
    let id: RequestID
    let route: Route

    /// One line for a request that failed; those that did not are counted, not told.
    func log(status: Int, code: String?, took: Duration, to logger: Logger) {
        guard status >= 400 else { return }
        let (seconds, attoseconds) = took.components
        // A sender's fault is no news to whoever runs this, and anybody can cause a flood of them.
        logger.log(
            level: status >= 500 ? .error : .debug, "a request failed",
            metadata: [
                "request": "\(id)", "route": "\(route.name)", "status": "\(status)", "code": "\(code ?? "")",
                "milliseconds": "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)",
            ])
    }
}
