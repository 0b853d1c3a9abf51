package import CensusStore

/// OS versions that keep listing widgets that are gone.
package struct QuirksPage: Sendable {
    var app: String
    var quirks: [SystemQuirk]

    package static func read(_ app: App, in store: Store) async throws(StoreError) -> QuirksPage {
        QuirksPage(app: app.id, quirks: try await store.console.quirks(app: app))
    }

    package var page: Page {
        Page("OS quirks", of: app, at: .quirks) {
            Block.paragraph(
                "After a reinstall, some OS versions keep listing widgets that are gone, until the device boots.",
                "People would have removed some of these widgets anyway. An OS version has the bug if the whole interval lies above that share."
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
            "Suspect widgets of known devices, by the OS version that first listed them", quirks,
            [
                .text("system", \.name), .text("finding", \.finding), .number("decided", \.settled),
                .number("gone", \.gone),
                .interval("share_gone_(95%_interval)") { ($0.share, $0.low, $0.high, $0.ordinary) },
                .share("share_removed_anyway", \.ordinary),
            ],
            whenEmpty: "No suspect is decided yet. That takes a reinstall, a boot and another report.")
    }
}

extension SystemQuirk {
    var name: String { osVersion.isEmpty ? "\(platform), version unknown" : "\(platform) \(osVersion)" }

    var finding: String {
        guard let low, let high, let ordinary else { return "not enough data" }
        if low > ordinary { return "lists widgets that are gone" }
        return high < ordinary || settled >= 100 ? "no sign of the bug" : "not enough data"
    }
}
