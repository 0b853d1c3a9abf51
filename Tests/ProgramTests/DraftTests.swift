import CensusCore
import Foundation
import PostgresTesting
import Testing

@testable import widget_census

/// `manifests draft`, on small projects of our own and on a simulated fleet.
@Suite struct `Drafts of manifests` {
    private static let projects = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Projects").path

    private func kinds(_ json: String) throws -> [String: Manifest.Kind] {
        let manifest = try ManifestReader.read(Array(json.utf8))
        return Dictionary(uniqueKeysWithValues: manifest.kinds.map { ($0.id.description, $0) })
    }

    @Test func `a draft has an Xcode project's kinds, families, intents, bundle id and version`() async throws {
        let draft = try await Program().run("manifests", "draft", "--from", Self.projects + "/Apple")
        #expect(draft.status == 1, "one kind is a function's argument")
        let manifest = try ManifestReader.read(Array(draft.output.utf8))
        #expect(manifest.appID == "com.example.harbour")
        #expect(manifest.appVersion == "4.7.1")
        let kinds = try kinds(draft.output)
        #expect(
            kinds.keys.sorted() == [
                "FerryAttributes (live_activity)", "HornControl (control)", "harbour.berths", "harbour.lamp (control)",
                "moon", "tides.next", "tides.sun",
            ])
        #expect(kinds["tides.next"]?.families == ["accessoryInline", "systemMedium", "systemSmall"])
        #expect(kinds["tides.next"]?.intent == "TidePlaceIntent")
        #expect(kinds["tides.next"]?.migratesFrom == ["TideIntent"])
        #expect(kinds["moon"]?.intent == .static)
        #expect(kinds["tides.sun"]?.families == nil)
        #expect(kinds["harbour.berths"]?.intent == "BerthIntent")
        #expect(kinds["harbour.berths"]?.families == ["systemMedium"])
        #expect(kinds["harbour.lamp (control)"]?.intent == "LampIntent")
        #expect(kinds["HornControl (control)"]?.intent == .static)
        #expect(kinds["FerryAttributes (live_activity)"]?.intent == .unstated)
    }

    @Test func `standard error has the origin of each value and lists missing ones`() async throws {
        let draft = try await Program().run("manifests", "draft", "--from", Self.projects + "/Apple")
        #expect(
            draft.errors.contains(
                "app com.example.harbour: the bundle id of the target Harbour of Harbour.xcodeproj/project.pbxproj\n"))
        #expect(draft.errors.contains("tides.next: Widgets/TideWidgets.swift:21, Widgets/TideWidgets.swift:27\n"))
        #expect(draft.errors.contains("  intent: TidePlaceIntent, which migrates from TideIntent\n"))
        #expect(draft.errors.contains("  families: not stated, because there is no supportedFamilies\n"))
        #expect(
            draft.errors.contains(
                "missing: Widgets/Others.swift:47: the kind of this StaticConfiguration: kind is not a constant"))
        #expect(draft.errors.components(separatedBy: "missing: ").count == 2)
    }

    @Test func `a draft has a line for each kind, and manifests add accepts it`() async throws {
        let draft = try await Program().run("manifests", "draft", "--from", Self.projects + "/Apple").output
        #expect(draft.split(separator: "\n").count { $0.contains(#"{"kind": "#) } == 7)
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        try await program.run("apps", "add", "com.example.harbour")
        let added = try await program.run("manifests", "add", "-", input: draft)
        #expect(added.output == "added com.example.harbour 4.7.1: 7 kinds\n", "\(added.errors)")
        try await database.drop()
    }

    @Test func `a draft of a single Swift file needs the app and the version`() async throws {
        let file = Self.projects + "/Apple/Widgets/TideWidgets.swift"
        let bare = try await Program().run("manifests", "draft", "--from", file)
        #expect(bare.status == 2 && bare.output.isEmpty)
        #expect(bare.errors.contains("found no app id: give --app, and no version: give --app-version"))
        let named = try await Program().run(
            "manifests", "draft", "--from", file, "--app", "com.example.a", "--app-version", "9")
        #expect(named.status == 0, "\(named.errors)")
        let manifest = try ManifestReader.read(Array(named.output.utf8))
        #expect((manifest.appID, manifest.appVersion, manifest.kinds.count) == ("com.example.a", "9", 4))
        // The type is declared in another file.
        #expect(manifest.kinds.first { $0.name == "tides.next" }?.migratesFrom.isEmpty == true)
    }

    @Test func `a draft has an Android project's full provider names, id and version`() async throws {
        let draft = try await Program().run("manifests", "draft", "--from", Self.projects + "/Android")
        #expect(draft.status == 1, "a provider without a description")
        let manifest = try ManifestReader.read(Array(draft.output.utf8))
        #expect(manifest.appID == "com.example.harbour.android")
        #expect(manifest.appVersion == "3.14")
        #expect(
            manifest.kinds.map(\.name) == [
                "com.example.harbour.LostWidget", "com.example.harbour.widgets.TideWidget",
                "com.example.library.LibraryWidget", "com.example.other.BerthWidget",
            ])
        #expect(manifest.kinds.allSatisfy { $0.families == nil && $0.intent == .unstated })
        #expect(draft.errors.contains("app com.example.harbour.android: applicationId, app/build.gradle.kts:9\n"))
        #expect(
            draft.errors.contains(
                "  described in app/src/main/res/xml/berth_widget.xml, which hides it from pickers\n"
                    + "  android:enabled is @bool/has_berths\n"))
        #expect(
            draft.errors.contains("missing: app/src/main/AndroidManifest.xml:18: @xml/nowhere is not a description"))
    }

    @Test func `two projects, no project and a missing folder are usage errors`() async throws {
        for (path, words) in [
            (Self.projects, "which are two apps"), (Self.projects + "/Android/gradle", "has no widgets"),
            ("/nowhere/at/all", "there is no /nowhere/at/all"),
        ] {
            let draft = try await Program().run("manifests", "draft", "--from", path)
            #expect(draft.status == 2 && draft.output.isEmpty, "\(path)")
            #expect(draft.errors.contains(words), "\(draft.errors)")
        }
        #expect(try await Program().run("manifests", "draft").status == 2)
    }

    @Test func `a draft of what devices have passes preflight`() async throws {
        try await SimulatedFleet(devices: 60, days: 20).with { program, _, _ in
            let app = SimulatedFleet.app
            let draft = try await program.run("manifests", "draft", "--app", app, "--app-version", "99")
            #expect(draft.status == 0, "\(draft.errors)")
            let kinds = try kinds(draft.output)
            #expect(kinds["com.example.weather.forecast"]?.intent == "WeatherCityIntent")
            #expect(kinds["com.example.weather.forecast"]?.families?.contains("systemSmall") == true)
            #expect(kinds["com.example.weather.ForecastWidgetProvider"]?.families == nil)
            #expect(draft.errors.contains(#/com\.example\.weather\.forecast: on [0-9]+ devices \([0-9.]+%\)/#))
            let passed = try await program.run("preflight", "--manifest", "-", input: draft.output)
            #expect(passed.status == 0, "\(passed.output)")
            let versioned = try await program.run("manifests", "draft", "--app", app)
            #expect(versioned.errors.contains("the newest version on active devices"))
            let listed = try await program.run("manifests", "add", "-", input: versioned.output)
            #expect(listed.status == 0, "\(listed.errors)")
            #expect(try await program.run("manifests", "draft", "--app", "com.example.other").status == 2)
        }
    }
}

/// What a draft reads in Swift sources, construct by construct.
@Suite struct `Widget configurations in Swift` {
    private func draft(_ sources: String...) -> ManifestDraft {
        let read = sources.enumerated().map { SwiftSource(path: "\($0).swift", bytes: Array($1.utf8)) }
        var draft = ManifestDraft()
        draft.add(read)
        return draft
    }

    private func kind(_ expression: String, _ declarations: String) -> String? {
        let source =
            "\(declarations)\nstruct W: Widget { var body: some WidgetConfiguration {\nStaticConfiguration(kind: \(expression), provider: P()) { } } }"
        return draft(source).entries.first?.id.kind.text
    }

    /// An expression, declarations, and the kind.
    private static let kinds: [(String, String, String?)] = [
        (#""plain""#, "", "plain"), (##"#"a\#(x)"b"#"##, "let x = 1", nil), (#""a\u{62}\"c""#, "", #"ab"c"#),
        ("name", #"let name = "global""#, "global"), ("Self.k", #"extension W { static let k: String = "k" }"#, "k"),
        ("K.a.rawValue", #"enum K: String { case a = "x", b }"#, "x"),
        ("K.b.rawValue", "enum K: String { case a, b }", "b"),
        (".b", "enum Kinds: String { case b }", "b"), ("(N.x)", #"enum N { enum M {}; static let x = "n" }"#, "n"),
        ("Outer.N.x", #"struct Outer { enum N { static let x = "deep" } }"#, "deep"),
        (#""\(N.p).q""#, #"enum N { static let p = "p" }"#, "p.q"),
        ("N.p + \".r\"", #"enum N { static let p = "p" }"#, "p.r"),
        ("N.p", #"enum N { static var p: String { return "got" } }"#, "got"),
        ("N.p", #"enum N { static let p = N.p }"#, nil), ("make()", "", nil), ("flag ? \"a\" : \"b\"", "", nil),
        ("String(describing: W.self)", "", "W"), (#""\(Self.self)""#, "", "W"),
        ("String(describing: Self.self)", "", "W"),
        ("N.x", "enum N { static let x = \"1\" }\n#if DEBUG\nextension N { static let x = \"2\" }\n#endif", nil),
    ]

    @Test(arguments: kinds)
    func `a kind is a constant that can be resolved`(expression: String, declarations: String, kind: String?) {
        #expect(self.kind(expression, declarations) == kind)
    }

    @Test func `a draft reads a multi-line string as Swift does`() {
        let text = """
            struct W: Widget {
                var body: some WidgetConfiguration {
                    StaticConfiguration(kind: \"""
                        com.x.\\
                        multi
                          lines
                        \""", provider: P()) { _ in }
                }
            }
            """
        let draft = draft(text)
        #expect(draft.entries.map(\.id.kind.text) == ["com.x.multi\n  lines"])
        #expect(draft.entries.first?.origin == "0.swift:3")
    }

    @Test func `a draft lists files that it can't read as missing`() async throws {
        let folder = TestFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        defer { folder.remove() }
        let widget = "let a = StaticConfiguration(kind: \"a\", provider: P()) { _ in }\n"
        try widget.write(toFile: folder.path + "/A.swift", atomically: true, encoding: .utf8)
        try widget.write(toFile: folder.path + "/B.swift", atomically: true, encoding: .utf16)
        try String(repeating: widget, count: 50_000).write(
            toFile: folder.path + "/C.swift", atomically: true, encoding: .utf8)
        let draft = try await Program().run(
            "manifests", "draft", "--from", folder.path, "--app", "com.example.a", "--app-version", "1")
        #expect(draft.errors.contains("missing: B.swift: it is not in UTF-8"), "\(draft.errors)")
        #expect(draft.errors.contains("missing: C.swift: it has 3 MiB, too much to be written by hand"))
    }

    @Test func `families can be applied to a function's result, and can be a sum of constants`() {
        let draft = draft(
            """
            struct A: Widget {
                var body: some WidgetConfiguration { made().supportedFamilies(both + [.systemLarge]) }
                let both: [WidgetFamily] = [.systemSmall, Self.round]
                static let round = WidgetFamily.accessoryCircular
                func made() -> some WidgetConfiguration { StaticConfiguration(kind: "a", provider: P()) { _ in Text("") } }
            }
            struct B: Widget {
                var body: some WidgetConfiguration {
                    StaticConfiguration(kind: "b", provider: P()) { _ in } .supportedFamilies(Families.all)
                }
            }
            struct C: Widget {
                var body: some WidgetConfiguration {
                    StaticConfiguration(kind: "c", provider: P()) { _ in } .supportedFamilies(unknown() + [.systemMedium])
                }
            }
            """, "enum Families { static let all: [WidgetFamily] = [.systemSmall,\n    .accessoryCircular] }")
        #expect(
            draft.entries.map(\.families) == [
                ["accessoryCircular", "systemLarge", "systemSmall"], ["systemSmall", "accessoryCircular"],
                ["systemMedium"],
            ])
        #expect(draft.gaps == ["0.swift:14: families of c, in unknown()+[.systemMedium]; add them by hand"])
    }

    @Test(arguments: [
        "typealias Intent = I", "typealias Configuration = M.I", "func currentValue(configuration: I) async -> V { v }",
        "func timeline(for configuration: I, in context: Context) async -> T { t }",
    ])
    func `a control has the intent that its provider names`(declaration: String) {
        let draft = draft(
            "struct P: AppIntentControlValueProvider { \(declaration) }",
            #"let c = AppIntentControlConfiguration(kind: "c", provider: P()) { _ in }"#)
        #expect(draft.entries.map(\.intent) == ["I"] && draft.gaps.isEmpty)
    }

    @Test func `two intents of a kind leave its intent unstated`() {
        let draft = draft(
            #"let a = AppIntentConfiguration(kind: "k", intent: A.self, provider: P()) { _ in }"#
                + "\n" + #"let b = IntentConfiguration(kind: "k", intent: B.self, provider: P()) { _ in }"#)
        #expect(draft.entries.map(\.intent) == [.unstated])
        #expect(draft.gaps == ["k: places differ about the intent: A and B (0.swift:1, 0.swift:2); add the right one"])
    }

    @Test func `broken sources end the scan and contain no widgets`() {
        for source in [
            "StaticConfiguration(", "\"", "/* ", "struct", "let x = \"\\(", "extension A.", "#\"", "}}}", "case a = ",
            "StaticConfiguration()", "enum E { case", "\"\"\"\n\\(\"", "let a: [", "typealias X =",
        ] {
            #expect(draft(source).entries.isEmpty, "\(source)")
        }
    }
}
