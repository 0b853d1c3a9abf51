import CensusCore
import Testing

@testable import History

/// Apps' lists of widgets. An unreadable list is an error, never an empty list.
@Suite struct `Listed widgets` {
    private func outcome(of list: String, _ meaning: String = "list: w") throws -> HistoryTranslator.Outcome {
        let yaml = """
            {app: a, platform: ios, version: "1", events: {opened: {type: widgets_reported, \(meaning)}},
             kinds: {StoreWidget: {kind: store, family: systemMedium}}}
            """
        let translator = HistoryTranslator(HistoryFormat(.mixpanel), try HistoryMapping(yaml: yaml))
        let record = #"{"event": "opened", "properties": {"time": 1772445600, "distinct_id": "A1", "w": \#(list)}}"#
        return translator.translate(ExportedRecord(line: 1, bytes: Array(record.utf8))).outcome
    }

    private func expect(
        _ list: String, reports expected: [Placement: Int], location: SourceLocation = #_sourceLocation
    ) throws {
        guard case .batch(let bytes) = try outcome(of: list) else {
            Issue.record("\(try outcome(of: list))", sourceLocation: location)
            return
        }
        let event = try #require(BatchDecoder().decodeArchived(bytes).batch.events.first).get()
        #expect(try event.event.decoded() == .reported(expected), sourceLocation: location)
    }

    /// Regression: all widgets counted as removed.
    @Test(arguments: [
        ("[null]", "an element that is null"), (#"["weather", null]"#, "an element that is null"),
        ("[1]", "an element that is a number"), (#"[true, "weather"]"#, "an element that is true or false"),
        (#"[["weather"]]"#, "an element that is an array"), (#"["weather", " "]"#, "an element that is empty"),
        (#"["weather", {}]"#, "an element without `kind`"), (#"[{"name": "weather"}]"#, "an element without `kind`"),
        (#"[{"kind": 1}]"#, "an element whose `kind` is a number"),
        (#"[{"kind": "weather", "family": ["systemSmall"]}]"#, "an element whose `family` is an array"),
        (#"[{"kind": "weather", "count": 0}]"#, "an element whose `count` is not a number from 1 on"),
        (#""[{\"name\": \"weather\"}]""#, "an element without `kind`"),
        (#""weather,,search""#, "an element that is empty"), (#"",""#, "an element that is empty"),
    ])
    func `an element that names no widget fails the record`(list: String, fault: String) throws {
        guard case .failed(let reason) = try outcome(of: list) else {
            Issue.record("\(list) was read")
            return
        }
        #expect(reason.hasPrefix("the list `w` has \(fault); "), "\(reason)")
    }

    @Test(arguments: ["{}", #"{"weather": true}"#, #""{\"weather\": 1}""#, "1", "true", #""null""#, #""[weather""#])
    func `a value that is not a list fails the record`(list: String) throws {
        guard case .failed(let reason) = try outcome(of: list) else {
            Issue.record("\(list) was read")
            return
        }
        #expect(reason.contains("`w` "), "\(reason)")
        if list.contains("{") { #expect(reason.contains("`counts: w`"), "\(reason)") }
    }

    @Test func `objects are read with the widget fields of the ingest API`() throws {
        let small = Placement(kind: "weather", family: "systemSmall")
        try expect(#"[{"kind": "weather", "family": "systemSmall"}]"#, reports: [small: 1])
        try expect(#""[{\"kind\": \"weather\", \"family\": \"systemSmall\"}]""#, reports: [small: 1])
        try expect(
            #"[{"kind": "weather", "family": "systemSmall", "count": 2, "size": 3}, "weather", {"kind": "StoreWidget"}]"#,
            reports: [small: 2, Placement(kind: "weather"): 1, Placement(kind: "store", family: "systemMedium"): 1])
        try expect(
            #"[{"kind": "a", "family": null, "intent": "I", "configuration": "c", "instance": "7"}]"#,
            reports: [Placement(kind: "a", intent: "I", configuration: "c", instance: "7"): 1])
    }

    @Test func `a list can be empty, and its text can end with a separator`() throws {
        for list in ["[]", #""""#, #"" \n""#, #"" []""#] { try expect(list, reports: [:]) }
        try expect(#""weather, search,\n""#, reports: [Placement(kind: "weather"): 1, Placement(kind: "search"): 1])
    }
}
