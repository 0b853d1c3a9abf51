package import Logging
internal import Synchronization

/// Records everything that is logged, at every level, as text.
package final class LogRecords: Sendable {
    private let lines = Mutex<[String]>([])

    package init() {}

    package var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// The latest records that operators should see.
    package var problems: String {
        let levels: [Logger.Level] = [.notice, .warning, .error, .critical]
        return lines.withLock { lines in
            lines.filter { line in levels.contains { line.hasPrefix("\($0) ") } }.suffix(12).joined(separator: "\n")
        }
    }

    package var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(records: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let records: LogRecords
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        init(records: LogRecords) { self.records = records }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let error = event.error.map { " \($0)" } ?? ""
            records.lines.withLock { $0.append("\(event.level) \(event.message) \(all)\(error)") }
        }
    }
}
