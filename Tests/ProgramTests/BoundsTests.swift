import ArgumentParser
import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

@testable import widget_census

@Suite struct `Bounds` {
    private static let numbers = ["-1", "0", "99999999999999999999", "9223372036854775807"]

    private func parses(_ arguments: [String]) -> Bool { complaint(about: arguments) == nil }

    /// The program's error for arguments that it rejects; nil if it accepts them.
    private func complaint(about arguments: [String]) -> String? {
        do {
            _ = try WidgetCensus.parseAsRoot(arguments)
            return nil
        } catch {
            return WidgetCensus.fullMessage(for: error)
        }
    }

    private func expectWords(_ complaint: String, _ typed: [String]) {
        #expect(complaint.contains("is invalid for"), "\(typed): \(complaint)")
        #expect(complaint.contains(/it must be a|whole number/), "\(typed): \(complaint)")
    }

    /// A number once crashed the program, became another port, or ended in PostgreSQL's own words.
    @Test func `every option states the bounds of its number, and a number within them causes no crash`() async throws {
        var program = Program.onDatabase(try await TestDatabase.migrated())
        // Some commands write files.
        let folder = TestFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        program.folder = folder.path
        try await program.run("apps", "add", "com.example.weather")
        var found: Set<String> = []
        for path in try await CommandTree.paths() {
            guard let base = path.examples.first(where: { $0.starts(with: path.words) && parses($0) }) else { continue }
            for option in path.options where !parses(base + [option, "x"]) && parses(base + [option, "1"]) {
                found.insert("\(path) \(option)")
                var isRefused = false
                for number in Bounds.numbers {
                    let typed = base + [option, number]
                    // A service would not end.
                    if path.words == ["serve"], parses(typed) { continue }
                    if parses(typed) {
                        let short = [["simulate"]: ["--devices", "1", "--days", "1"], ["tail"]: ["--no-follow"]]
                        let rest = short[path.words, default: []] + typed.dropFirst(path.words.count)
                        let works = try await program.start(path.words + rest).finished()
                        #expect((0...2).contains(works.status), "\(typed): \(works.errors)")
                        #expect(
                            !works.errors.contains(/ERROR|Fatal|SQLSTATE|Error Domain/), "\(typed): \(works.errors)")
                        continue
                    }
                    expectWords(complaint(about: typed) ?? "", typed)
                    // Starts the program once for each option, because a start takes a tenth of a second.
                    guard !isRefused else { continue }
                    isRefused = true
                    let outcome = try await program.start(typed).finished()
                    #expect(outcome.status == 2, "\(typed): \(outcome.errors)")
                    expectWords(outcome.errors, typed)
                }
            }
        }
        #expect(
            found.isSuperset(of: [
                "apps set --limit", "apps set --window", "keep --days", "serve --port", "simulate --devices",
                "simulate --released", "simulate --seed", "preflight acknowledge --max-loss",
            ]), "\(found)")
    }

    @Test(arguments: [
        ("apps set com.example.a --limit", "0 to 1000000000"), ("apps set com.example.a --window", "1 to 400"),
        ("apps set com.example.a --limit-share", "0 to 1, or 0% to 100%"),
        ("apps set com.example.a --false-alarms", "0.000001 to 10"),
        ("keep --days", "1 to 3650"), ("serve --port", "0 to 65535"), ("simulate --output - --days", "1 to 3650"),
        ("simulate --output - --taps", "0 to 1"), ("simulate --output - --reinstalls", "0 to 30"),
        ("simulate --output - --seed", "0 or more"),
        ("webhooks test --app com.example.a", "as `webhooks list` shows it"),
    ]) func `an error states the option's bounds`(command: String, bounds: String) async throws {
        for value in ["99999999999999999999999", "many", "nan", ""] {
            let arguments = command.split(separator: " ").map(String.init)
            let outcome = try await Program().start(arguments + [value]).finished()
            #expect(outcome.status == 2, "\(value)")
            // 23 digits are no valid seed, and no valid share either.
            let errors = outcome.errors.components(separatedBy: "Help: ")[0]
            #expect(errors.contains(bounds), "\(value): \(outcome.errors)")
        }
    }

    @Test func `an app id has the characters of bundle ids and package names`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        for id in ["My App", "", "com.example.ä", "com/example", String(repeating: "a", count: 201)] {
            let refused = try await program.run("apps", "add", id)
            #expect(refused.status == 2, "\(id)")
            #expect(refused.errors.contains("letters, digits, dots, hyphens and underscores"), "\(refused.errors)")
            #expect(refused.errors.utf8.count < 1_000)
        }
        for id in ["com.example.Weather-2", "com.example.weather_app"] {
            #expect(try await program.run("apps", "add", id).status == 0)
        }
        // Earlier programs accepted any text.
        _ = try await TestServer.shared().query(
            "insert into census.app (app_id) values ('My App')", database: database.name)
        #expect(try await program.run("apps", "set", "My App", "--window", "30").status == 0)
        #expect(try await program.run("keys", "add", "--app", "My App").status == 0)
        #expect(try await program.run("status", "--app", "My App").output.contains("My App"))
    }

    @Test(arguments: ["", "foo", "foo://bar", "http://", "http://[", "file:///etc/passwd", "http://127.0.0.1:99999"])
    func `a server's address must be a web address`(address: String) async throws {
        let outcome = try await Program().run(
            "simulate", "--devices", "1", "--days", "1", "--to", address, input: "key\n")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("such as http://127.0.0.1:8080"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("NSURLError"))
    }

    @Test func `a server that doesn't respond is reported in words, with exit status 3`() async throws {
        let outcome = try await Program().run(
            "simulate", "--devices", "1", "--days", "1", "--to", "http://127.0.0.1:9", input: "key\n")
        #expect(outcome.status == 3)
        #expect(
            outcome.errors.contains("http://127.0.0.1:9 does not answer: it can't be reached: Connection refused"),
            "\(outcome.errors)")
    }

    /// Names, addresses, folders and secrets, which are neither numbers nor choices.
    private static let texts: Set = [
        "CENSUS_APP", "CENSUS_CONFIG", "CENSUS_HOST", "CENSUS_DATA_DIR", "CENSUS_SECRET", "CENSUS_SECRET_FILE",
        "CENSUS_CONSOLE_TRUSTED_PROXY", "CENSUS_CONSOLE_LOGIN_HEADER", "CENSUS_CONSOLE_ROLE_HEADER", "CENSUS_SPOOL_DIR",
    ]

    @Test(arguments: Setting.all.map(\.name).filter { !texts.contains($0) })
    func `an error about a setting is short and names its value`(name: String) async throws {
        for value in ["-1", "99999999999999999999", String(repeating: "9", count: 5_000)] {
            let outcome = try await Program(environment: [name: value]).run("apps", "list")
            #expect(outcome.status == 2)
            #expect(outcome.errors.hasPrefix("widget-census: \(name) is \(value.prefix(60))"), "\(outcome.errors)")
            #expect(outcome.errors.utf8.count < 500)
        }
    }

    @Test func `an error about a very long argument is short`() async throws {
        let long = String(repeating: "x", count: 100_000)
        for arguments in [["report", long], ["apps", "add", long], ["nightly", "--day", long], [long]] {
            let outcome = try await Program().start(arguments).finished()
            #expect(outcome.status == 2)
            #expect(outcome.errors.utf8.count < 2_000, "\(arguments[0])")
        }
    }
}
