internal import CLibPQ
internal import Logging
internal import Synchronization

/// Logs the server's notices, each one once per process, because a warning at connecting would repeat for every connection.
///
/// Without a listener, libpq would print them on standard error. Only notices from before the first statement are logged with
/// their text, because later ones can quote data.
final class NoticeLog: Sendable {
    /// After this many different notices, no more are logged.
    private static let most = 1_000
    /// Hashes of the notices that were logged.
    private static let known = Mutex<Set<Int>>([])

    private let logger: Logger
    private let fatal = Atomic(false)
    private let isConnecting = Atomic(true)

    /// Whether the server has announced that it ends the session. It tells an idle client, too, with a notice.
    var hasGoodbye: Bool { fatal.load(ordering: .relaxed) }

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// - Precondition: this object must outlive the connection.
    func listen(to connection: OpaquePointer) {
        PQsetNoticeReceiver(
            connection,
            { log, result in
                guard let log, let result else { return }
                Unmanaged<NoticeLog>.fromOpaque(log).takeUnretainedValue().receive(ServerMessage(result))
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Call it after the handshake.
    func endConnecting() { isConnecting.store(false, ordering: .relaxed) }

    private func receive(_ report: ServerMessage) {
        let isGoodbye = report.severity == "FATAL" || report.severity == "PANIC"
        if isGoodbye { fatal.store(true, ordering: .relaxed) }
        // 55P03: `skip_locked` skipped a table, as it was told to.
        let isExpected = isGoodbye || report.state == .lockNotAvailable
        let level = isExpected ? .debug : Logger.Level(severity: report.severity)
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
    /// The level for a severity of PostgreSQL's messages to clients. Those that end a session become errors of a statement, so
    /// their level is low.
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
