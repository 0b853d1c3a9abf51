package import CensusStore
internal import CensusCore

/// How the service itself does: its nights, and its connections to the store.
package struct StatusPage: Sendable {
    package var version: String
    package var schema: Int
    package var nights: [NightOutcome]
    package var connections: StoreConnections

    package init(version: String, schema: Int, nights: [NightOutcome], connections: StoreConnections) {
        self.version = version
        self.schema = schema
        self.nights = nights
        self.connections = connections
    }

    package var page: Page {
        Page(
            title: "Status", place: .status,
            body: """
                <h1>Status</h1>
                <p>Widget Census \(version), schema \(schema). \
                Connections to PostgreSQL: \(connections.busy) busy and \(connections.idle) idle of \
                \(connections.maximum).</p>
                <h2>Nights</h2>
                \(table.html)
                """)
    }

    private var table: Table {
        Table(
            "The last ten nights, the newest first; times are UTC",
            [
                ("Began", false), ("Outcome", false), ("Devices reconciled", true), ("Days closed", true),
                ("Days restated", true),
            ],
            whenEmpty: "No night has run yet: widget-census nightly",
            nights.map { night in
                [
                    .text(night.startedAt.toTheSecond), .markup(outcome(night)), .number(night.devices.grouped),
                    .number(night.daysClosed.grouped), .number(night.daysRestated.grouped),
                ]
            })
    }

    private func outcome(_ night: NightOutcome) -> HTML {
        if let failure = night.failure { return "<span class=\"unmet\">failed:</span> \(failure)" }
        guard let end = night.finishedAt else { return "<span class=\"unmet\">not finished</span>" }
        return
            "<span class=\"met\">done</span> after \(Int((end - night.startedAt).components.seconds).counted("second"))"
    }
}
