import CensusCore
import EmbeddedPostgres
import Foundation
import PostgresTesting
import SchemaTesting
import Testing

/// `manifests` and `preflight` as a release pipeline runs them.
@Suite struct `Preflight in a pipeline` {
    private static let app = SimulatedFleet.app

    /// A fleet of phones that have reported their widgets.
    private func withFleet(_ body: (Program, TestDatabase) async throws -> Void) async throws {
        try await SimulatedFleet(devices: 60, days: 20).with { program, database, _ in
            try await body(program, database)
        }
    }

    private func manifest(_ kinds: String, version: String = "21.0", app: String = app) -> String {
        #"{"app": {"id": "\#(app)", "version": "\#(version)"}, "kinds": [\#(kinds)]}"#
    }

    /// All kinds that the simulated app ships.
    private let everything = [
        #"{"kind": "com.example.weather.forecast", "intent": "WeatherCityIntent"}"#,
        #"{"kind": "com.example.weather.current"}"#, #"{"kind": "com.example.weather.hourly"}"#,
        #"{"kind": "com.example.weather.radar"}"#, #"{"kind": "weather"}"#,
        #"{"kind": "com.example.weather.ForecastWidgetProvider"}"#,
        #"{"kind": "com.example.weather.CurrentWidgetProvider"}"#,
    ]

    @Test func `a manifest is added once and listed, and a different or invalid one is rejected`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        try await program.run("apps", "add", Self.app)
        let weather = manifest(#"{"kind": "weather", "families": ["systemSmall"]}"#)
        let added = try await program.run("manifests", "add", "-", input: weather)
        #expect(added.output == "added com.example.weather 21.0: 1 kind\n", "\(added.errors)")
        let again = try await program.run("manifests", "add", "-", input: weather)
        #expect(again.status == 0)
        #expect(again.output.contains("was already added"))
        let other = try await program.run("manifests", "add", "-", input: manifest(#"{"kind": "weather"}"#))
        #expect(other.status == 2)
        #expect(other.errors.contains("weather: `families` was systemSmall and is now any"))
        let typo = try await program.run("manifests", "add", "-", input: manifest(#"{"kind": "a", "famlies": []}"#))
        #expect(typo.status == 2)
        #expect(typo.errors.contains("/kinds/0/famlies: unknown field; did you mean `families`?"))
        let stranger = try await program.run("manifests", "add", "-", input: manifest("", app: "com.example.x"))
        #expect(stranger.status == 2)
        #expect(stranger.errors.contains("there is no app com.example.x"))
        #expect(try await program.run("manifests", "add", "/nowhere/manifest.json").status == 2)
        let list = try await program.run("manifests", "list", "--app", Self.app, "--format", "csv").output
        #expect(list.contains(#""21.0","widget","weather","systemSmall",,,,"#))
        try await database.drop()
    }

    @Test func `a release that keeps everything passes, and one that drops a kind fails until it is acknowledged`()
        async throws
    {
        try await withFleet { program, _ in
            let folder = TestFolder()
            let kept = try await program.run(
                "preflight", "--manifest", "-", input: manifest(everything.joined(separator: ",")))
            #expect(kept.status == 0, "\(kept.output)\(kept.errors)")
            #expect(kept.output.contains("PASS: no device would lose a widget"))

            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            let file = folder.path + "/manifest.json"
            try manifest(everything.dropFirst().joined(separator: ",")).write(
                toFile: file, atomically: true, encoding: .utf8)
            let dropped = try await program.run("preflight", "--manifest", file)
            #expect(dropped.status == 1, "\(dropped.output)\(dropped.errors)")
            #expect(dropped.output.contains("FAIL  kind_dropped  com.example.weather.forecast"))
            let loss = try #require(dropped.output.firstMatch(of: /--max-loss ([0-9]+)/)?.1)
            let fingerprint = try #require(dropped.output.firstMatch(of: /preflight acknowledge ([0-9a-f]{12})/)?.1)
            #expect(try await program.run("preflight", "--manifest", file, "--allow-loss", "60").status == 0)
            #expect(try await program.run("preflight", "--manifest", file, "--allow-loss", "60,0.1%").status == 1)

            let until = (ReportingZone.utc.day(of: .now) + 10).description
            func accept(_ fingerprint: String, _ loss: String, _ more: String...) async throws -> Program.Outcome {
                try await program.start(
                    [
                        "preflight", "ack", fingerprint, "--app", Self.app, "--max-loss", loss, "--until", until,
                        "--by", "anna",
                    ]
                        + ["--reason", "announced"] + more
                ).finished()
            }
            let stranger = try await accept("000000000000", "5", "--manifest", file)
            #expect(stranger.status == 2)
            #expect(stranger.errors.contains("\(fingerprint) kind_dropped com.example.weather.forecast"))
            #expect(try await accept("00", "5").status == 2)
            #expect(try await accept(String(fingerprint), "-1").status == 2)
            let unchecked = try await accept(String(fingerprint), String(loss))
            #expect(unchecked.status == 2 && unchecked.errors.contains("give either --manifest or --drop"))
            let few = try await accept(String(fingerprint), "1", "--manifest", file)
            #expect(few.status == 2 && few.errors.contains("so preflight would still fail: give --max-loss "))
            let nothing = try await accept(String(fingerprint), "0", "--manifest", file)
            #expect(
                nothing.status != 0 && nothing.errors.contains("\(Self.app) has no acknowledgement of \(fingerprint)"))
            #expect(try await accept(String(fingerprint), String(loss), "--manifest", file).status == 0)
            let withdrawn = try await accept(String(fingerprint), "0", "--manifest", file)
            #expect(
                withdrawn.output == "withdrew the acknowledgement of kind_dropped of com.example.weather.forecast\n")
            let accepted = try await accept(String(fingerprint), String(loss), "--manifest", file)
            #expect(accepted.status == 0, "\(accepted.errors)")
            let passed = try await program.run("preflight", "--manifest", file)
            #expect(passed.status == 0, "\(passed.output)")
            #expect(passed.output.contains("acknowledged by anna"))
            let acks = try await program.run("preflight", "acks", "--app", Self.app, "--format", "csv").output
            #expect(
                try await program.run("preflight", "acknowledgements", "--app", Self.app, "--format", "csv").output
                    == acks)
            #expect(acks.contains(#""\#(fingerprint)","holds",\#(loss),\#(until),"anna","announced","#))
            #expect(acks.contains(#""kind_dropped","widget","com.example.weather.forecast","21.0""#))
            // An acknowledgement can be withdrawn without naming the release. A withdrawn one used to be shown as
            // valid.
            let show = ["kinds", "show", "com.example.weather.forecast", "--app", Self.app]
            let page = try await program.start(show).finished().output
            #expect(page.contains("kind_dropped in 21.0, up to \(loss) devices until \(until), because: announced"))
            let kind = ["com.example.weather.forecast", "--app", Self.app, "--by", "anna"]
            #expect(try await program.start(["kinds", "mark", "--legacy"] + kind).finished().status == 0)
            let reopened = try await program.start(["kinds", "reopen"] + kind).finished()
            #expect(
                reopened.errors.contains(
                    "until \(until): the acknowledgement \(fingerprint) holds; to withdraw it: "
                        + "widget-census preflight acknowledge \(fingerprint) --app \(Self.app) --max-loss 0 --by anna "
                ),
                "\(reopened.errors)")
            let withdrawal = [
                "preflight", "acknowledge", String(fingerprint), "--app", Self.app, "--max-loss", "0", "--by",
            ]
            #expect(try await program.start(withdrawal + ["anna", "--because", "off"]).finished().status == 0)
            let withdrawing = try await program.run("preflight", "--manifest", file).output
            #expect(withdrawing.contains("anna withdrew the acknowledgement: off"), "\(withdrawing)")
            let states = try await program.run("preflight", "acks", "--app", Self.app, "--format", "csv").output
            #expect(states.contains(#""\#(fingerprint)","withdrawn",0,"#), "\(states)")
            let word = try await accept(
                String(fingerprint), String(loss), "--drop", "com.example.weather.forecast", "--release", "VERSION")
            #expect(word.status == 2 && word.errors.contains("in place of the word VERSION"))
            let drop = ["--drop", "com.example.weather.forecast", "--release", "21.0"]
            let ships = folder.path + "/ships.json"
            try manifest(everything.joined(separator: ","), version: "20.99").write(
                toFile: ships, atomically: true, encoding: .utf8)
            #expect(try await program.run("manifests", "add", ships).status == 0)
            let shipping = try await accept(
                String(fingerprint), String(loss), "--drop", drop[1], "--release", "20.99")
            #expect(shipping.status == 2 && shipping.errors.contains("the manifest of 20.99 has \(drop[1])"))
            let small = try await accept(String(fingerprint), "1", drop[0], drop[1], drop[2], drop[3])
            #expect(small.status == 2 && small.errors.contains("so preflight would still fail: give --max-loss "))
            let printed = try await program.run("preflight", "--app", Self.app, "--drop", drop[1]).output
            #expect(
                printed.contains("--app \(Self.app) --drop \(drop[1]) --release VERSION --max-loss \(loss) "),
                "\(printed)")
            let checked = try await accept(String(fingerprint), String(loss), drop[0], drop[1], drop[2], drop[3])
            #expect(
                checked.output.hasPrefix("acknowledged kind_dropped of com.example.weather.forecast: up to \(loss) "),
                "\(checked.errors)")
            #expect(try await accept(String(fingerprint), "0").status == 0)
            let later = try await program.start(show).finished().output
            #expect(later.contains("anna withdrew the acknowledgement of kind_dropped in 21.0, because"), "\(later)")
        }
    }

    @Test func `preflight accepts a read-only database`() async throws {
        try await withFleet { program, database in
            _ = try await TestServer.shared().query(
                "alter database \(database.name) set default_transaction_read_only = on", database: database.name)
            let dropped = try await program.run("preflight", "--manifest", "-", input: manifest(""))
            #expect(dropped.status == 1, "\(dropped.output)\(dropped.errors)")
        }
    }

    @Test func `every format has the same verdict`() async throws {
        try await withFleet { program, _ in
            let changed = manifest(#"{"kind": "weather", "intent": "City"}"#)
            for format in ["text", "json", "junit", "github", "sarif", "markdown"] {
                let outcome = try await program.run(
                    "preflight", "--manifest", "-", "--format", format, input: changed)
                #expect(outcome.status == 1, "\(format): \(outcome.errors)")
                #expect(outcome.output.contains(format == "markdown" ? "kind\\_dropped" : "kind_dropped"), "\(format)")
                if format == "json" {
                    #expect(try JSONSchema(reference: "preflight.schema.json").accepts(outcome.output))
                }
            }
        }
    }

    @Test func `an undecided preflight exits 3, or 0 with --allow-unknown, which it mentions`() async throws {
        let away = Program(environment: [
            "DATABASE_URL": "postgresql://127.0.0.1:1/census", "CENSUS_SECRET": "a secret of the tests",
        ])
        for format in ["text", "json", "junit", "github", "sarif"] {
            let command = ["preflight", "--manifest", "-", "--format", format]
            let outcome = try await away.start(command, input: manifest("")).finished()
            #expect(outcome.status == 3, "\(format): \(outcome.errors)")
            #expect(!outcome.output.isEmpty, "\(format)")
            let allowed = try await away.start(command + ["--allow-unknown"], input: manifest("")).finished()
            #expect(allowed.status == 0, "\(format): \(allowed.errors)")
        }
        let said = try await away.run("preflight", "--manifest", "-", "--allow-unknown", input: manifest(""))
        #expect(said.output.contains("It passes because of --allow-unknown"))

        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        #expect(try await program.run("preflight", "--manifest", "-", input: manifest("")).status == 2, "no such app")
        try await program.run("apps", "add", Self.app)
        let empty = try await program.run("preflight", "--manifest", "-", input: manifest(""))
        #expect(empty.status == 3)
        #expect(empty.output.contains("has no active devices"))
        try await database.drop()
    }

    @Test(arguments: ["{", #"{"app": {"id": "a"}, "kinds": [{"kind": "a", "famlies": []}]}"#])
    func `a broken manifest fails in every format, and says why`(text: String) async throws {
        for (format, sign) in [
            ("json", #""outcome":"invalid""#), ("junit", "<error "), ("github", "::error "),
            ("sarif", #""level":"error""#), ("markdown", "**not a manifest: "),
        ] {
            let command = ["preflight", "--manifest", "-", "--format", format, "--allow-unknown"]
            let outcome = try await Program().start(command, input: text).finished()
            #expect(outcome.status == 2, "\(format)")
            #expect(outcome.output.contains(sign), "\(format): \(outcome.output)")
            #expect(outcome.errors.contains("is not a manifest"))
            if format == "json" { #expect(try JSONSchema(reference: "preflight.schema.json").accepts(outcome.output)) }
        }
        let missing = try await Program().run("preflight", "--manifest", "/nowhere.json", "--format", "sarif")
        #expect(missing.status == 2 && missing.output.contains("invalid_manifest"))
    }

    @Test func `invalid usage exits 2`() async throws {
        let program = Program()
        for (arguments, input) in [
            ([], manifest("")), (["--allow-loss", "many"], manifest("")), (["--allow-loss", "101%"], manifest("")),
            (["--allow-loss", "-1"], manifest("")), (["--format", "xml"], manifest("")),
            (["--app", "com.example.other"], manifest("")), ([], "{"), ([], #"{"app": {}}"#),
        ] {
            let command = ["preflight"] + (input == manifest("") && arguments.isEmpty ? [] : ["--manifest", "-"])
            let outcome = try await program.start(command + arguments, input: input).finished()
            #expect(outcome.status == 2, "\(arguments) \(input): \(outcome.output)\(outcome.errors)")
        }
    }
}
