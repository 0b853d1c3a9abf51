internal import CensusCore
package import CensusStore

/// The apps to choose from, with their most important numbers.
package struct AppsPage: Sendable {
    var apps: [String]
    /// Of the apps with a closed day.
    var headlines: [AppHeadline]
    var concerns: [Concern]

    /// - Parameter apps: the ids of those that the reader may see, which are all.
    package static func read(_ apps: [String], in store: Store) async throws(StoreError) -> AppsPage {
        AppsPage(
            apps: apps, headlines: try await store.console.headlines(),
            concerns: try await store.status.read(only: nil).concerns)
    }

    package var page: Page {
        Page("Apps") {
            if apps.isEmpty { "There are no apps yet. Add one: \(code: "widget-census apps add APP_ID")" }
            Block.table(table)
        }
    }

    private typealias Row = (app: String, headline: AppHeadline?, concerns: Int)

    private var table: Table {
        let rows = apps.map { app -> Row in
            (
                app, headlines.first { $0.appID.hasBytes(of: app) },
                concerns.count { $0.appID?.hasBytes(of: app) ?? false }
            )
        }
        let fields: [Table.Field<Row>] = [
            .words("app") { "\($0.app, to: Link(.overview).with("app", $0.app))" },
            .number("needs_attention") { $0.concerns },
            .number("active_devices") { $0.headline?.active },
            .text("have_a_widget") { $0.headline?.shareWithWidget },
            .number("active_within_a_week") { $0.headline?.weekly },
            .number("legacy_kinds") { $0.headline?.legacyKinds },
            .time("day") { $0.headline?.day },
        ]
        return Table("Each app at the end of its last closed day", rows, fields)
    }
}
