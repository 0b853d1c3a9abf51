internal import CLibPQ
internal import Logging
internal import Synchronization

/// Passes the server's notices to a log: their code and severity, not their text, which may quote data.
final class NoticeLog: Sendable {
    private let logger: Logger
    private let fatal = Atomic(false)

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
                Unmanaged<NoticeLog>.fromOpaque(log).takeUnretainedValue().receive(ServerReport(result))
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func receive(_ report: ServerReport) {
        if report.severity == "FATAL" || report.severity == "PANIC" { fatal.store(true, ordering: .relaxed) }
        logger.debug(
            "postgres notice",
            metadata: ["severity": "\(report.severity ?? "")", "sqlstate": "\(report.state?.rawValue ?? "")"])
    }
}
