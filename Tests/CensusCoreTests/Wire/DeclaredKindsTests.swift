import Testing

@testable import CensusCore

/// Warnings about kinds and families that batches name and no manifest declares.
@Suite struct `Declared kinds` {
    private let declared = DeclaredKinds([
        .init("weather", families: ["systemSmall", "systemMedium"]), .init("search"),
        .init("switch", surface: .control, families: []),
    ])

    static let cases: [(widget: String, surface: String, code: BatchWarning.Code?)] = [
        (#"{"kind":"weather","family":"systemSmall"}"#, "widget", nil), (#"{"kind":"weather"}"#, "widget", nil),
        (#"{"kind":"weather","family":"systemLarge"}"#, "widget", .undeclaredFamily),
        (#"{"kind":"wether","family":"systemSmall"}"#, "widget", .undeclaredKind),
        (#"{"kind":"search","family":"4x2"}"#, "widget", nil), (#"{"kind":"switch"}"#, "control", nil),
        (#"{"kind":"weather"}"#, "control", .undeclaredKind),
        (#"{"kind":"any"}"#, "live_activity", nil),
        // Looks like the declared name, but is a different one.
        (#"{"kind":"we\u0430ther"}"#, "widget", .undeclaredKind),
    ]

    private func batch(_ widget: String, on surface: String) throws -> Batch {
        var body = Body()
        body.events = [
            Body.event(id: "1"),
            #"{"id":"2","type":"widgets_reported","at":"2026-11-21T09:59:00Z","surface":"\#(surface)","widgets":[\#(widget)]}"#,
        ]
        return try BatchDecoder().decode(Array(body.text.utf8), received: Body.received)
    }

    @Test(arguments: cases) func `declared kinds match by surface, name and family`(
        widget: String, surface: String, code: BatchWarning.Code?
    ) throws {
        let warnings = declared.warnings(of: try batch(widget, on: surface))
        #expect(warnings.map(\.code) == (code.map { [$0] } ?? []))
        #expect(
            warnings.allSatisfy { $0.index == 1 && $0.pointer == "/events/1/widgets" && !$0.message.contains("wether") }
        )
    }

    @Test func `a warning points at the widget of an event that has one`() throws {
        var body = Body()
        body.events = [Body.event(id: "1").replacing("weather", with: "wether")]
        let batch = try BatchDecoder().decode(Array(body.text.utf8), received: Body.received)
        #expect(declared.warnings(of: batch).map(\.pointer) == ["/events/0/widget"])
    }

    @Test func `an app without a manifest gets no warning`() throws {
        #expect(DeclaredKinds().warnings(of: try batch(#"{"kind":"wether"}"#, on: "widget")) == [])
    }
}
