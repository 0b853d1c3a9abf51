internal import CensusCore
internal import CensusStore
internal import Pages

/// How the census is doing: what needs attention first, then the rest.
struct StatusPage {
    enum Place {
        case ownFolder(String)
        case server
    }

    var status: StoreStatus
    var place: Place
    /// Nil if none is set.
    var spool: SpoolReading?
    /// The app that was asked for; nil: all.
    var app: String?

    /// The most urgent first.
    var concerns: [Concern] {
        let ofStore = status.concerns
        let more = ofStore.firstIndex { $0.subject > .spool } ?? ofStore.count
        return ofStore[..<more] + (spool?.concerns ?? []) + ofStore[more...]
    }

    func text(colours: Bool, width: Int) -> String {
        let paragraphs = [attention(colours), whole, apps(width, colours)]
        return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func attention(_ colours: Bool) -> String {
        guard !concerns.isEmpty else {
            let words = "Nothing needs attention."
            return (colours ? Colour.green.paint(words) : words) + "\n"
        }
        let words = concerns.count == 1 ? "1 thing needs attention:" : "\(concerns.count) things need attention:"
        let lines = concerns.map { concern in
            let sentence = [concern.appID, concern.sentence].compactMap { $0 }.joined(separator: ": ")
            return "  " + sentence.printable.wrapped(to: 76, indent: "  ")
                + "\n      \(concern.command.description.printable)"
        }
        return ([colours ? Colour.red.paint(words) : words] + lines).joined(separator: "\n") + "\n"
    }

    private var whole: String {
        let lines = [
            ("version", "\(WidgetCensus.version), schema \(Migrator.currentVersion)"), ("database", database),
            ("last night", status.nightInWords), ("reconciled", status.reconciledInWords), ("spool", spool?.words),
        ]
        return lines.map { name, value in
            value.map {
                "\(name.padded(12))\($0.printable.wrapped(to: 66, indent: String(repeating: " ", count: 12)))\n"
            }
                ?? ""
        }.joined()
    }

    private var database: String {
        let form =
            switch place {
            case .ownFolder(let folder): "private, in \(folder)"
            case .server: server
            }
        return "PostgreSQL \(status.postgresVersion.prefix { $0 != " " }), \(form)"
    }

    private var server: String {
        if let cluster = status.distribution {
            return
                "distributed by Citus over \(cluster.workers) worker\(cluster.workers == 1 ? "" : "s"), \(cluster.shards) shards"
        }
        return "a server" + (status.isStandby ? ", a standby" : "")
    }

    private func apps(_ width: Int, _ colours: Bool) -> String {
        guard !status.apps.isEmpty else {
            return "No app yet: add one with `widget-census apps add APP_ID`\n"
        }
        let table = ReportTable(
            status.apps,
            [
                .text("app_id", \.id),
                .text("last_event") { $0.lastEvent(at: status.askedAt) },
                .text("closed_through") { $0.lastClosed?.description }, .number("devices_active", \.devicesActive),
                .number("reads_today", \.reads), .number("failed_today", \.readsFailed),
                .number("refused", \.eventsRefused),
            ])
        return TablePrinter(table, width: width, colours: colours).text
    }
}
