internal import CensusCore
internal import CensusStore
internal import Spool

/// What a spool's folder contains, as seen by another process: its owner may be at work there.
struct SpoolReading {
    var folder: String
    /// The size of the spool's own files.
    var bytes: Int
    var limit: Int
    /// Damaged files that a person should look at.
    var putAside: Int

    /// A segment that has not drained yet, and its log.
    private static let empty = 8 << 20

    init(_ settings: SpoolSettings) {
        folder = settings.folder
        limit = settings.limit
        bytes = SpoolFolder.bytes(in: settings.folder)
        putAside = SpoolFolder.damagedFiles(in: settings.folder)
    }

    var words: String {
        "\(bytes.inMebibytes) of \(limit.inMebibytes) in \(folder)"
            + (putAside > 0 ? "; \(putAside.counted("damaged file")) put aside" : "")
    }

    var concerns: [Concern] {
        var concerns: [Concern] = []
        if bytes > SpoolReading.empty {
            concerns.append(
                Concern(
                    .spool, "\(bytes.inMebibytes) wait in the spool: PostgreSQL was away or `serve` isn't running here",
                    command: "widget-census serve"))
        }
        if putAside > 0 {
            concerns.append(
                Concern(
                    .spool,
                    "\(putAside.counted("damaged file")) of the spool were put aside: docs/runbook.md says what to do",
                    command: "ls -l \(folder)"))
        }
        return concerns
    }
}

extension Int {
    fileprivate var inMebibytes: String { "\((self + (1 << 20) - 1) >> 20) MiB" }
}
