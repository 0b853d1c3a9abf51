import CensusCore
import Foundation
import Testing

@testable import CensusStore
@testable import Pages

/// Pages as JSON: names, their order, and omitted members.
@Suite struct `Pages as JSON` {
    private let day = Day(daysSince1970: 20_779)

    @Test func `nil members are omitted, and names are in snake case`() throws {
        struct Row: Encodable {
            var appID = "a"
            var isMet: Bool?
            var devicesCertain = 1
        }
        let (number, nothing): (Int?, Int?) = (7, nil)
        let members: Members = ["z": number, "nothing": nothing, "day": day, "row": Row(), "rows": [Row()]]
        #expect(
            try members.jsonLine()
                == #"{"day":"2026-11-22","row":{"app_id":"a","devices_certain":1},"rows":[{"app_id":"a","devices_certain":1}],"z":7}"#
                + "\n")
    }

    @Test func `an active kind has every member except a verdict`() throws {
        var page = KindPage(
            app: "com.example.a",
            listed: ListedKind(
                kind: "old/kind", lifecycle: .active, surface: nil, devicesCertain: 1, devicesPossible: 2))
        page.holders = [
            KindHolders(day: day, appVersion: "2.0", osVersion: "", platform: "ios", certain: 1, possible: 2)
        ]
        page.acts = [
            KindAct(
                surface: "widget", version: 3, decision: KindDecision(.active, by: "anna"), day: day, devicesCertain: 1,
                devicesPossible: 2, verdict: .notReady)
        ]
        page.accepted = [
            AcknowledgementRecord(
                acknowledgement: PreflightAcknowledgement(
                    fingerprint: "9f2c1ab34d07", maximumLoss: 5, until: day, by: "anna", reason: "fine",
                    at: Timestamp(seconds: 0)), change: nil)
        ]
        #expect(
            try page.jsonText() == """
                {
                  "acknowledgements" : [
                    {
                      "by" : "anna",
                      "day" : "1970-01-01",
                      "fingerprint" : "9f2c1ab34d07",
                      "max_loss" : 5,
                      "reason" : "fine",
                      "until" : "2026-11-22"
                    }
                  ],
                  "acts" : [
                    {
                      "by" : "anna",
                      "day" : "2026-11-22",
                      "devices_certain" : 1,
                      "devices_possible" : 2,
                      "lifecycle" : "active",
                      "verdict" : "not ready"
                    }
                  ],
                  "app_id" : "com.example.a",
                  "devices_certain" : 1,
                  "devices_possible" : 2,
                  "gallery_policy" : "show",
                  "holders" : [
                    {
                      "app_version" : "2.0",
                      "day" : "2026-11-22",
                      "devices_certain" : 1,
                      "devices_possible" : 2,
                      "platform" : "ios"
                    }
                  ],
                  "kind" : "old/kind",
                  "lifecycle" : "active",
                  "loss_acts" : [

                  ],
                  "losses" : [

                  ],
                  "setting_acts" : [

                  ],
                  "surface" : "widget"
                }

                """)
    }

    @Test func `a judged kind lists each condition with its figure and limit`() throws {
        var figures = ReadinessFigures(lifecycle: .legacy, lastEnded: day, limits: ReadinessLimits())
        figures.expected = 2.5
        (figures.active, figures.possible, figures.replacement) = (40, 2, "new")
        figures.expiring = [day + 30: 7]
        var page = KindPage(
            app: "com.example.a",
            listed: ListedKind(
                kind: "old", lifecycle: .legacy, surface: "control", devicesCertain: 1, devicesPossible: 2),
            judged: KindVerdict(surface: "control", kind: "old", figures: figures, readiness: Readiness(figures)))
        let acts = ["2026-11-21", "2026-11-22"].map { day in
            SettingAct(
                by: "otto", because: "as agreed", day: Day(day),
                changes: [.init(setting: "coverage", from: "0.9", to: "0.8")],
                verdicts: [
                    .init(
                        surface: "control", kind: "old", devices_possible: 2, devices_silent: 0, before: "unknown",
                        after: "ready")
                ])
        }
        page.acts = [
            KindAct(
                surface: "control", version: 3, decision: KindDecision(.legacy, by: "anna"), day: day,
                devicesCertain: 1, devicesPossible: 2, verdict: nil)
        ]
        page.settings = acts
        let json = try #require(JSONSerialization.jsonObject(with: Data(page.jsonText().utf8)) as? [String: Any])
        // The text page says these, too.
        #expect(json["as_of"] as? String == "2026-11-22")
        #expect(json["gallery_policy"] == nil, "controls have no gallery policy")
        #expect(json["share_of_active"] as? Double == 0.05)
        #expect(json["band"] as? String == page.judged?.readiness.band.rawValue)
        #expect(json["replaced_by"] as? String == "new")
        let silent = try #require(json["devices_silent_by_age"] as? [[String: Int]])
        #expect(silent.last == ["from_months": 9, "to_months": 12, "devices": 7])
        #expect(silent.map { $0["devices"] ?? 0 }.reduce(0, +) == 7)
        let changed = try #require(json["setting_acts"] as? [[String: Any]])
        #expect(changed.count == 1, "changes before the kind was marked are left out")
        #expect(changed.first?["verdict_after"] as? String == "ready")
        #expect((changed.first?["changes"] as? [[String: String]])?.first?["to"] == "0.8")
        #expect(
            page.page.text().contains(
                "otto changed the app's coverage from 0.9 to 0.8; the verdict went from unknown to ready"))
        #expect(json["surface"] as? String == "control")
        #expect(json["devices_expected"] as? Double == 2.5)
        #expect(json["limit_devices"] as? Int == 3)
        let conditions = try #require(json["conditions"] as? [[String: Any]])
        #expect(conditions.allSatisfy { Set($0.keys) == ["name", "is_met", "figure", "limit"] })
        #expect(conditions.first?["name"] as? String == "fresh")
    }
}
