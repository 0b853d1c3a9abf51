import Foundation
import SchemaTesting
import Testing

@testable import CensusCore

/// The messages that webhooks get, checked against docs/reference/webhook.schema.json.
@Suite struct `Webhook messages` {
    private static func loss(_ state: MassLossMessage.State = .open) -> MassLossMessage {
        MassLossMessage(
            appID: "com.example.weather", surface: .widget, kind: "weather", toVersion: "20.12",
            fromVersions: ["20.10", "20.11"], upgraders: 1_204, lost: 118, lossRate: 0.098, ordinaryRate: 0.002,
            evidence: 81_943.2, devicesAtRisk: 10_311, smallestDetectableRate: 0.011,
            openedOn: Day(daysSince1970: 20_778), state: state, headline: "118 of 1,204 lost it",
            advice: "pause the phased release now; a pause undoes nothing")
    }

    private static let at = Timestamp(seconds: 1_795_313_649)

    private func json(_ loss: MassLossMessage, _ occasion: MassLossMessage.Occasion = .opened) -> String {
        WebhookMessage(.massLoss(occasion, loss), at: Self.at).body(.standard, console: Self.console)
    }

    private static let console = "https://census.example.com"

    /// The guide's example is this exact message, with its fields in this order.
    @Test func `the message for a loss matches the example in the webhooks guide`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/guides/webhooks.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let example = try #require(text.firstMatch(of: /```json\n((?s).*?)```/)).1
        let written = example.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined()
            .replacing("\": ", with: "\":").replacing("\", \"", with: "\",\"")
        #expect(json(Self.loss()) == written)
    }

    private static let all: [WebhookMessage] =
        MassLossMessage.Occasion.allCases.map { WebhookMessage(.massLoss($0, loss()), at: at) }
        + [readiness(possible: 2), readiness(possible: 2_000), night(["closing: the disk is full"]), night([])]
        + [WebhookMessage(.test(appID: "a"), at: at)]

    private static func readiness(possible: Int, others: [String] = []) -> WebhookMessage {
        var figures = ReadinessFigures(
            lifecycle: .legacy, lastEnded: Day(daysSince1970: 20_778), limits: ReadinessLimits())
        figures.possible = possible
        var message = ReadinessMessage(
            appID: "com.example.weather", surface: .widget, kind: "we & you", day: Day(daysSince1970: 20_778),
            figures: figures, readiness: Readiness(figures), others: others)
        message.verdict = possible < 10 ? .ready : .notReady
        return WebhookMessage(.readiness(message), at: at)
    }

    private static func night(_ failures: [String]) -> WebhookMessage {
        WebhookMessage(.night(NightMessage(appID: "com.example.weather", failures: failures)), at: at)
    }

    @Test func `every type of message matches the schema, with and without a link, and is in the guide`() throws {
        let schema = try JSONSchema(reference: "webhook.schema.json")
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/guides/webhooks.md")
        let guide = try String(contentsOf: page, encoding: .utf8)
        for message in Self.all {
            for console in [Self.console, nil] {
                let body = message.body(.standard, console: console)
                #expect(try schema.accepts(body), "\(body)")
                #expect(body.contains(#""type":"\#(message.type)","timestamp":"2026-11-22T02:14:09Z""#))
                #expect(body.contains(#""console_url":"https://"#) == (console != nil))
            }
            #expect(guide.contains("\n| `\(message.type)` |"), "\(message.type)")
        }
        #expect(
            Self.all.map(\.type) == [
                "mass_loss.opened", "mass_loss.acknowledged", "mass_loss.closed", "mass_loss.grown", "mass_loss.ended",
                "kind.ready", "kind.not_ready", "night.failed", "night.recovered", "webhook.test",
            ])
    }

    @Test func `a message to Slack has the sentences and the link, and escapes names`() throws {
        let text = { (message: WebhookMessage, console: String?) in
            let decoded = try JSONSerialization.jsonObject(with: Data(message.body(.slack, console: console).utf8))
            return try #require((decoded as? [String: String])?["text"])
        }
        #expect(
            try text(Self.readiness(possible: 2), Self.console).hasSuffix(
                "\n<https://census.example.com/console/kind?app=com.example.weather&amp;kind=we%20%26%20you"
                    + "&amp;surface=widget|Open the console>"))
        #expect(try text(Self.readiness(possible: 2), nil).hasPrefix("we &amp; you is ready to be retired. "))
        #expect(
            try text(Self.readiness(possible: 2, others: ["control"]), nil).hasPrefix(
                "we &amp; you is ready on the surface widget, but not on control, so it can't be retired yet. "))
        #expect(
            try text(Self.night(["closing: <!channel>"]), nil)
                == "The nightly job failed for com.example.weather, so numbers and verdicts are out of date: "
                + "closing: &lt;!channel&gt;.")
        #expect(
            try text(WebhookMessage(.massLoss(.opened, Self.loss()), at: Self.at), nil)
                == "Updates to 20.12 take weather away: 118 of 1,204 lost it. What to do: pause the phased release "
                + "now; a pause undoes nothing.")
    }

    @Test func `unknown figures are null, and so are numbers that JSON can't represent`() throws {
        var loss = Self.loss()
        loss.ordinaryRate = nil
        loss.smallestDetectableRate = nil
        loss.evidence = .infinity
        #expect(json(loss).contains(#""ordinary_rate":null,"evidence":null,"#))
        #expect(json(loss).contains(#""smallest_detectable_rate":null"#))
        #expect(try JSONSchema(reference: "webhook.schema.json").accepts(json(loss)))
        loss.evidence = 1e300
        #expect(json(loss).contains(#""evidence":1e+300,"#))
        #expect(try JSONSchema(reference: "webhook.schema.json").accepts(json(loss)))
    }

    @Test func `a name with any characters arrives unchanged`() throws {
        var loss = Self.loss()
        loss.kind = "\"\\\u{0}\u{1F}é/\u{2028}🌧"
        loss.fromVersions = []
        let decoded = try JSONSerialization.jsonObject(with: Data(json(loss).utf8)) as? [String: Any]
        let data = try #require(decoded?["data"] as? [String: Any])
        let kind = data["kind"] as? String
        #expect(kind.hasBytes(of: loss.kind))
        #expect(try JSONSchema(reference: "webhook.schema.json").accepts(json(loss)))
    }

    @Test func `the schema rejects spoiled messages`() throws {
        let schema = try JSONSchema(reference: "webhook.schema.json")
        let good = json(Self.loss())
        for (part, other) in [
            (#""lost":118"#, #""lost":"118""#), (#""kind":"weather","#, ""), ("mass_loss.opened", "mass_loss.other"),
            (#""state":"open""#, #""state":"opened""#), ("2026-11-22T02:14:09Z", "yesterday"),
        ] {
            #expect(good.contains(part))
            #expect(try !schema.accepts(good.replacing(part, with: other)), "\(other)")
        }
    }
}
