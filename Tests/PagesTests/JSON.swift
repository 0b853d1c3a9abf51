import CensusCore
import Foundation
import Testing

@testable import CensusStore
@testable import Pages

/// What programs read: names, their order, and what is left out.
@Suite struct `Pages for programs` {
    private let day = Day(daysSince1970: 20_779)

    @Test func `members that are nil are left out, and names are in snake case`() throws {
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

    @Test func `an active kind has no verdict, and everything else`() throws {
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
                  "losses" : [

                  ],
                  "surface" : "widget"
                }

                """)
    }

    @Test func `a judged kind has each condition with its figure and its limit`() throws {
        var figures = ReadinessFigures(lifecycle: .legacy, lastEnded: day, limits: ReadinessLimits())
        figures.expected = 2.5
        let page = KindPage(
            app: "com.example.a",
            listed: ListedKind(
                kind: "old", lifecycle: .legacy, surface: "control", devicesCertain: 1, devicesPossible: 2),
            judged: KindVerdict(surface: "control", kind: "old", figures: figures, readiness: Readiness(figures)))
        let json = try #require(JSONSerialization.jsonObject(with: Data(page.jsonText().utf8)) as? [String: Any])
        #expect(json["surface"] as? String == "control")
        #expect(json["devices_expected"] as? Double == 2.5)
        #expect(json["limit_devices"] as? Int == 3)
        let conditions = try #require(json["conditions"] as? [[String: Any]])
        #expect(conditions.allSatisfy { Set($0.keys) == ["name", "is_met", "figure", "limit"] })
        #expect(conditions.first?["name"] as? String == "fresh")
    }
}
