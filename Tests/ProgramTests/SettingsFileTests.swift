import Foundation
import PostgresTesting
import Testing

@testable import widget_census

@Suite struct `Settings files` {
    private static let secret = "thisisthesecret"

    private func withFile<T>(_ text: String, _ body: (String) throws -> T) throws -> T {
        let path = "/tmp/widget-census-settings-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return try body(path)
    }

    @Test(arguments: ["\n", "\r\n"], ["", "\u{FEFF}"])
    func `a file can have Windows line ends and a byte order mark`(end: String, mark: String) throws {
        let lines = [
            "# ours", "DATABASE_URL=postgresql://owner@db/census", "CENSUS_SECRET=a secret", "", "CENSUS_PORT = 81",
        ]
        try withFile(mark + lines.joined(separator: end) + end) { path in
            let settings = try widget_census.Settings(environment: [:], configurationFile: path)
            #expect(settings.database == "postgresql://owner@db/census")
            #expect(settings.secret == "a secret")
            #expect(settings.port == 81)
        }
    }

    /// A secret on the line after a URL was once in the error, and in PostgreSQL's log.
    @Test(arguments: [
        "DATABASE_URL=postgresql://x/y CENSUS_SECRET=\(secret)",
        "DATABASE_URL=postgresql://x/y\rCENSUS_SECRET=\(secret)",
        "DATABASE_URL=host=x user=y CENSUS_SECRET=\(secret)", "DATABASE_URL=postgresql://u:\(secret) @x/y",
        "DATABASE_URL=postgresql://u:\(secret)\u{A0}@x/y", "CENSUS_PORT=80 CENSUS_SECRET=\(secret)",
        "CENSUS_LOG_LEVEL=info \(secret)", "CENSUS_LOG_FORMAT=text\t\(secret)", "CENSUS_SECRET \(secret)",
        "CENSUS_SECRET: \(secret)", "CENSUS_DATA_DIR=/x\tDATABASE_URL=\(secret)", "CENSUS_SECRET=\(secret)\u{0}",
        "CENSUS_SPOOL_DIR=/x \u{B}\(secret)", "CENSUS_HOST=x\u{85}\(secret)", "\(secret)",
    ]) func `an error names the line and the setting, and never quotes the value`(line: String) throws {
        try withFile("# ours\r\n\(line)\r\nCENSUS_SECRET=\(Self.secret)\r\n") { path in
            let refusal = #expect(throws: UsageError.self) {
                try widget_census.Settings(environment: [:], configurationFile: path)
            }
            let words = refusal?.description ?? ""
            #expect(words.hasPrefix("\(path):2: "), "\(words)")
            #expect(!words.contains(Self.secret), "\(words)")
            let name = line.prefix { $0 == "_" || $0.isLetter && $0.isUppercase }
            // A line that isn't a setting has no name.
            #expect(name.isEmpty || words.contains(name), "\(words)")
        }
    }

    @Test func `an error says where a file isn't UTF-8`() throws {
        let path = "/tmp/widget-census-settings-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (bytes, words) in [
            ([0xFF, 0xFE, 0x43, 0x00] as [UInt8], "is UTF-16"), ([0x43, 0x0A, 0xE9, 0x0A], ":1: "),
        ] {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let refusal = #expect(throws: UsageError.self) {
                try widget_census.Settings(environment: [:], configurationFile: path)
            }
            #expect(refusal?.description.contains(words) == true)
        }
    }

    @Test(arguments: [
        ("DATABASE_URL", "postgresql://x/\(secret)\r"), ("CENSUS_SECRET", "\(secret)\r"), ("PGDATABASE", "\(secret)\r"),
        ("DATABASE_URL", "postgresql://x/y \(secret)"),
    ]) func `an error about the environment doesn't quote the value either`(name: String, value: String) throws {
        let refusal = #expect(throws: UsageError.self) { try widget_census.Settings(environment: [name: value]) }
        #expect(refusal?.description.hasPrefix(name) == true)
        #expect(refusal?.description.contains(Self.secret) == false)
    }

    @Test func `settings can name files with nothing but the secret or the database`() throws {
        try withFile("a secret of sixteen\n") { secret in
            try withFile("\u{FEFF}postgresql://owner@db/census\r\n") { database in
                let settings = try widget_census.Settings(
                    environment: ["CENSUS_SECRET_FILE": secret, "DATABASE_URL_FILE": database])
                #expect(settings.secret == "a secret of sixteen")
                #expect(settings.database == "postgresql://owner@db/census")
                try withFile("CENSUS_SECRET_FILE=\(secret)\nDATABASE_URL_FILE=\(database)\n") { path in
                    let settings = try widget_census.Settings(environment: [:], configurationFile: path)
                    #expect(settings.secret == "a secret of sixteen")
                }
            }
        }
    }

    @Test func `an error names the file of an unusable secret, and never quotes the secret`() throws {
        for (text, words) in [
            ("", "which is empty"), (" \n", "which is empty"), ("\(Self.secret)\u{0}x", "control character"),
            (Self.secret + String(repeating: " ", count: 65_536), "more than 65536 bytes"),
        ] {
            try withFile(text) { path in
                let refusal = #expect(throws: UsageError.self) {
                    try widget_census.Settings(environment: ["CENSUS_SECRET_FILE": path])
                }
                let said = refusal?.description ?? ""
                #expect(said.hasPrefix("CENSUS_SECRET_FILE names \(path)") && said.contains(words), "\(said)")
                #expect(!said.contains(Self.secret))
            }
        }
        let missing = #expect(throws: UsageError.self) {
            try widget_census.Settings(environment: ["DATABASE_URL_FILE": "/nowhere/at/all"])
        }
        #expect(missing?.description == "DATABASE_URL_FILE names /nowhere/at/all, which cannot be read")
        let both = #expect(throws: UsageError.self) {
            try widget_census.Settings(
                environment: ["CENSUS_SECRET_FILE": "/etc/hostname", "CENSUS_SECRET": Self.secret])
        }
        #expect(both?.description == "CENSUS_SECRET and CENSUS_SECRET_FILE are both set; keep one of them")
    }

    @Test func `config check prints settings with their origin, without secrets`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database, environment: ["CENSUS_PORT": "8081"])
        #expect(try await program.run("apps", "add", "com.example.a").status == 0)
        let checked = try await program.run("config", "check", "--format", "csv")
        #expect(checked.status == 0, "\(checked.errors)")
        #expect(checked.output.contains(#""CENSUS_PORT","8081","environment""#))
        #expect(checked.output.contains(#""CENSUS_HOST","127.0.0.1","default""#))
        #expect(checked.output.contains(#""CENSUS_SECRET","(secret)","environment""#))
        #expect(checked.output.contains(#""DATABASE_URL","(secret)","environment""#))
        #expect(!checked.output.contains("a secret of the tests"))
        #expect(checked.errors.contains("its schema") && checked.errors.contains("fit"))
        let other = Program.onDatabase(database, environment: ["CENSUS_SECRET": "another secret, not the first"])
        #expect(try await other.run("config", "check").status == 2)
        let typo = Program.onDatabase(database, environment: ["CENSUS_PROT": "8081"])
        #expect(try await typo.run("config", "check").status == 2)
        // `serve` would reject this folder, too.
        let open = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(
            at: open, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(at: open) }
        let shared = Program.onDatabase(database, environment: ["CENSUS_SPOOL_DIR": open.path])
        let refused = try await shared.run("config", "check")
        #expect(refused.status == 2 && refused.errors.contains("other users can enter"), "\(refused.errors)")
        try await database.drop()
    }

    /// Foundation reads each invalid byte as U+FFFD, so different secrets would count as the same.
    @Test(arguments: ["CENSUS_SECRET", "DATABASE_URL"]) func `a value that is not UTF-8 is rejected`(name: String) {
        let value = String(decoding: [UInt8](repeating: 0x80, count: 32), as: UTF8.self)
        let refusal = #expect(throws: UsageError.self) { try widget_census.Settings(environment: [name: value]) }
        #expect(refusal?.description == "\(name), in the environment, is not UTF-8")
    }

    /// The URL is printed, and spans go to `/v1/traces` below it.
    @Test(arguments: [
        "http://user:pw@127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces", "http://127.0.0.1:4318/?x=1",
        "127.0.0.1:4318",
        "http://127.0.0.1:4318#f",
    ]) func `a collector's URL must be its base, without credentials`(url: String) throws {
        let refusal = #expect(throws: UsageError.self) {
            try Accepted<URL>.collector.parse(url, named: "CENSUS_TRACES_URL")
        }
        #expect(refusal?.description.hasPrefix("CENSUS_TRACES_URL ") == true)
        #expect(refusal?.description.contains("pw") == false, "a password stays out of messages")
        _ = try Accepted<URL>.collector.parse("http://127.0.0.1:4318", named: "CENSUS_TRACES_URL")
    }
}
