internal import CensusCore
package import CensusStore

/// What updates take away from an app.
package struct LossesPage: Sendable {
    var app: String
    /// The newest first, with those that opened no incident.
    var incidents: [LossIncident]
    var acts = LossActs([])

    package static func read(_ app: App, in store: Store) async throws(StoreError) -> LossesPage {
        LossesPage(
            app: app.id, incidents: try await store.losses.incidents(of: app, in: LossState.allCases),
            acts: try await store.losses.acts(of: app))
    }

    package var page: Page {
        let opened = incidents.filter { $0.state != .watched }
        return Page("Losses by updates", of: app, at: .losses) {
            "A night opens an incident when those who update lose a kind faster than others do in the same nights."
            if opened.isEmpty { Block.paragraph("No update has opened an incident.", style: .calm) }
            for incident in opened { section(LossPage(app: app, incident: incident, acts: acts.on(incident)).page) }
            for incident in incidents where incident.looksLikeALoss {
                Block.paragraph(
                    ["Not beyond doubt, and worth a look: \(incident.headline)."]
                        + (incident.remarks + incident.unheard).map { Phrase($0) }, .plain)
            }
            Block.heading("Updates that are watched")
            Block.table(table)
            Block.sources(
                Sources(
                    ReportQuery(report: "mass_losses", app: app), of: table,
                    and: ["surface", "from_version", "opened_on"],
                    order: "opened_on desc nulls last, kind, to_version"))
        }
    }

    private func section(_ page: Page) -> [Block] { [.heading("\(page.title): \(page.answer)")] + page.blocks }

    /// Incidents first, then the newest version's updates, those with the most losses first.
    private var inOrder: [LossIncident] {
        func rank(_ incident: LossIncident) -> (Int, Version, Int) {
            (incident.state == .watched ? 0 : 1, Version(incident.toVersion), incident.figures.updates.lost)
        }
        return incidents.sorted { rank($0) > rank($1) }
    }

    private var table: Table {
        Table(
            "Devices that held a kind for certain, updated and reported again", inOrder,
            [
                .words("kind") { incident in
                    let link = Link(.kind).with("app", app).with("kind", incident.kind)
                    return
                        "\(incident.kind, to: link.with("surface", incident.surface))\(incident.surface.surfaceInBrackets)"
                }.from("kind"),
                .text("to_version", \.toVersion).from("to_version"), .text("state", \.state.rawValue).from("state"),
                .number("updated", \.figures.updates.pairs).from("upgraders"),
                .number("lost_it", \.figures.updates.lost).from("lost"),
                .share("share", \.figures.updates.lostShare).from("loss_rate"),
                .share("without_the_update", \.figures.ordinaryShare).from("ordinary_rate"),
                .number("at_risk", \.devicesAtRisk).from("devices_at_risk"),
            ],
            whenEmpty: "No update is watched yet: it takes 20 devices that update and report again, and a night.",
            most: 40)
    }
}
