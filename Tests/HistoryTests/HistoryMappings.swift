import Foundation
import Testing

@testable import History

/// The file that says what another tool's events mean.
@Suite struct `History mappings` {
    private func problem(_ yaml: String) -> String? {
        do {
            _ = try HistoryMapping(yaml: yaml)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `a mapping defines the meaning of each event`() throws {
        let mapping = try HistoryMapping(
            yaml: """
                app: com.example.weather
                fields: {device: user_properties.device}
                events:
                  added: {type: widget_installed, kind: name, family: =systemSmall}
                  opened:
                    - {type: widgets_reported, list: widgets, item: "{kind}-{family}", error: failure, where: {from: app}}
                    - {type: widgets_reported, counts: counts}
                ignore: [first_open]
                kinds: {StoreWidget: {kind: store, family: systemMedium}, other: radar}
                """)
        #expect(mapping.constants["app"] == "com.example.weather")
        #expect(mapping.fields == ["device": "user_properties.device"])
        #expect(mapping.events["opened"]?.count == 2)
        #expect(mapping.events["opened"]?.first?.conditions == ["from": "app"])
        #expect(mapping.ignored == ["first_open"])
        #expect(mapping.names["other"]?.kind == "radar" && mapping.names["StoreWidget"]?.family == "systemMedium")
    }

    @Test(arguments: [
        (
            "events:\n  a: {type: widget_instaled, kind: k}",
            "line 2: events.a.type must be an event type; did you mean widget_installed?"
        ),
        (
            "events:\n  a: {type: widget_installed, knid: k}",
            "line 2: events.a has an unknown field `knid`; did you mean `kind`?"
        ),
        ("events:\n  a: {type: widget_installed}", "line 2: events.a has no `kind`"),
        (
            "events:\n  a: {type: widgets_reported}",
            "line 2: events.a needs `list`, `counts` or `flags`: where its widgets are"
        ),
        (
            "events:\n  a: {type: widgets_reported, list: l, item: '{kind}{family}'}",
            "line 2: events.a.item must be like `{kind}` or `{kind}-{family}`, with something between the two"
        ),
        (
            "events:\n  a: {type: widget_opened, kind: k, surface: watch}",
            "line 2: events.a.surface must be one of widget, control, live_activity, today"
        ),
        (
            "platform: web\nevents: {a: app_opened}",
            "line 1: platform must be one of ios, ipados, macos, watchos, visionos, android"
        ),
        ("zone: CET\nevents: {a: app_opened}", "line 1: zone must be UTC, or a name such as America/New_York"),
        ("app: a", "the mapping has no `events`, so nothing would be counted"),
        ("- a", "line 1: the mapping must be an object with names and values"),
    ])
    func `an error names the problem and its line`(yaml: String, told: String) {
        #expect(problem(yaml) == told)
    }

    @Test func `the schema lists exactly the known fields`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/reference/mapping.schema.json")
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        func names(_ path: String...) -> Set<String> {
            let object = path.reduce(schema) { object, name in
                (object?[name] as? [String: Any]) ?? (object?[name] as? [[String: Any]])?.last
            }
            return Set((object?["properties"] as? [String: Any] ?? [:]).keys)
        }
        #expect(names() == Set(HistoryMapping.constantNames + ["zone", "fields", "events", "ignore", "kinds"]))
        #expect(names("properties", "fields") == Set(HistoryMapping.fieldNames))
        #expect(names("$defs", "event", "anyOf") == Set(HistoryMapping.Event.fields))
    }

    @Test func `every example is a valid mapping`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../examples/mappings")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count > 4)
        for file in files {
            let mapping = try HistoryMapping(yaml: String(contentsOf: file, encoding: .utf8))
            #expect(mapping.constants["app"] == "com.example.weather", "\(file.lastPathComponent)")
        }
    }

    @Test func `a pattern reads a name from its end`() {
        let pattern = HistoryMapping.Pattern("{kind}-{family}")
        #expect(pattern?.read("store-info-systemSmall") == .init(kind: "store-info", family: "systemSmall"))
        #expect(pattern?.read("store") == nil && pattern?.read("-systemSmall") == nil)
        #expect(HistoryMapping.Pattern("widget_{kind}_on")?.read("widget_today_home_on") == .init(kind: "today_home"))
        #expect(HistoryMapping.Pattern("{family}") == nil && HistoryMapping.Pattern("{kind}{x}") == nil)
    }
}
