import CensusCore
import Foundation
import Testing

@testable import CensusStore
@testable import Pages

/// What pages say of an update that takes a kind away.
@Suite struct `Losses` {
    private let app = "com.example.weather"

    private func incident(_ state: LossState, lost: Int = 9) -> LossIncident {
        var figures = LossFigures()
        figures.updates = ReportPairs(pairs: 20, lost: lost, exposedSeconds: 20 * 86_400)
        figures.others = ReportPairs(pairs: 400, lost: 4, exposedSeconds: 400 * 86_400)
        figures.evidence = 2.5e9
        figures.smallestSeen = 0.125
        figures.late = 2
        return LossIncident(
            surface: "widget", kind: "radar", toVersion: "20.13", fromVersions: ["20.12", "20.11"], state: state,
            openedOn: state == .watched ? nil : Day("2026-11-20"), judgedOn: nil, figures: figures, chance: 0.001,
            devicesAtRisk: 3)
    }

    @Test func `an open one is told with its evidence, and what to do`() {
        let acts = [LossAct(state: .open, actor: LossAct.night, reason: nil, day: Day(daysSince1970: 20_778))]
        let page = LossPage(app: app, incident: incident(.open), acts: acts).page
        #expect(
            page.text() == """
                radar after updates to 20.13 of com.example.weather: OPEN; the reports of 2026-11-20 opened it

                Of 20 devices that held radar and updated to 20.13, 9 (45%) lost it; 3 more, on older versions, are at risk.

                At the rate of devices that did not update, 1% would have lost it in the same time.
                The devices that lost it updated from 20.12, 20.11.
                2 updated devices don't count as evidence: the next report came only after more than 14 days.

                The smallest loss these numbers could have shown is 13% of those who updated.
                These numbers are 10^9 times as likely if the update takes the kind away as if it doesn't. This ratio is the evidence; an incident opens at 2,000.

                What to do: pause the phased release now; a pause brings nothing back, but prevents further losses.

                If it is known and goes on:     widget-census losses acknowledge radar --to 20.13 --app com.example.weather --because "..."
                If it is over or a false alarm: widget-census losses close radar --to 20.13 --app com.example.weather --because "..."

                History:
                  2026-11-21: opened by the night

                """)
    }

    @Test func `programs read what the text says, under the names of webhooks`() throws {
        let acts = [LossAct(state: .open, actor: LossAct.night, reason: nil, day: Day(daysSince1970: 20_778))]
        let text = try [LossPage(app: app, incident: incident(.open), acts: acts)].jsonText()
        let pages = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        let page = try #require(pages.first)
        #expect(page["to_version"] as? String == "20.13")
        #expect(page["from_versions"] as? [String] == ["20.12", "20.11"])
        #expect(page["upgraders"] as? Int == 20)
        #expect(page["loss_rate"] as? Double == 0.45)
        #expect(page["smallest_detectable_rate"] as? Double == 0.125)
        #expect(page["evidence_threshold"] as? Double == 2_000)
        #expect(page["opened_on"] as? String == "2026-11-20")
        #expect((page["remarks"] as? [String])?.count == 1)
        #expect(page["why_no_incident"] == nil)
        #expect(
            (page["acts"] as? [[String: String]]) == [["day": "2026-11-21", "state": "open", "by": "widget-census"]])
        var watched = incident(.watched)
        watched.figures.updates.lost = 0
        #expect(
            try LossPage(app: app, incident: watched).jsonText().contains(#""why_no_incident" : "nothing was lost""#))
    }

    @Test func `the console says of each incident what the program says`() {
        let (open, closed) = (incident(.open), incident(.closed))
        let act = LossAct(state: .acknowledged, actor: "anna", reason: "known", day: Day(daysSince1970: 20_779))
        let acts = LossActs([
            .init(surface: "widget", kind: "radar", toVersion: "20.13", act: act),
            .init(surface: "control", kind: "radar", toVersion: "20.13", act: act),
        ])
        let html = LossesPage(app: app, incidents: [open, closed], acts: acts).page
            .document(in: Frame(apps: [app], app: app)).description
        #expect(html.contains("<li>22 Nov 2026: acknowledged by anna, because: known</li>"))
        for incident in [open, closed] {
            for block in LossPage(app: app, incident: incident, acts: [act]).page.blocks {
                #expect(html.contains(block.html.description))
            }
        }
        #expect(html.contains("<strong class=\"unmet\">open</strong>; the reports of 20 Nov 2026 opened it</h2>"))
        #expect(!html.contains("losses close radar --to 20.13 --app com.example.weather</code>"))
    }

    @Test func `why an update opened none is said first`() {
        func answer(_ change: (inout LossIncident) -> Void) -> String {
            var watched = incident(.watched)
            change(&watched)
            return LossPage(app: app, incident: watched).page.answer?.text ?? ""
        }
        #expect(answer { $0.figures.updates.lost = 0 } == "no incident; nothing was lost")
        #expect(answer { $0.figures.updates.pairs = 19 } == "no incident; fewer than 20 devices have updated so far")
        #expect(answer { $0.figures.updates.lost = 4 } == "no incident; fewer than 5 devices lost it")
        #expect(answer { _ in } == "no incident; the evidence is too weak")
    }
}
