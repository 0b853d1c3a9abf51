import CensusCore
import Foundation
import Testing

@testable import CensusStore
@testable import Pages

/// How pages describe an update that takes a kind away.
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

    @Test func `an open incident's page shows its evidence and what to do`() {
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

    @Test func `an incident's JSON has its figures, remarks and acts`() throws {
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

    @Test func `the console shows the same blocks for an incident as the command`() {
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

    @Test func `a kind's page keeps closed incidents and replaced acknowledgements`() {
        let day = Day(daysSince1970: 20_779)
        func given(_ devices: Int, _ reason: String) -> AcknowledgementRecord {
            AcknowledgementRecord(
                acknowledgement: PreflightAcknowledgement(
                    fingerprint: "9f2c1ab34d07", maximumLoss: devices, until: day + 9_999, by: "bea", reason: reason,
                    at: Timestamp(seconds: 1_795_305_600)),
                change: AcknowledgedChange(rule: "kind_dropped", surface: "widget", kind: "radar", appVersion: "20.13"))
        }
        let acts = LossActs([
            .init(
                surface: "widget", kind: "radar", toVersion: "20.13",
                act: LossAct(state: .open, actor: LossAct.night, day: day - 2, upgraders: 20, lost: 9)),
            .init(
                surface: "widget", kind: "radar", toVersion: "20.13",
                act: LossAct(state: .closed, actor: "anna", reason: "over", day: day, upgraders: 40, lost: 11)),
            .init(
                surface: "control", kind: "radar", toVersion: "20.13",
                act: LossAct(state: .closed, actor: "carl", day: day)),
        ])
        let records = [given(12, "announced"), given(0, "too early")]
        var page = KindPage(
            app: app,
            listed: ListedKind(
                kind: "radar", lifecycle: .active, surface: "widget", devicesCertain: 1, devicesPossible: 2))
        page.lossActs = acts.on("radar", surface: "widget")
        page.acknowledgements = records.all(on: "radar", surface: "widget")
        #expect(
            page.page.text().contains(
                """
                Decisions and incidents:
                  2026-11-20 the night opened an incident for updates to 20.13 (9 of 20 devices had lost it)
                  2026-11-22 anna closed the loss in updates to 20.13 (11 of 40 devices had lost it), because: over
                  2026-11-22 bea acknowledged kind_dropped in 20.13, up to 12 devices until \(day + 9_999), because: announced
                  2026-11-22 bea withdrew the acknowledgement of kind_dropped in 20.13, because: too early
                """))
        #expect(records.last(on: "radar", surface: "widget") == [records[1]])
    }

    /// Regression: acknowledgements for two releases were both listed under the later one.
    @Test func `each acknowledgement keeps its release, and a withdrawal takes its predecessor's`() {
        func given(_ loss: Int, _ version: String?) -> AcknowledgementRecord {
            AcknowledgementRecord(
                acknowledgement: PreflightAcknowledgement(
                    fingerprint: "abcdefabcdef", maximumLoss: loss, until: Day(daysSince1970: 30_000), by: "bea",
                    reason: "announced", at: Timestamp(seconds: Int64(loss))),
                change: version.map {
                    AcknowledgedChange(rule: "kind_dropped", surface: "widget", kind: "radar", appVersion: $0)
                })
        }
        let records = [given(9, nil), given(12, "22.0"), given(0, nil), given(15, "23.0"), given(0, nil)]
        let versions = records.all(on: "radar", surface: "widget").map(\.change?.appVersion)
        #expect(versions == ["22.0", "22.0", "22.0", "23.0", "23.0"])
        #expect(records.all(on: "tide", surface: "widget").isEmpty)
    }

    @Test func `only the kind's own chart marks when its incident opened and closed`() {
        let day = Day(daysSince1970: 20_779)
        let marks = [
            ConsoleMark(
                day: day - 2,
                event: .loss(surface: "widget", kind: "radar", version: "20.13", .open, by: LossAct.night)),
            ConsoleMark(
                day: day, event: .loss(surface: "widget", kind: "radar", version: "20.13", .closed, by: "anna")),
            ConsoleMark(
                day: day,
                event: .acknowledgement(
                    surface: "widget", kind: "radar", version: "20.13", by: "bea", isWithdrawn: false)),
        ]
        #expect(
            marks.map(\.words) == [
                "updates to 20.13 lost radar", "anna closed the loss of radar in updates to 20.13",
                "bea acknowledged the loss of radar in 20.13",
            ])
        #expect(marks.allSatisfy { $0.isAbout("radar", "widget") && !$0.isRelease })
        #expect(!marks.contains { $0.isAbout("radar", "control") || $0.isAbout("weather", "widget") })
        let series = CountSeries([], closed: [day - 1], from: day - 30, through: day)
        let svg = BandChart(series: series, kind: "radar", marks: marks, largest: 9).html.description
        #expect(svg.matches(of: /class="act"/).count == 3)
    }

    @Test func `forms appear only in HTML, and only for visitors who may act`() {
        var page = KindPage(
            app: app,
            listed: ListedKind(
                kind: "radar", lifecycle: .legacy, surface: "widget", devicesCertain: 1, devicesPossible: 2))
        let shown = page.page.document(in: Frame(apps: [])).description
        #expect(!shown.contains("<form"))
        page.token = "1.ab"
        let html = page.page.document(in: Frame(apps: [])).description
        for verb in ["retire", "reopen", "acknowledge-drop", "limit"] {
            #expect(html.contains("act=\(verb)&amp;kind=radar"), "\(verb)")
        }
        #expect(!html.contains("act=mark&amp;"))
        let ids = html.matches(of: #/ id="([^"]+)"/#).map { String($0.1) }
        #expect(Set(ids).count == ids.count, "\(ids)")
        #expect(!page.page.text().contains("Preview"))
    }

    @Test func `the answer says why an update opened no incident`() {
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
