import SeededRandom
import Testing

@testable import CensusCore

/// The stored content of an event: one canonical spelling, read back as the same value.
@Suite struct `Stored contents` {
    private func text(_ event: Event) -> String { String(decoding: event.content, as: UTF8.self) }

    @Test func `the spelling is compact, and its keys are sorted`() {
        let full = Placement(kind: "k", family: "f", intent: "i", configuration: "c", instance: "n")
        #expect(
            text(.installed(full))
                == #"{"widget":{"configuration":"c","family":"f","instance":"n","intent":"i","kind":"k"}}"#)
        #expect(text(.reported([:])) == #"{"widgets":[]}"#)
        #expect(
            text(.reported([Placement(kind: "b"): 2, Placement(kind: "a"): 1]))
                == #"{"widgets":[{"kind":"a"},{"count":2,"kind":"b"}]}"#)
        #expect(
            text(.readFailed(domain: "CHSErrorDomain", code: -1)) == #"{"error":{"code":-1,"domain":"CHSErrorDomain"}}"#
        )
        #expect(text(.restored(["2": "3", "1": "2"])) == #"{"instances":{"1":"2","2":"3"}}"#)
        #expect(text(.opened(Placement(kind: "\"\\\n\u{1F}é"))) == #"{"widget":{"kind":"\"\\\u000a\u001fé"}}"#)
    }

    @Test(arguments: UInt64(0)..<8) func `every event is read back from its content`(seed: UInt64) throws {
        for step in 0..<150 {
            var random = Seeded(seed << 32 | UInt64(step))
            for type in EventType.allCases {
                let event = event(type, &random)
                let read = try Event(event.type, content: event.content)
                #expect(read == event && read.content == event.content, "seed \(seed) step \(step)")
            }
        }
    }

    @Test func `an accepted event stays readable past the server's limits`() throws {
        let event = Event.reported([Placement(kind: String(repeating: "k", count: 500)): 1_000_000])
        #expect(try Event(.widgetsReported, content: event.content) == event)
    }

    @Test(arguments: ["", "{}", "[]", #"{"widget":{}}"#, #"{"widget":{"kind":"k"}"#])
    func `content that this program didn't write is an error`(content: String) {
        for type in EventType.allCases where type != .appOpened || content != "{}" {
            #expect(throws: StoredContentError(type: type)) { try Event(type, content: Array(content.utf8)) }
        }
    }

    @Test(arguments: UInt64(0)..<8) func `lists of equal widgets in any order have equal bytes`(seed: UInt64) throws {
        for step in 0..<40 {
            var random = Seeded(seed << 32 | UInt64(step))
            // From few letters, so that fields repeat; two spellings of é are two strings to PostgreSQL.
            let letters = ["a", "b", "\u{E9}", "e\u{301}"]
            var widgets: [String] = []
            for _ in 0..<random.below(8) {
                let fields = ["family", "intent", "configuration"].filter { _ in random.chance(40) }
                let rest = fields.map { #","\#($0)":"\#(random.pick(letters))""# }.joined()
                widgets += Array(repeating: #"{"kind":"\#(random.pick(letters))"\#(rest)}"#, count: random.below(3) + 1)
            }
            let ordered = try content(of: widgets)
            #expect(try content(of: widgets.shuffled(using: &random)) == ordered, "seed \(seed) step \(step)")
            #expect(try content(of: widgets.reversed()) == ordered, "seed \(seed) step \(step)")
        }
    }

    @Test func `a count of two equals two widgets`() throws {
        let folded = try content(of: [#"{"kind":"k","count":2}"#])
        #expect(try content(of: [#"{"kind":"k"}"#, #"{"count":1.0,"kind":"k"}"#]) == folded)
    }

    private func content(of widgets: [String]) throws -> [UInt8] {
        try Body.verdict(on: Body.report(widgets.joined(separator: ","))).get().event.content
    }

    private func event(_ type: EventType, _ random: inout Seeded) -> Event {
        switch type {
        case .widgetsReported where random.chance(20):
            .readFailed(domain: random.string(), code: Int64(bitPattern: random.next()))
        case .widgetsReported:
            .reported(
                Dictionary(
                    (0..<random.below(6)).map { _ in (placement(&random), random.below(1_000) + 1) },
                    uniquingKeysWith: { $0 + $1 }))
        case .widget(let act): .happened(act, to: placement(&random))
        case .widgetsRestored:
            .restored(
                Dictionary(
                    (0..<random.below(6)).map { _ in (Text(random.string()), random.string()) },
                    uniquingKeysWith: { one, _ in one }))
        case .appOpened: .appOpened
        }
    }

    private func placement(_ random: inout Seeded) -> Placement {
        func optional(_ random: inout Seeded) -> String? { random.chance(50) ? random.string() : nil }
        return Placement(
            kind: "k" + random.string(), family: optional(&random), intent: optional(&random),
            configuration: optional(&random), instance: optional(&random))
    }
}
