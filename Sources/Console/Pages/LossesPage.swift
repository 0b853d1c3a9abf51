package import CensusStore
internal import CensusCore

/// What updates take away.
package struct LossesPage: Sendable {
    package var app: String
    /// The newest first, with those that opened no incident.
    package var incidents: [LossIncident]

    /// This many updates are listed.
    private static let most = 40

    package init(app: String, incidents: [LossIncident]) {
        self.app = app
        self.incidents = incidents
    }

    package var page: Page {
        let opened = incidents.filter { $0.state != .watched }
        let none: HTML = "<p class=\"calm\">No update has opened an incident.</p>"
        return Page(
            title: "Losses of \(app)", place: .losses,
            body: """
                <h1>Losses by updates</h1>
                <p>A night opens an incident when those who update lose a kind faster than others do in the same nights.</p>
                \(opened.isEmpty ? none : opened.html(incident))
                \(incidents.filter(\.looksLikeALoss).html(doubt))
                <h2>Updates that are watched</h2>
                \(table.html)
                \(incidents.count > LossesPage.most ? "<p class=\"soft\">and \(incidents.count - LossesPage.most) more, in the CSV</p>" : "")
                \(sources)
                """)
    }

    private func incident(_ incident: LossIncident) -> HTML {
        let figures = incident.figures
        let ordinary: HTML =
            figures.ordinaryShare.map {
                "At the rate of those that did not update, \($0.asPercentage) of them would have lost it in the same time."
            }
            ?? .empty
        let from: HTML =
            incident.fromVersions.isEmpty
            ? .empty : "Those that lost it came from \(incident.fromVersions.joined(separator: ", "))."
        return """
            <section>
            <h2><span class="name">\(incident.kind)</span>\(incident.surface.surfaceInBrackets), updates to \
            <span class="name">\(incident.toVersion)</span>: \(incident.state.rawValue)</h2>
            <p>\(incident.headline.capitalizingFirst).</p>
            <p>\(ordinary) \(from)</p>
            \((incident.remarks + incident.unheard).html { "<p>\($0)</p>" })
            <p>\(incident.openedOn.map { "It opened on the reports of \($0.spoken)." } ?? "") To do: \(incident.advice).</p>
            \(commands(incident))
            </section>
            """
    }

    /// Most lost it, and the evidence is not enough.
    private func doubt(_ incident: LossIncident) -> HTML {
        let reasons = (incident.remarks + incident.unheard).joined(separator: " ")
        return "<p>Not beyond doubt, and worth a look: \(incident.headline). \(reasons)</p>"
    }

    private func commands(_ incident: LossIncident) -> HTML {
        guard incident.state == .open else { return .empty }
        let loss: ShellCommand = "\(incident.kind) --to \(incident.toVersion) --app \(app)"
        let acknowledging: ShellCommand = "widget-census losses acknowledge \(loss) --because \"known, and followed\""
        let closing: ShellCommand = "widget-census losses close \(loss) --because \"over, or none\""
        return """
            <pre tabindex="0"><code>\(acknowledging.description)
            \(closing.description)</code></pre>
            """
    }

    /// Incidents first, then the newest version's updates, those with the most losses first.
    private var inOrder: [LossIncident] {
        func rank(_ incident: LossIncident) -> (Int, Version, Int) {
            (incident.state == .watched ? 0 : 1, Version(incident.toVersion), incident.figures.updates.lost)
        }
        return incidents.sorted { rank($0) > rank($1) }
    }

    private var table: Table {
        Table(
            "Devices that held a kind for certain, updated and reported again",
            [
                ("Kind", false), ("To version", false), ("State", false), ("Updated", true), ("Lost it", true),
                ("Share", true), ("Without the update", true), ("At risk", true),
            ],
            whenEmpty: "No update is watched yet: it takes 20 devices that update and report again, and a night.",
            inOrder.prefix(LossesPage.most).map { incident in
                let figures = incident.figures
                return [
                    .markup(
                        "<a href=\"\(Link(.kind).with("app", app).with("kind", incident.kind).with("surface", incident.surface))\">\(incident.kind)</a>\(incident.surface.surfaceInBrackets)"
                    ),
                    .text(incident.toVersion), .text(incident.state.rawValue),
                    .number(figures.updates.pairs.grouped), .number(figures.updates.lost.grouped),
                    .number(figures.updates.lostShare.asPercentage),
                    .number(figures.ordinaryShare?.asPercentage ?? "not known"),
                    .number(incident.devicesAtRisk.grouped),
                ]
            })
    }

    private var sources: HTML {
        let query = ReportQuery(report: "mass_losses", app: app)
        return Figure.sources(
            csv: query.csv,
            sql: query.sql(
                "surface, kind, from_version, to_version, upgraders, lost, loss_rate, ordinary_rate, state, opened_on",
                order: "opened_on desc nulls last, kind, to_version"))
    }
}
