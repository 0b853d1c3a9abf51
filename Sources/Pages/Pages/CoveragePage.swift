internal import CensusCore
package import CensusStore

/// How many devices have a known state, and which events were refused.
package struct CoveragePage: Sendable {
    var app: String
    var days: [CoverageDay]
    var refusals: [RefusalCount]
    var period: Period
    /// The share that a verdict needs, 0...1.
    var limit: Double

    package static func read(
        _ app: App, _ period: Period, in store: Store
    ) async throws(StoreError) -> CoveragePage {
        // The last days go on until now.
        let end = period.span == nil ? period.last : nil
        return CoveragePage(
            app: app.id,
            days: try await store.console.coverage(app: app, since: period.first, until: period.last),
            refusals: try await store.console.refusals(app: app, since: period.first, until: end), period: period,
            limit: app.readiness.coverage)
    }

    /// Where charts begin.
    private var first: Day { days.first?.day ?? period.first }
    private var last: Day { period.last }

    package var page: Page {
        Page("Coverage and refusals", of: app, at: .coverage) {
            let link = Link(.coverage).with("app", app)
            Block.choices(period.choices { $0.on(link) }, label: nil)
            Block.filters(Filters(link: period.on(link), fields: period.fields))
            if let coverage { Block.chart(coverage) } else { Block.paragraph("No day is closed yet.", style: .soft) }
            Block.heading("Reads that failed")
            if let reads {
                Block.chart(reads)
            } else {
                Block.paragraph("No reads in these days.", style: .soft)
            }
            Block.heading(
                period.span == nil
                    ? "Refused events from \(period.first) to \(last)" : "Refused events since \(period.first)")
            Block.table(refused)
            Block.sources(Sources(query("refused"), "day, code, events, example", order: "day, events desc"))
        }
    }

    private func query(_ report: String) -> ReportQuery {
        ReportQuery(report: report, app: app, since: period.first, until: period.span == nil ? period.last : nil)
    }

    private var coverage: Figure? {
        guard let latest = days.last else { return nil }
        let table = Table(
            "Devices by day, newest first", days.reversed(),
            [
                .time("day", \.day).from("day"), .number("active", \.active).from("devices_active"),
                .number("reporting", \.reporting).from("devices_reporting"),
                .share("share", \.share).from("share_reporting"), .number("cloned", \.cloned).from("devices_cloned"),
                .number("policy_applied", \.policyApplied).from("policy_applied"),
            ])
        let finding: Phrase? = latest.share.map { share in
            """
            \(share.asPercentage(beside: limit)) of \(latest.active, "active device") reported within the window on \
            \(latest.day.spokenShortly); a verdict needs \(share: limit)
            """
        }
        return Figure(
            finding: finding ?? "No device was active on \(latest.day.spokenShortly)",
            drawing: ShareChart(
                first: first, last: last, shares: shares(\.share), limit: limit,
                label: "Share of the active devices that reported within the window"),
            table: table, sources: Sources(query("coverage"), of: table, order: "day"))
    }

    private var reads: Figure? {
        guard let latest = days.last(where: { $0.reads > 0 }), let share = latest.failedShare else { return nil }
        let shares = shares(\.failedShare)
        let table = Table(
            "Reads by day, newest first", days.reversed(),
            [
                .time("day", \.day).from("day"), .number("reads", \.reads).from("reads"),
                .number("failed", \.readsFailed).from("reads_failed"),
                .share("share", \.failedShare).from(
                    "round(1.0 * reads_failed / nullif(reads, 0), 4) as share_failed"),
            ])
        return Figure(
            finding: """
                \(share: share) of \(latest.reads, "read") failed on \(latest.day.spokenShortly); failed reads change \
                no counts
                """,
            drawing: ShareChart(
                first: first, last: last, shares: shares, top: ShareChart.top(shares.values),
                label: "Share of the reads that failed"),
            table: table, sources: Sources(query("coverage"), of: table, order: "day"))
    }

    private func shares(_ share: (CoverageDay) -> Double?) -> [Day: Double] {
        Dictionary(days.compactMap { day in share(day).map { (day.day, $0) } }) { one, _ in one }
    }

    private var refused: Table {
        Table(
            "By reason, most frequent first; batches refused as a whole are only in /metrics", refusals,
            [
                .text("reason", \.code), .number("events", \.events), .time("last", \.lastDay),
                .text("message_to_sender", \.example),
            ],
            whenEmpty: "No events were refused in these days.")
    }
}
