import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

/// `webhooks`, as an operator runs it, and `serve`, which delivers.
@Suite struct `Webhook commands` {
    private static let app = "com.example.weather"

    private func withProgram(_ body: (Program, TestDatabase) async throws -> Void) async throws {
        let database = try await TestDatabase.create()
        let program = Program.onDatabase(database)
        #expect(try await program.run("migrate").status == 0)
        #expect(try await program.run("apps", "add", Self.app).status == 0)
        try await body(program, database)
        try await database.drop()
    }

    private func list(_ program: Program) async throws -> [[String: Any]] {
        let text = try await program.run("webhooks", "list", "--app", Self.app, "--format", "json").output
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
    }

    @Test func `webhooks add prints only the secret, once, and the list hides secrets in addresses`() async throws {
        try await withProgram { program, _ in
            let added = try await program.run(
                "webhooks", "add", "--app", Self.app, "--by", "anna",
                "https://9.9.9.9:8443/services/0123456789abcdefghij?token=hidden")
            #expect(added.status == 0, "\(added.errors)")
            #expect(added.output.wholeMatch(of: /whsec_[A-Za-z0-9+\/]{43}=\n/) != nil)
            #expect(added.errors.contains("widget-census webhooks test --app com.example.weather 1"))
            #expect(!added.errors.contains("hidden") && !added.errors.contains("whsec_"))

            let webhook = try #require(try await list(program).first)
            #expect(webhook["url"] as? String == "https://9.9.9.9:8443/services/0123…?…")
            #expect(webhook["state"] as? String == "active" && webhook["added_by"] as? String == "anna")
            #expect(webhook["waiting"] as? Int == 0 && webhook["last_delivery"] is NSNull)
            for format in ["table", "csv", "json"] {
                let listed = try await program.run("webhooks", "list", "--app", Self.app, "--format", format)
                #expect(listed.status == 0)
                #expect(!listed.output.contains("hidden") && !listed.output.contains("whsec_"))
            }
            #expect(try await program.run("webhooks", "remove", "--app", Self.app, "1").output == "removed webhook 1\n")
            #expect(try await program.run("webhooks", "remove", "--app", Self.app, "1").status == 1)
            let none = try await program.run("webhooks", "list", "--app", Self.app)
            #expect(none.status == 0 && none.errors.contains("no rows"))
        }
    }

    /// The list also shows what `--console` made of a URL that was copied from a browser.
    @Test func `Slack's form and the console's URL are stored, and CENSUS_APP replaces --app`() async throws {
        try await withProgram { program, database in
            let shell = Program.onDatabase(database, environment: ["CENSUS_APP": Self.app])
            for console in ["https://census.example.com", "https://census.example.com/console/"] {
                let added = try await shell.run(
                    "webhooks", "add", "--form", "slack", "--console", console, "https://9.9.9.9/services/T0/B0/X")
                #expect(added.status == 0, "\(added.errors)")
            }
            let webhooks = try await list(program)
            #expect(webhooks.map { $0["form"] as? String } == ["slack", "slack"])
            #expect(
                webhooks.map { $0["console"] as? String } == Array(repeating: "https://census.example.com", count: 2))
            let wrong = try await shell.run("webhooks", "add", "--console", "census", "https://9.9.9.9/")
            #expect(wrong.status == 2)
            #expect(wrong.errors.contains("it must be the console's URL, such as"), "\(wrong.errors)")
            let missing = try await program.run("webhooks", "list")
            #expect(missing.status == 2 && missing.errors.contains("--app"), "\(missing.errors)")
            // CENSUS_APP also applies where --app is optional.
            for command in [["preflight", "--drop", "weather"], ["manifests", "draft", "--app-version", "3"]] {
                let named = try await shell.start(command).finished()
                #expect(named.errors.contains("\(Self.app) has "), "\(named.errors)")
            }
        }
    }

    @Test func `webhooks add rejects an address that messages must not go to`() async throws {
        try await withProgram { program, _ in
            for (url, words) in [
                ("http://9.9.9.9/", "--allow-insecure"), ("https://localhost:8443/", "--allow-private"),
                ("https://anna:hidden@9.9.9.9/", "user"), ("https://nowhere.invalid/?hidden", "can't be resolved"),
            ] {
                let added = try await program.run("webhooks", "add", "--app", Self.app, url)
                #expect(added.status == 2, "\(url)")
                #expect(added.errors.contains(words), "\(url): \(added.errors)")
                #expect(added.output.isEmpty && !added.errors.contains("hidden"))
            }
            #expect(try await program.run("webhooks", "add", "--app", "com.example.x", "https://9.9.9.9/").status == 2)
            #expect(try await list(program).isEmpty)
            let allowed = try await program.run(
                "webhooks", "add", "--app", Self.app, "--allow-private", "--allow-insecure", "http://127.0.0.1:9/")
            #expect(allowed.status == 0)
        }
    }

    @Test func `webhooks test prints the response, and exits 1 if nothing was delivered`() async throws {
        try await withProgram { program, _ in
            #expect(try await program.run("webhooks", "test", "--app", Self.app, "1").status == 1)
            try await add(program, "http://127.0.0.1:1/")
            let refused = try await program.run("webhooks", "test", "--app", Self.app, "1")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("not delivered: it can't be reached: Connection refused"))
            #expect(refused.output.isEmpty)
            let webhook = try #require(try await list(program).first)
            #expect(webhook["state"] as? String == "failing" && webhook["waiting"] as? Int == 0)

            let receiver = try await Listener.start()
            defer { receiver.stop() }
            try await add(program, "http://127.0.0.1:\(receiver.port)/")
            let delivered = try await program.run("webhooks", "test", "--app", Self.app, "2")
            #expect(delivered.status == 0, "\(delivered.errors)")
            let words = /delivered: the receiver answered 200 after [0-9]+\.[0-9]{2} s\n/
            #expect(delivered.output.wholeMatch(of: words) != nil)
            #expect(try await list(program).last?["state"] as? String == "active")
        }
    }

    @Test func `serve delivers queued messages`() async throws {
        try await withProgram { program, database in
            let receiver = try await Listener.start()
            defer { receiver.stop() }
            try await add(program, "http://127.0.0.1:\(receiver.port)/hidden")
            _ = try await TestServer.shared().query(
                """
                insert into census.webhook_delivery (webhook_number, message_id, type, payload, next_attempt_at)
                values (1, 'msg_1', 'webhook.test', '{}', now())
                """, database: database.name)
            let service = try program.start(["serve", "--port", "0"])
            #expect(try await service.says("a webhook was delivered"))
            kill(service.process.processIdentifier, SIGTERM)
            let outcome = await service.finished()
            #expect(outcome.status == 0)
            #expect(!outcome.errors.contains("hidden"))
            #expect(try await list(program).first?["last_delivery"] is String)
        }
    }

    private func add(_ program: Program, _ url: String) async throws {
        let added = try await program.run(
            "webhooks", "add", "--app", Self.app, "--allow-private", "--allow-insecure", url)
        #expect(added.status == 0, "\(added.errors)")
    }
}

/// A receiver that accepts everything: Python's own server, with support for POST.
private struct Listener {
    var port: Int
    private var process: Process

    static func start() async throws -> Listener {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-u", "-c",
            """
            import http.server


            class Receiver(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    self.rfile.read(int(self.headers["content-length"]))
                    self.send_response(200)
                    self.end_headers()

                def log_message(self, *arguments):
                    pass


            server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
            print(server.server_port)
            server.serve_forever()
            """,
        ]
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw NoPort() }
        return Listener(port: port, process: process)
    }

    /// SIGKILL, because the process can inherit a blocked SIGTERM from the tests' threads, and would outlive them.
    func stop() { kill(process.processIdentifier, SIGKILL) }

    struct NoPort: Error {}
}
