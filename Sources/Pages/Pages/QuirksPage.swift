package import CensusStore

/// On which OS versions the list names widgets that are gone.
package struct QuirksPage: Sendable {
    var app: String
    var quirks: [SystemQuirk]

    package static func read(_ app: App, in store: Store) async throws(StoreError) -> QuirksPage {
        QuirksPage(app: app.id, quirks: try await store.console.quirks(app: app))
    }

    package var page: Page {
        Page("OS quirks", of: app, at: .quirks) {
            Block.paragraph(
                "After a reinstall the list of some systems names widgets that are gone, until the device boots.",
                "People remove widgets, too: the system has the bug where the whole interval lies above the share that would have gone anyway."
            )
            Block.table(table)
            Block.sources(
                Sources(
                    ReportQuery(report: "os_quirks", app: app),
                    "platform, os_version, suspects_settled, gone, still_there, gone_share, low, high, ordinary_removal_share",
                    order: "suspects_settled desc"))
        }
    }

    private var table: Table {
        Table(
            "Suspects of known devices, by the system that first claimed them", quirks,
            [
                .text("system", \.name), .text("finding", \.finding), .number("settled", \.settled),
                .number("gone", \.gone),
                .interval("share_gone,_95 %_interval") { ($0.share, $0.low, $0.high, $0.ordinary) },
                .share("gone_anyway", \.ordinary),
            ],
            whenEmpty: "No suspect is settled yet: it takes a reinstall, a boot and another report.")
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
