package import CensusStore
internal import CensusCore

/// The state of the service, as far as the reader may see it: what needs attention, then the rest.
package struct StatusPage: Sendable {
    /// Where the database is.
    package enum Place: Sendable {
        /// The folder of a private PostgreSQL.
        case folder(String)
        case server
    }

    var status: StoreStatus
    /// The program's version.
    var version: String
    var schema: Int
    /// The page's app. Concerns about other apps name them. Nil: all apps are named.
    var app: String?
    /// Nil: the reader may not see it.
    var place: Place?
    var connections: StoreConnections?
    /// Nil if there is no spool.
    var spool: SpoolStatus?

    package init(
        _ status: StoreStatus, version: String, schema: Int, app: String? = nil, place: Place? = nil,
        connections: StoreConnections? = nil, spool: SpoolStatus? = nil
    ) {
        self.status = status
        self.version = version
        self.schema = schema
        self.app = app
        self.place = place
        self.connections = connections
        self.spool = spool
    }

    package var page: Page {
        Page("Status", at: .status) {
            Block.attention(concerns.map { Matter($0, on: app) })
            Block.facts([
                ("version", "\(version), schema \(schema)"), ("database", database),
                ("last night", Phrase(withCode: status.nightInWords)),
                ("reconciled", Phrase(withCode: status.reconciledInWords)),
                ("spool", spool.map { "\($0.words)" }),
            ])
            Block.table(apps)
        }
    }

    /// Most urgent first.
    package var concerns: [Concern] {
        let ofStore = status.concerns
        let more = ofStore.firstIndex { $0.subject > .spool } ?? ofStore.count
        return ofStore[..<more] + (spool?.concerns ?? []) + ofStore[more...]
    }

    private var database: Phrase? {
        guard place != nil || connections != nil else { return nil }
        let use = connections.map { "; \($0.busy) busy and \($0.idle) idle of \($0.maximum.counted("connection"))" }
        return "PostgreSQL \(String(status.postgresVersion.prefix { $0 != " " }))\(form)\(use ?? "")"
    }

    private var form: String {
        if case .folder(let folder) = place { return ", private, in \(folder)" }
        if let cluster = status.distribution {
            return
                ", distributed by Citus over \(cluster.workers.counted("worker")), \(cluster.shards.counted("shard"))"
        }
        return status.isStandby ? ", a server, a standby" : place == nil ? "" : ", a server"
    }

    private var apps: Table {
        Table(
            "Reads: today, in the app's time zone. Refused: today and yesterday, in UTC.", status.apps,
            [
                .words("app_id") { "\(name: $0.id)" }, .text("last_event") { $0.lastEvent(at: status.askedAt) },
                .time("closed_through", \.lastClosed), .number("devices_active", \.devicesActive),
                .number("reads_today", \.reads), .number("failed_today", \.readsFailed),
                .number("refused", \.eventsRefused),
            ],
            whenEmpty: "No app yet: add one with \(code: "widget-census apps add APP_ID")")
    }
}

/// The contents of a spool's folder.
package struct SpoolStatus: Sendable, Encodable {
    var folder: String
    /// Batches that wait or were set aside. Only the process that has the spool open can tell them apart.
    var batches: Int
    /// The size of the spool's own files.
    var bytes: Int
    var limit: Int
    /// Damaged files that need a person's attention.
    var filesPutAside: Int

    package init(folder: String, batches: Int, bytes: Int, limit: Int, filesPutAside: Int) {
        self.folder = folder
        self.batches = batches
        self.bytes = bytes
        self.limit = limit
        self.filesPutAside = filesPutAside
    }

    var words: String {
        "\(batches.counted("batch")), \(bytes.inMebibytes) of \(limit.inMebibytes) in \(folder)"
            + (filesPutAside > 0 ? "; \(filesPutAside.counted("damaged file")) put aside" : "")
    }

    var concerns: [Concern] {
        var concerns: [Concern] = []
        if batches > 0 {
            concerns.append(
                Concern(
                    .spool,
                    "\(batches.counted("batch", "is", "are")) in the spool and not counted yet; a running `serve` stores "
                        + "\(batches == 1 ? "it" : "them") unless PostgreSQL is unavailable or rejects "
                        + "\(batches == 1 ? "it" : "them")",
                    command: "widget-census serve"))
        }
        if filesPutAside > 0 {
            concerns.append(
                Concern(
                    .spool,
                    "\(filesPutAside.counted("damaged spool file", "was", "were")) put aside; docs/guides/runbook.md says what to do",
                    command: "ls -l \(folder)"))
        }
        return concerns
    }
}

extension Int {
    fileprivate var inMebibytes: String { "\((self + (1 << 20) - 1) >> 20) MiB" }
}
