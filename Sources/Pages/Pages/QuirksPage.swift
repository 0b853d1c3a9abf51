package import CensusStore
internal import CensusCore

/// On which OS versions the list names widgets that are gone.
package struct QuirksPage: Sendable {
    package var app: String
    package var quirks: [SystemQuirk]

    package init(app: String, quirks: [SystemQuirk]) {
        self.app = app
        self.quirks = quirks
    }

    package var page: Page {
        let query = ReportQuery(report: "os_quirks", app: app)
        return Page(
            title: "OS quirks of \(app)", place: .quirks,
            body: """
                <h1>OS quirks</h1>
                <p>After a reinstall the list of some systems names widgets that are gone, until the device boots. \
                People remove widgets, too: the system has the bug where the whole interval lies above the share that would \
                have gone anyway.</p>
                \(table.html)
                \(OldFigure.sources(
                    csv: query.csv,
                    sql: query.sql(
                        "platform, os_version, suspects_settled, gone, still_there, gone_share, low, high, ordinary_removal_share",
                        order: "suspects_settled desc")))
                """)
    }

    private var table: OldTable {
        OldTable(
            "Suspects of known devices, by the system that first claimed them",
            [
                ("System", false), ("Finding", false), ("Settled", true), ("Gone", true),
                ("Share gone, 95 % interval", false),
                ("Gone anyway", true),
            ],
            whenEmpty: "No suspect is settled yet: it takes a reinstall, a boot and another report.",
            quirks.map { quirk in
                [
                    .text(quirk.name), .text(quirk.finding), .number(quirk.settled.grouped),
                    .number(quirk.gone.grouped),
                    .markup(meter(quirk)), .number(quirk.ordinary?.asPercentage ?? "not known"),
                ]
            })
    }

    /// The interval on an axis from 0 to 1, with the share that would have gone anyway.
    private func meter(_ quirk: SystemQuirk) -> HTML {
        guard let share = quirk.share, let low = quirk.low, let high = quirk.high else { return "not known" }
        func x(_ value: Double) -> String { (4 + 136 * min(1, max(0, value))).pixels }
        let ordinary: HTML =
            quirk.ordinary.map { "<path class=\"limit\" d=\"M\(x($0)) 0v14\"/>" } ?? .empty
        return """
            <span class="meter">\(share.asPercentage) (\(low.asPercentage) to \(high.asPercentage))\
            <svg viewBox="0 0 144 14" aria-hidden="true"><path class="axis" d="M4 7h136"/>\(ordinary)\
            <path class="expected" d="M\(x(low)) 7H\(x(high))M\(x(low)) 3v8M\(x(high)) 3v8"/>\
            <circle class="added" cx="\(x(share))" cy="7" r="3.5"/></svg></span>
            """
    }
}

extension SystemQuirk {
    var name: String { osVersion.isEmpty ? "\(platform), version unknown" : "\(platform) \(osVersion)" }

    var finding: String {
        guard let low, let high, let ordinary else { return "not enough is known" }
        if low > ordinary { return "names widgets that are gone" }
        return high < ordinary || settled >= 100 ? "no sign of the bug" : "not enough is known"
    }
}
