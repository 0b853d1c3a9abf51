import Foundation
import SchemaTesting
import Testing

@testable import CensusCore

/// What webhooks are told, held against docs/reference/webhook.schema.json.
@Suite struct `Webhook messages` {
    private static func loss(_ state: MassLossMessage.State = .open) -> MassLossMessage {
        MassLossMessage(
            appID: "com.example.weather", surface: .widget, kind: "weather", toVersion: "20.12",
            fromVersions: ["20.10", "20.11"], upgraders: 1_204, lost: 118, lossRate: 0.098, ordinaryRate: 0.002,
            evidence: 81_943.2, devicesAtRisk: 10_311, smallestDetectableRate: 0.011,
            openedOn: Day(daysSince1970: 20_778), state: state,
            advice: "pause the phased release now; a pause undoes nothing")
    }

    private static let at = Timestamp(seconds: 1_795_313_649)

    private func json(_ loss: MassLossMessage) -> String { WebhookMessage(.massLoss(loss), at: Self.at).json }

    /// The page's example is one message, in one order.
    @Test func `the message for a loss is as docs/guides/webhooks.md shows it`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/guides/webhooks.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let example = try #require(text.firstMatch(of: /```json\n((?s).*?)```/)).1
        let written = example.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined()
            .replacing("\": ", with: "\":").replacing("\", \"", with: "\",\"")
        #expect(json(Self.loss()) == written)
    }

    @Test func `the type follows from the state, and each obeys the schema`() throws {
        let schema = try JSONSchema(reference: "webhook.schema.json")
        let messages = MassLossMessage.State.allCases.map { WebhookMessage(.massLoss(Self.loss($0)), at: Self.at) }
        for message in messages {
            #expect(try schema.accepts(message.json))
            #expect(message.json.contains(#""type":"\#(message.type)","timestamp":"2026-11-22T02:14:09Z""#))
        }
        #expect(messages.map(\.type) == ["mass_loss.opened", "mass_loss.acknowledged", "mass_loss.closed"])
        let test = WebhookMessage(.test(appID: "a"), at: Self.at)
        #expect(test.type == "webhook.test")
        #expect(try schema.accepts(test.json))
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

    @Test func `names are unchanged, whatever they contain`() throws {
        var loss = Self.loss()
        loss.kind = "\"\\\u{0}\u{1F}é/\u{2028}🌧"
        loss.fromVersions = []
        let decoded = try JSONSerialization.jsonObject(with: Data(json(loss).utf8)) as? [String: Any]
        let data = try #require(decoded?["data"] as? [String: Any])
        let kind = data["kind"] as? String
        #expect(kind.hasBytes(of: loss.kind))
        #expect(try JSONSchema(reference: "webhook.schema.json").accepts(json(loss)))
    }

    @Test func `the schema rejects anything that is not a message`() throws {
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
