import SchemaTesting
import SeededRandom
import Testing

@testable import CensusCore

/// Which JSON is read as a manifest, and which is rejected with which message.
@Suite struct `Manifests` {
    /// An otherwise valid manifest with these kinds.
    private static func manifest(_ kinds: String) -> String {
        #"{"app": {"id": "com.example.weather", "version": "20.12"}, "kinds": [\#(kinds)]}"#
    }

    private static let good = [
        manifest(""),
        manifest(#"{"kind": "weather"}"#),
        manifest(
            #"{"kind": "weather", "surface": "control", "families": ["systemSmall"], "intent": "CityIntent", "#
                + #""migrates_from": ["OldIntent"], "replaces": "old"}"#),
        manifest(
            #"{"kind": "a", "surface": null, "families": null, "intent": null, "migrates_from": null, "replaces": null}"#
        ),
        manifest(#"{"kind": "a", "families": []}, {"kind": "a", "surface": "today"}"#),
        manifest(#"{"kind": "\#(String(repeating: "é", count: 200))"}"#),
    ]

    /// A bad manifest, the pointer of its first problem, words of the message, and whether the published schema rejects it.
    struct Refused: CustomTestStringConvertible {
        var json: String
        var pointer: String
        var words: String
        var isSeenBySchema = true
        var testDescription: String { "\(pointer) \(words)" }
    }

    private static let bad: [Refused] = [
        .init(json: "[]", pointer: "", words: "must be an object"),
        .init(json: #"{"kinds": []}"#, pointer: "", words: "`app` is missing"),
        .init(json: #"{"app": {"id": "a", "version": "1"}}"#, pointer: "", words: "`kinds` is missing"),
        .init(
            json: #"{"app": {"id": "a", "version": 1}, "kinds": []}"#, pointer: "/app/version",
            words: "must be a non-empty string"),
        .init(json: #"{"app": {"id": "", "version": "1"}, "kinds": []}"#, pointer: "/app/id", words: "non-empty"),
        .init(json: #"{"app": {"id": "a"}, "kinds": []}"#, pointer: "/app", words: "`version` is missing"),
        .init(json: #"{"app": {"id": "a", "version": "1"}, "kinds": {}}"#, pointer: "/kinds", words: "must be a list"),
        .init(json: manifest("7"), pointer: "/kinds/0", words: "must be an object"),
        .init(json: manifest("{}"), pointer: "/kinds/0", words: "`kind` is missing"),
        .init(
            json: manifest(#"{"kind": "a", "famlies": []}"#), pointer: "/kinds/0/famlies",
            words: "unknown field; did you mean `families`?"),
        .init(
            json: manifest(#"{"kind": "a", "migratesFrom": []}"#), pointer: "/kinds/0/migratesFrom",
            words: "did you mean `migrates_from`?"),
        .init(
            json: manifest(#"{"kind": "a", "colour": 1}"#), pointer: "/kinds/0/colour",
            words: "the fields are `kind`, "),
        .init(json: manifest(#"{"kind": "a", "a/b~": 1}"#), pointer: "/kinds/0/a~1b~0", words: "unknown field"),
        .init(
            json: manifest(#"{"kind": "a", "surface": "widgets"}"#), pointer: "/kinds/0/surface",
            words: "did you mean widget?"),
        .init(
            json: manifest(#"{"kind": "a", "families": "systemSmall"}"#), pointer: "/kinds/0/families", words: "a list"),
        .init(
            json: manifest(#"{"kind": "a", "families": [null]}"#), pointer: "/kinds/0/families/0",
            words: "a non-empty string"),
        .init(
            json: manifest(#"{"kind": "a", "families": ["x", "x"]}"#), pointer: "/kinds/0/families/1",
            words: "lists this twice"),
        .init(
            json: manifest(#"{"kind": "\#(String(repeating: "x", count: 201))"}"#), pointer: "/kinds/0/kind",
            words: "longer than 200 characters"),
        .init(json: manifest(#"{"kind": "a\u0000"}"#), pointer: "/kinds/0/kind", words: "U+0000"),
        .init(
            json: manifest((0...1_000).map { #"{"kind": "\#($0)"}"# }.joined(separator: ",")), pointer: "/kinds",
            words: "the limit is 1000"),
        .init(
            json: manifest(
                #"{"kind": "a", "families": ["\#((0...100).map(String.init).joined(separator: "\",\""))"]}"#),
            pointer: "/kinds/0/families", words: "the limit is 100"),
        // Rules that a schema can't express.
        .init(
            json: manifest(#"{"kind": "a"}, {"kind": "b"}, {"kind": "a", "families": []}"#), pointer: "/kinds/2/kind",
            words: "repeats /kinds/0", isSeenBySchema: false),
        .init(
            json: manifest(#"{"kind": "a", "families": ["x"], "families": []}"#), pointer: "/kinds/0/families",
            words: "is given twice", isSeenBySchema: false),
        .init(
            json: manifest(#"{"kind": "a", "migrates_from": ["Old"]}"#), pointer: "/kinds/0/migrates_from",
            words: "needs an `intent`", isSeenBySchema: false),
        .init(
            json: manifest(#"{"kind": "a", "intent": null, "migrates_from": ["Old"]}"#),
            pointer: "/kinds/0/migrates_from", words: "needs an `intent`", isSeenBySchema: false),
        .init(
            json: manifest(#"{"kind": "a", "intent": "I", "migrates_from": ["I"]}"#),
            pointer: "/kinds/0/migrates_from/0", words: "own `intent`", isSeenBySchema: false),
        .init(
            json: manifest(#"{"kind": "a", "replaces": "a"}"#), pointer: "/kinds/0/replaces", words: "the kind itself",
            isSeenBySchema: false),
        .init(
            json: manifest(#"{"kind": "\#(String(repeating: "日", count: 167))"}"#), pointer: "/kinds/0/kind",
            words: "500 bytes", isSeenBySchema: false),
    ]

    @Test(arguments: good) func `a good manifest is read, and the published schema accepts it`(json: String) throws {
        let manifest = try ManifestReader.read(Array(json.utf8))
        #expect(manifest.appVersion == "20.12")
        #expect(try JSONSchema(reference: "manifest.schema.json").accepts(json))
    }

    @Test(arguments: bad) func `a bad manifest is rejected with the place and what to do`(refused: Refused) throws {
        let error = #expect(throws: ManifestError.self) { try ManifestReader.read(Array(refused.json.utf8)) }
        let problem = try #require(error?.problems.first)
        #expect(problem.pointer == refused.pointer)
        #expect(problem.message.contains(refused.words), "\(problem)")
        #expect(error?.isMalformed == false)
        #expect(try JSONSchema(reference: "manifest.schema.json").accepts(refused.json) == !refused.isSeenBySchema)
    }

    @Test func `all problems are listed, up to a hundred`() throws {
        let several = Self.manifest(#"{"kind": "", "famlies": [], "intent": 3}, {"surface": "shelf"}"#)
        let error = #expect(throws: ManifestError.self) { try ManifestReader.read(Array(several.utf8)) }
        #expect(
            error?.problems.map(\.pointer)
                == ["/kinds/0/famlies", "/kinds/0/kind", "/kinds/0/intent", "/kinds/1", "/kinds/1/surface"])
        let many = Self.manifest(Array(repeating: "{}", count: 150).joined(separator: ","))
        let all = #expect(throws: ManifestError.self) { try ManifestReader.read(Array(many.utf8)) }
        #expect(all?.problems.count == 101)
        #expect(all?.problems.last?.message == "there are 50 more problems")
        let past = Self.manifest(Array(repeating: "{}", count: 101).joined(separator: ","))
        let one = #expect(throws: ManifestError.self) { try ManifestReader.read(Array(past.utf8)) }
        #expect(one?.problems.last?.message == "there is 1 more problem")
        let hundred = Self.manifest(Array(repeating: "{}", count: 100).joined(separator: ","))
        let whole = #expect(throws: ManifestError.self) { try ManifestReader.read(Array(hundred.utf8)) }
        #expect(whole?.problems.count == 100)
        #expect(whole?.problems.last?.pointer == "/kinds/99")
    }

    @Test func `a manifest at its limits is accepted, and one byte more is not`() throws {
        let many = Self.manifest((1...1_000).map { #"{"kind": "\#($0)"}"# }.joined(separator: ","))
        #expect(try ManifestReader.read(Array(many.utf8)).kinds.count == 1_000)
        let names = (1...100).map { "\"f\($0)\"" }.joined(separator: ",")
        let wide = Self.manifest(
            #"{"kind": "a", "intent": "I", "families": [\#(names)], "migrates_from": [\#(names)]}"#)
        let kind = try #require(ManifestReader.read(Array(wide.utf8)).kinds.first)
        #expect(kind.families?.count == 100)
        #expect(kind.migratesFrom.count == 100)
        let bytes = Array(Self.manifest("").utf8)
        let padding = [UInt8](repeating: 0x20, count: 1 << 20 - bytes.count)
        #expect(try ManifestReader.read(bytes + padding).kinds.isEmpty)
        let large = #expect(throws: ManifestError.self) { try ManifestReader.read(bytes + padding + [0x20]) }
        #expect(large?.isMalformed == false)
    }

    @Test func `kinds are sorted by surface and name, without duplicates`() {
        let manifest = Manifest(
            appID: "a", appVersion: "1",
            kinds: [
                .init("b"), .init("a", families: ["first"]), .init("a", families: ["second"]),
                .init("c", surface: .control),
            ])
        #expect(manifest.kinds.map(\.id.description) == ["c (control)", "a", "b"])
        #expect(manifest.kinds[1].families == ["first"])
        let ids = manifest.kinds.map(\.id)
        #expect(ids.allSatisfy { !($0 < $0) })
    }

    @Test func `a manifest that is not JSON, or too large, gets an error that says so`() throws {
        let broken = #expect(throws: ManifestError.self) { try ManifestReader.read(Array("{\"app\": ".utf8)) }
        #expect(broken?.isMalformed == true)
        let large = #expect(throws: ManifestError.self) {
            try ManifestReader.read([UInt8](repeating: 0x20, count: 1 << 20 | 1))
        }
        #expect(large?.problems.map(\.message) == ["the manifest is larger than 1 MiB"])
    }

    @Test(arguments: UInt64(0)..<16) func `a written manifest reads back unchanged`(seed: UInt64) throws {
        for step in 0..<50 {
            var random = Seeded(seed << 32 | UInt64(step))
            let manifest = Manifest.random(&random)
            let read = try ManifestReader.read(manifest.canonical)
            #expect(read == manifest, "seed \(seed) step \(step)")
            #expect(read.canonical == manifest.canonical)
            #expect(manifest.differences(from: read).isEmpty)
        }
    }

    @Test func `differences between manifests are described in sentences`() throws {
        let before = Manifest(
            appID: "a", appVersion: "1",
            kinds: [
                .init("gone"), .init("same", intent: .static), .init("stated"),
                .init("weather", families: ["s", "m"], intent: "City"),
            ])
        let after = Manifest(
            appID: "a", appVersion: "1",
            kinds: [
                .init("weather", families: [], replaces: "gone"), .init("new"), .init("same"),
                .init("stated", intent: .static),
            ])
        #expect(
            after.differences(from: before) == [
                "gone is only in the stored manifest", "new is only in the new manifest",
                "stated: `intent` was not stated and is now null",
                "weather: `families` was m, s and is now none", "weather: `intent` was City and is now not stated",
                "weather: `replaces` was null and is now gone",
            ])
    }
}

extension Manifest {
    /// A few kinds with few names, so that two manifests have much in common.
    static func random(_ random: inout Seeded, version: String = "1.0") -> Manifest {
        let names = ["weather", "search", "radar", "com.example.a.Clock", "com.example.b.Clock", "é", "e\u{301}"]
        let kinds = (0..<random.below(6)).map { _ in
            let intent = random.chance(50) ? random.pick(["City", "CityIntent", "PlaceIntent"]) : nil
            let former = ["OldIntent", "CityIntent", "PlaceIntent"].filter { name in
                random.chance(20) && intent != nil && !name.hasBytes(of: intent ?? "")
            }
            let name = random.chance(90) ? random.pick(names) : random.string(upTo: 20) + "x"
            return Kind(
                name, surface: random.pick([.widget, .widget, .control, .today]),
                families: random.chance(60) ? ["systemSmall", "systemMedium"].filter { _ in random.chance(60) } : nil,
                intent: intent == nil && random.chance(50) ? .unstated : .init(intent), migratesFrom: former,
                replaces: random.chance(20) ? "\(name).old" : nil)
        }
        return Manifest(appID: "com.example.weather", appVersion: version, kinds: kinds)
    }
}
