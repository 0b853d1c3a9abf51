package import CensusStore
internal import CensusCore

/// How the census is doing, as far as the visitor may know.
package struct StatusPage: Sendable {
    package var app: String
    package var version: String
    package var schema: Int
    package var status: StoreStatus
    /// Nil for people who see only one app.
    package var connections: StoreConnections?

    package init(app: String, version: String, schema: Int, status: StoreStatus, connections: StoreConnections?) {
        self.app = app
        self.version = version
        self.schema = schema
        self.status = status
        self.connections = connections
    }

    package var page: Page {
        Page(
            title: "Status", place: .status,
            body: """
                <h1>Status</h1>
                \(Attention(status.concerns).html(app: app))
                <h2>The service</h2>
                \(facts)
                <h2>Apps</h2>
                \(apps.html)
                """)
    }

    private var facts: [HTML] {
        var facts = [
            ("Version", "\(version), schema \(schema)"), ("Last night", status.nightInWords),
            ("Reconciled", status.reconciledInWords),
        ]
        if let connections {
            facts.append(
                (
                    "Database",
                    "PostgreSQL \(status.postgresVersion.prefix { $0 != " " }); \(connections.busy) busy and "
                        + "\(connections.idle) idle of \(connections.maximum) connections"
                ))
        }
        return facts.map { "<p><strong>\($0):</strong> \($1)</p>\n" }
    }

    private var apps: OldTable {
        OldTable(
            "Reads are of the app's today, refusals of today and yesterday in UTC",
            [
                ("App", false), ("Last event", false), ("Closed through", false), ("Active devices", true),
                ("Reads", true), ("Failed", true), ("Refused", true),
            ],
            whenEmpty: "No app yet: widget-census apps add APP_ID",
            status.apps.map { app in
                [
                    .markup(.name(app.id)),
                    .text(app.lastEvent(at: status.askedAt)),
                    .text(app.lastClosed?.spoken ?? "no day"), .number(app.devicesActive?.grouped ?? ""),
                    .number(app.reads.grouped), .number(app.readsFailed.grouped), .number(app.eventsRefused.grouped),
                ]
            })
    }
}
