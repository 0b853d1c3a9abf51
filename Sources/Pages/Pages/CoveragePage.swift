package import CensusCore
package import CensusStore

/// How much of the base is known, and what was refused.
package struct CoveragePage: Sendable {
    package var app: String
    package var days: [CoverageDay]
    package var refusals: [RefusalCount]
    package var first: Day
    package var last: Day
    /// The share that a verdict requires, 0...1.
    package var limit: Double

    package init(
        app: String, days: [CoverageDay], refusals: [RefusalCount], first: Day, last: Day, limit: Double
    ) {
        self.app = app
        self.days = days
        self.refusals = refusals
        self.first = first
        self.last = last
        self.limit = limit
    }

    package var page: Page {
        Page(
            title: "Coverage and refusals of \(app)", place: .coverage,
            body: """
                <h1>Coverage and refusals</h1>
                \(coverage)
                <h2>Reads that failed</h2>
                \(reads)
                <h2>Refused events since \(first.spoken)</h2>
                \(refused)
                """)
    }

    private var coverage: HTML {
        guard let latest = days.last else { return "<p class=\"soft\">No day is closed yet.</p>" }
        let finding: HTML =
            latest.share.map { share in
                "\(share.asPercentage) of \(latest.active.counted("active device")) reported within the window on \(latest.day.spokenShortly); a verdict takes \(limit.asPercentage)"
            } ?? "No device was active on \(latest.day.spokenShortly)"
        let query = ReportQuery(report: "coverage", app: app, since: first)
        let shares = Dictionary(days.compactMap { day in day.share.map { (day.day, $0) } }) { one, _ in one }
        return OldFigure(
            finding: finding,
            chart: ShareChart(
                first: first, last: last, shares: shares, limit: limit,
                label: "Share of the active devices that reported within the window"
            ).html,
            table: OldTable(
                "Devices by day, the newest first",
                [
                    ("Day", false), ("Active", true), ("Reporting", true), ("Share", true), ("Cloned", true),
                    ("Policy applied", true),
                ],
                whenEmpty: "No day is closed yet.",
                days.reversed().map { day in
                    [
                        .text(day.day.description), .number(day.active.grouped), .number(day.reporting.grouped),
                        .number(day.share?.asPercentage ?? "-"), .number(day.cloned.grouped),
                        .number(day.policyApplied?.grouped ?? "-"),
                    ]
                }),
            csv: query.csv,
            sql: query.sql(
                "day, devices_active, devices_reporting, share_reporting, reads, reads_failed", order: "day")
        ).html
    }

    private var reads: HTML {
        guard let latest = days.last(where: { $0.reads > 0 }), let share = latest.failedShare else {
            return "<p class=\"soft\">No list was read on these days.</p>"
        }
        let query = ReportQuery(report: "coverage", app: app, since: first)
        let shares = Dictionary(days.compactMap { day in day.failedShare.map { (day.day, $0) } }) { one, _ in one }
        return OldFigure(
            finding:
                "\(share.asPercentage) of \(latest.reads.counted("read")) failed on \(latest.day.spokenShortly); a failed read changes nothing",
            chart: ShareChart(
                first: first, last: last, shares: shares, limit: nil, top: ShareChart.top(shares.values),
                label: "Share of the reads that failed"
            ).html,
            table: OldTable(
                "Reads by day, the newest first", [("Day", false), ("Reads", true), ("Failed", true), ("Share", true)],
                whenEmpty: "No list was read.",
                days.reversed().map { day in
                    [
                        .text(day.day.description), .number(day.reads.grouped), .number(day.readsFailed.grouped),
                        .number(day.failedShare?.asPercentage ?? "-"),
                    ]
                }),
            csv: query.csv, sql: query.sql("day, reads, reads_failed", order: "day")
        ).html
    }

    private var refused: HTML {
        let query = ReportQuery(report: "refused", app: app, since: first)
        return OldTable(
            "By reason, the most first; batches that were refused as a whole are only in /metrics",
            [("Reason", false), ("Events", true), ("Last", false), ("What a sender was told", false)],
            whenEmpty: "No event was refused in these days.",
            refusals.map { [.text($0.code), .number($0.events.grouped), .text($0.lastDay.spoken), .text($0.example)] }
        ).html
            + OldFigure.sources(csv: query.csv, sql: query.sql("day, code, events, example", order: "day, events desc"))
    }
}
