internal import CLibPQ
internal import Logging

/// Passes the server's notices to a log: their code and severity, not their text, which may quote data.
final class NoticeLog: Sendable {
    private let logger: Logger

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
        logger.debug(
            "postgres notice",
            metadata: ["severity": "\(report.severity ?? "")", "sqlstate": "\(report.state?.rawValue ?? "")"])
    }
}
