internal import CensusCore
package import CensusStore

/// Losses after updates, over all kinds of an app.
package struct LossesPage: Sendable {
    var app: String
    /// Newest first, including those without an incident.
    var incidents: [LossIncident]
    var acts = LossActs([])
    /// For visitors who may act: the token of their forms.
    package var token: String?

    package static func read(_ app: App, in store: Store) async throws(StoreError) -> LossesPage {
        LossesPage(
            app: app.id, incidents: try await store.losses.incidents(of: app, in: LossState.allCases),
            acts: try await store.losses.acts(of: app))
    }

    package var page: Page {
        let opened = incidents.filter { $0.state != .watched }
        return Page("Losses after updates", of: app, at: .losses) {
            """
            Every night compares devices that updated with devices that didn't. If the updated ones lose a kind faster, it \
            opens an incident.
            """
            if opened.isEmpty { Block.paragraph("No update has opened an incident.", style: .calm) }
            for (place, incident) in opened.enumerated() {
                section(
                    LossPage(app: app, incident: incident, acts: acts.on(incident), token: token, place: "\(place)")
                        .page)
            }
            for incident in incidents where incident.looksLikeALoss {
                Block.paragraph(
                    ["Worth a look, though not beyond doubt: \(incident.headline)."]
                        + (incident.remarks + incident.unheard).map { Phrase($0) }, .plain)
            }
            Block.heading("Watched updates")
            Block.table(table)
            Block.sources(
                Sources(
                    ReportQuery(report: "mass_losses", app: app), of: table,
                    and: ["surface", "from_version", "opened_on"],
                    order: "opened_on desc nulls last, kind, to_version"))
        }
    }

    private func section(_ page: Page) -> [Block] { [.heading("\(page.title): \(page.answer)")] + page.blocks }

    /// Incidents first, then the newest versions, then those with the most losses.
    private var inOrder: [LossIncident] {
        func rank(_ incident: LossIncident) -> (Int, Version, Int) {
            (incident.state == .watched ? 0 : 1, Version(incident.toVersion), incident.figures.updates.lost)
        }
        return incidents.sorted { rank($0) > rank($1) }
    }

    private var table: Table {
        Table(
            "Devices that certainly had a kind, updated, and reported again", inOrder,
            [
                .words("kind") { incident in
                    let link = Link(.kind).with("app", app).with("kind", incident.kind)
                    return
                        "\(incident.kind, to: link.with("surface", incident.surface))\(incident.surface.surfaceInBrackets)"
                }.from("kind"),
                .text("to_version", \.toVersion).from("to_version"), .text("state", \.state.rawValue).from("state"),
                .number("updated", \.figures.updates.pairs).from("upgraders"),
                .number("lost", \.figures.updates.lost).from("lost"),
                .share("share", \.figures.updates.lostShare).from("loss_rate"),
                .share("share_without_update", \.figures.ordinaryShare).from("ordinary_rate"),
                .number("at_risk", \.devicesAtRisk).from("devices_at_risk"),
            ],
            whenEmpty:
                "No updates are watched yet. A night starts to watch them once 20 devices have updated and reported again.",
            most: 40)
    }
}
