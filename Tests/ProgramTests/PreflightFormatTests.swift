import CensusCore
import Foundation
import SchemaTesting
import Testing

@testable import Pages
@testable import widget_census

/// What pipelines read: a verdict with every severity, and names that each format must escape.
@Suite struct `Preflight formats` {
    private static let today = Day(daysSince1970: 20_000)

    private func report(_ isDecided: Bool = true, allowsUnknown: Bool = false) -> PreflightReport {
        let old = Manifest.Kind.ID(surface: .widget, kind: "we<at>&\"her, 100%: a\r\nb\u{1}")
        let other = Manifest.Kind.ID(surface: .control, kind: "other")
        let manifest = Manifest(
            appID: "com.example.weather", appVersion: "2.0",
            kinds: [.init("new", intent: "City"), .init("other", surface: .control, intent: "OtherIntent")])
        let preflight = Preflight(
            manifest, alive: [],
            cells: [HeldCell(kind: old, appVersion: "1.0"), HeldCell(kind: other, appVersion: "1.0")])
        let verdict = PreflightVerdict(
            preflight, of: manifest,
            base: PreflightBase(
                devicesActive: isDecided ? 412_318 : 0, devicesReporting: isDecided ? 383_456 : 0, versions: ["1.0"],
                asOf: Timestamp(microseconds: 1_732_000_000_000_000)),
            counts: isDecided
                ? preflight.changes.indices.map { position in
                    PreflightCount(
                        changes: [position], certainChanges: [position], appVersion: "1.0", devices: 11_204,
                        widgetsCertain: 12_000, widgetsPossible: 12_000)
                } : [], minimumCoverage: 0.9, allowance: .init(), allowsUnknown: allowsUnknown, today: Self.today
        ) { $0.suffix(6) + [] }
        return PreflightReport(
            verdict: verdict, file: "ci/mani fest.json", location: "ci/mani fest.json", actor: "anna", version: "1.0",
            today: Self.today
        )
    }

    /// A report on kinds that `devices` devices each have in the family `small`, with a manifest's text.
    private func report(
        _ kinds: [String], _ text: String, acknowledged: String? = nil, devices: Int = 9
    ) throws -> PreflightReport {
        let manifest = try ManifestReader.read(Array(text.utf8))
        let preflight = Preflight(
            manifest, alive: [],
            cells: kinds.map {
                HeldCell(kind: .init(surface: .widget, kind: Text($0)), family: "small", appVersion: "1.0")
            })
        func verdict(_ acknowledgements: [PreflightAcknowledgement]) -> PreflightVerdict {
            PreflightVerdict(
                preflight, of: manifest,
                base: PreflightBase(devicesActive: 100, devicesReporting: 100, versions: ["1.0"], asOf: .now),
                counts: preflight.changes.indices.map {
                    PreflightCount(
                        changes: [$0], certainChanges: [$0], appVersion: "1.0", devices: devices,
                        widgetsCertain: devices,
                        widgetsPossible: devices)
                }, minimumCoverage: 0.9, allowance: .init(), acknowledgements: acknowledgements, today: Self.today
            ) { [UInt8(truncatingIfNeeded: $0.reduce(0) { 31 &* $0 &+ Int($1) })] + $0.suffix(5) }
        }
        let given = verdict([]).findings.filter { $0.change.kind.kind.text == acknowledged }.map { finding in
            PreflightAcknowledgement(
                fingerprint: finding.fingerprint, maximumLoss: 99, until: Self.today, by: "anna", reason: "agreed",
                at: .now)
        }
        return PreflightReport(
            verdict: verdict(given), file: "m.json", location: "m.json", places: ManifestPlaces(Array(text.utf8)),
            actor: "anna", version: "1.0", today: Self.today)
    }

    private func results(_ report: PreflightReport) throws -> [(rule: String, level: String, line: Int, hash: String)] {
        let log = try JSONSerialization.jsonObject(with: Data(report.text(as: .sarif).utf8)) as? [String: Any]
        let run = try #require((log?["runs"] as? [[String: Any]])?.first)
        return try #require(run["results"] as? [[String: Any]]).map { result in
            let place = try #require((result["locations"] as? [[String: [String: [String: Any]]]])?.first)
            return (
                try #require(result["ruleId"] as? String), try #require(result["level"] as? String),
                try #require(place["physicalLocation"]?["region"]?["startLine"] as? Int),
                try #require((result["partialFingerprints"] as? [String: String])?["primaryLocationLineHash"])
            )
        }
    }

    @Test func `text has the comparison, each loss and the verdict`() {
        let text = report().text(as: .text)
        #expect(
            text.hasPrefix(
                "Compared 2 changes against 412,318 devices (coverage 93%, as of 2024-11-19, version 1.0)\n"))
        #expect(text.contains("11,204 devices would lose it (2.7%)"))
        #expect(
            text.contains(
                "--manifest 'ci/mani fest.json' --max-loss 12000 --until 2024-11-03 --by anna --because \"...\""))
        #expect(!text.contains("\u{1}") && !text.contains("\r"))
        #expect(text.hasSuffix("FAIL: 11,204 devices would lose a widget (allowed: 0; see --allow-loss)\n"))
    }

    @Test func `a lost intent loses settings, not the widget`() throws {
        let held = ["a", "b"].map {
            HeldCell(kind: .init(surface: .widget, kind: Text($0)), intent: "CityIntent", appVersion: "1.0")
        }
        func report(_ kinds: Manifest.Kind...) -> PreflightReport {
            let manifest = Manifest(appID: "com.example.weather", appVersion: "2.0", kinds: kinds)
            let preflight = Preflight(manifest, alive: [], cells: held)
            let verdict = PreflightVerdict(
                preflight, of: manifest, base: PreflightBase(devicesActive: 10, devicesReporting: 10),
                counts: preflight.changes.indices.map {
                    PreflightCount(changes: [$0], certainChanges: [$0], appVersion: "1.0", devices: 4)
                }, minimumCoverage: 0.9, allowance: .init(), today: Self.today
            ) { $0.suffix(6) + [] }
            return PreflightReport(
                verdict: verdict, file: "m.json", location: "m.json", actor: "anna", version: "1.0", today: Self.today)
        }
        let settings = report(.init("a", intent: .static), .init("b"))
        #expect(
            settings.text(as: .text).contains("intent_dropped  a   4 devices would lose at least its settings (40%)"))
        #expect(
            settings.text(as: .text).contains("FAIL: 4 devices would lose at least a widget's settings (allowed: 0"))
        #expect(settings.text(as: .json).contains(#""loses":"settings""#))
        #expect(try JSONSchema(reference: "preflight.schema.json").accepts(settings.text(as: .json)))
        let both = report(.init("a", intent: .static))
        #expect(both.text(as: .text).contains("kind_dropped    b   4 devices would lose it (40%)"))
        #expect(both.text(as: .text).contains("FAIL: 8 devices would lose a widget or its settings (allowed: 0"))
        #expect(report(.init("a", intent: "NewIntent"), .init("b")).text(as: .json).contains(#""loses":"widget""#))
    }

    @Test func `Markdown begins with the verdict, and escapes names`() throws {
        let text = report().text(as: .markdown)
        #expect(text.hasPrefix("## Preflight of com.example.weather 2.0\n\n**FAIL: 11,204 devices would lose a widget"))
        #expect(text.contains("| FAIL | kind\\_dropped | we&lt;at&gt;&amp;\"her, 100%: a"))
        #expect(text.contains("### kind\\_dropped we&lt;at&gt;"))
        #expect(text.contains("~~~sh\nwidget-census preflight acknowledge "))
        #expect(!text.contains("\u{1}") && !text.contains("<at>"))
        let many = try report(
            (0..<300).map { "kind\($0)" }, #"{"app": {"id": "a", "version": "2"}, "kinds": []}"#
        ).text(as: .markdown)
        #expect(many.components(separatedBy: "\n| FAIL | ").count == 201)
        #expect(many.contains("And 100 more: "))
        let broken = PreflightVerdict(
            [.init(pointer: "/kinds/0", message: "no"), .init(pointer: "/app", message: "nor")], allowsUnknown: false)
        let invalid = PreflightReport(
            verdict: broken, file: "m.json", location: "m.json", actor: "anna", version: "1.0", today: Self.today
        ).text(as: .markdown)
        #expect(invalid.contains("**not a manifest: ") && invalid.contains("\n- /app: nor\n"))
    }

    @Test(arguments: [true, false]) func `JSON matches its schema`(isDecided: Bool) throws {
        let json = report(isDecided).text(as: .json)
        #expect(try JSONSchema(reference: "preflight.schema.json").accepts(json))
        let undecided = PreflightVerdict(
            undecided: Manifest(appID: "a", appVersion: "1", kinds: []), because: "away", allowsUnknown: false)
        let away = PreflightReport(
            verdict: undecided, file: "-", location: "manifest.json", actor: "anna", version: "1.0", today: Self.today
        ).text(as: .json)
        #expect(try JSONSchema(reference: "preflight.schema.json").accepts(away))
    }

    @Test(arguments: [(true, false), (false, false), (false, true)])
    func `JUnit fails exactly when the exit status is not 0`(isDecided: Bool, allowsUnknown: Bool) throws {
        let report = report(isDecided, allowsUnknown: allowsUnknown)
        let xml = report.text(as: .junit)
        let suite = try #require(xml.firstMatch(of: /failures="([0-9]+)" errors="([0-9]+)" skipped="([0-9]+)"/))
        #expect((suite.1 != "0" || suite.2 != "0") == (report.verdict.exitStatus != 0))
        #expect(xml.components(separatedBy: "<failure ").count - 1 == Int(suite.1))
        #expect(xml.components(separatedBy: "<error ").count - 1 == Int(suite.2))
        #expect(xml.components(separatedBy: "<skipped ").count - 1 == Int(suite.3))
        #expect(xml.components(separatedBy: "<testcase ").count - 1 == report.verdict.findings.count + 1)
        #expect(!xml.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        if isDecided { #expect(xml.contains("we&lt;at&gt;&amp;&quot;her, 100%: a")) }
    }

    @Test func `each GitHub annotation is one line, and no name ends it`() {
        let lines = report().text(as: .github).split(separator: "\n").map(String.init)
        #expect(lines.count == report().verdict.findings.count + 1)
        #expect(lines[0].contains("title=preflight of 2.0::"))
        #expect(
            lines.allSatisfy {
                $0.wholeMatch(of: /::(error|warning|notice) file=ci\/mani fest\.json,line=1,title=[^:,]*::[^\r\n]+/)
                    != nil
            })
        #expect(lines.contains { $0.contains("title=kind_dropped we<at>&\"her%2C 100%25%3A a\u{FFFD}\u{FFFD}b") })
    }

    @Test func `SARIF has what code scanning needs`() throws {
        let sarif = report().text(as: .sarif)
        let log = try #require(try JSONSerialization.jsonObject(with: Data(sarif.utf8)) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
        let rules = try #require(driver["rules"] as? [[String: Any]]).compactMap { $0["id"] as? String }
        #expect(rules == PreflightRule.allCases.map(\.rawValue) + ["could_not_decide", "invalid_manifest"])
        let results = try #require(run["results"] as? [[String: Any]])
        let verdict = report().verdict
        let open = verdict.findings.count { $0.severity != .acknowledged && $0.severity != .none }
        // What preflight could not decide has its own result.
        #expect(results.count == open + (verdict.doubts.isEmpty ? 0 : 1))
        for result in results {
            let rule = try #require(result["ruleIndex"] as? Int)
            #expect(rules[rule] == result["ruleId"] as? String)
            #expect(["error", "warning"].contains(result["level"] as? String))
            #expect(result["kind"] as? String == "fail")
            let fingerprints = try #require(result["partialFingerprints"] as? [String: String])
            #expect(fingerprints["widgetCensusPreflight/v1"]?.count == (rules[rule] == "could_not_decide" ? 16 : 12))
            let text = try #require((result["message"] as? [String: String])?["text"])
            #expect(!text.isEmpty)
        }
        #expect(sarif.contains(#""uri":"ci/mani%20fest.json""#))
        let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
        #expect(invocation["exitCode"] as? Int == 1)
    }

    @Test func `SARIF has a distinct result at each kind's line, and none for a settled kind`() throws {
        let text = """
            {"app": {"id": "a", "version": "2"},
             "kinds": [
               {"kind": "one", "families": ["large"]},
               {"families": ["large"],
                "kind": "two"},
               {"kind": "three", "families": ["small", "large"]}]}
            """
        let found = try results(
            report(["one", "two", "three", "gone", "left", "agreed"], text, acknowledged: "agreed"))
        let places = found.map { "\($0.rule) \($0.line)" }.sorted()
        #expect(places == ["family_dropped 3", "family_dropped 5", "kind_dropped 2", "kind_dropped 2"])
        #expect(Set(found.map(\.hash)).count == 4)
        // The same findings with other figures are the same alerts.
        let later = try results(report(["one", "two", "gone", "left"], text, devices: 11))
        #expect(Set(later.map(\.hash)) == Set(found.map(\.hash)))
        #expect(try results(report(["three"], text)).isEmpty)
    }

    @Test(arguments: [false, true]) func `a run that can't decide has its own result in every format`(
        allowsUnknown: Bool
    ) throws {
        let away = PreflightVerdict(
            undecided: Manifest(appID: "a", appVersion: "1", kinds: []), because: "away", allowsUnknown: allowsUnknown)
        let broken = PreflightVerdict([.init(pointer: "/kinds/0", message: "no")], allowsUnknown: allowsUnknown)
        for (verdict, rule) in [(away, "could_not_decide"), (broken, "invalid_manifest")] {
            let report = PreflightReport(
                verdict: verdict, file: "m.json", location: "m.json", places: ManifestPlaces(Array("{\n".utf8)),
                actor: "anna", version: "1.0", today: Self.today)
            let found = try results(report)
            #expect(found.map(\.rule) == [rule])
            #expect(found.map(\.level) == [verdict.isPassed ? "warning" : "error"])
            let lines = report.text(as: .github).split(separator: "\n")
            #expect(lines.first?.hasPrefix(verdict.isPassed ? "::warning " : "::error ") == true)
            #expect(try JSONSchema(reference: "preflight.schema.json").accepts(report.text(as: .json)))
            #expect(report.text(as: .junit).contains(#"errors="1""#) == !verdict.isPassed)
            #expect(report.text(as: .json).contains(#""passed":\#(verdict.isPassed)"#))
        }
        let undecided = report(false, allowsUnknown: allowsUnknown)
        #expect(try results(undecided).contains { $0.rule == "could_not_decide" })
    }

    @Test(arguments: [1, 8, 9, 10, 13, 300]) func `GitHub gets the verdict first, and findings past ten in one list`(
        count: Int
    ) throws {
        let kinds = (0..<count).map { "kind\($0)" }
        let report = try report(kinds, #"{"app": {"id": "a", "version": "2"}, "kinds": []}"#)
        let lines = report.text(as: .github).split(separator: "\n")
        #expect(lines.count == min(10, count + 1))
        #expect(lines.allSatisfy { $0.hasPrefix("::error ") })
        #expect(lines.first?.contains("title=preflight of 2::") == true)
        let named = lines.joined()
        // Eight findings have their own annotation, and the last annotation lists up to a hundred.
        #expect(named.components(separatedBy: "kind_dropped ").count - 1 == min(count, 108))
        #expect((count > 9) == (lines.last?.contains("title=and \(count - 8) more") == true))
    }

    @Test func `a manifest's places are the lines and columns of its kinds and faults`() {
        let text =
            "{\"app\": {\"id\": \"a\"},\r\n \"kinds\": [{\"surface\": \"control\", \"kind\": \"😀k\"},\n{\"famlies\": [1,\n2]}]}"
        let places = ManifestPlaces(Array(text.utf8))
        #expect(places.place(of: .init(surface: .control, kind: "😀k")) == .init(line: 2, column: 43, endColumn: 48))
        #expect(places.place(of: .init(surface: .widget, kind: "😀k")) == nil)
        #expect(places.place(at: "/kinds/1/famlies") == .init(line: 3, column: 2, endColumn: 11))
        #expect(places.place(at: "/kinds/1/famlies/1").line == 4)
        #expect(places.place(at: "/kinds/1/kind").line == 3)
        #expect(places.place(at: "/app/version").line == 1)
        #expect(places.place(at: "/nothing") == .init())
        #expect(ManifestPlaces(Array("{\n\n x".utf8)).place(at: "").line == 3)
        #expect(ManifestPlaces().place(at: "/kinds") == .init())
    }

    @Test func `a code host gets the manifest's path within the repository`() {
        func location(_ path: String, in workspace: String? = nil) -> String {
            ManifestFile.location(of: path, workspace: workspace, directory: "/repository/ios")
        }
        #expect(location("m.json") == "m.json")
        #expect(location("./m.json") == "m.json")
        #expect(location("m.json", in: "/repository") == "ios/m.json")
        #expect(location("../m.json", in: "/repository") == "m.json")
        #expect(location("/repository/a/m.json", in: "/repository/") == "a/m.json")
        #expect(location("/elsewhere/m.json", in: "/repository") == "/elsewhere/m.json")
        #expect(location("-") == "manifest.json")
    }
}
