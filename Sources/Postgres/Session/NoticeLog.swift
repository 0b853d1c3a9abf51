internal import CLibPQ
internal import Logging
internal import Synchronization

/// Passes the server's notices to a log, each once in the life of the process: a warning at connecting comes with every connection.
///
/// Without a listener libpq prints them on standard error. Only what the server says before the first statement is logged with its
/// text: later ones may quote data.
final class NoticeLog: Sendable {
    /// More different ones are not told apart, nor logged.
    private static let most = 1_000
    /// Hashes of the notices that were logged.
    private static let known = Mutex<Set<Int>>([])

    private let logger: Logger
    private let fatal = Atomic(false)
    private let isConnecting = Atomic(true)

    /// Whether the server has announced that it ends the session. It says so to an idle client too, as a notice.
    var hasGoodbye: Bool { fatal.load(ordering: .relaxed) }

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// - Precondition: this object outlives the connection.
    func listen(to connection: OpaquePointer) {
        PQsetNoticeReceiver(
            connection,
            { log, result in
                guard let log, let result else { return }
                Unmanaged<NoticeLog>.fromOpaque(log).takeUnretainedValue().receive(ServerMessage(result))
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The handshake is done.
    func endConnecting() { isConnecting.store(false, ordering: .relaxed) }

    private func receive(_ report: ServerMessage) {
        let isGoodbye = report.severity == "FATAL" || report.severity == "PANIC"
        if isGoodbye { fatal.store(true, ordering: .relaxed) }
        let level = isGoodbye ? .debug : Logger.Level(severity: report.severity)
        guard level >= logger.logLevel, NoticeLog.isNew(report) else { return }
        var metadata: Logger.Metadata = [
            "severity": "\(report.severity ?? "")", "sqlstate": "\(report.state?.rawValue ?? "")",
        ]
        if isConnecting.load(ordering: .relaxed) {
            metadata["notice"] = "\(report.line)"
            if let hint = report.hint { metadata["hint"] = "\(hint)" }
        } else if let routine = report.routine {
            metadata["routine"] = "\(routine)"
        }
        logger.log(level: level, "postgres notice", metadata: metadata)
    }

    private static func isNew(_ report: ServerMessage) -> Bool {
        var hasher = Hasher()
        hasher.combine(report.severity)
        hasher.combine(report.state?.rawValue)
        hasher.combine(report.message)
        let hash = hasher.finalize()
        return known.withLock { $0.count < most && $0.insert(hash).inserted }
    }
}

extension Logger.Level {
    /// As PostgreSQL ranks its messages to a client. What ends a session is an error of the statement that meets it.
    fileprivate init(severity: String?) {
        self =
            switch severity {
            case "WARNING": .warning
            case "NOTICE": .notice
            case "INFO", "LOG": .info
            default: .debug
            }
    }
}
