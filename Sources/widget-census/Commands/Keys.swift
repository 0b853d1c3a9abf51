internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import IngestServer

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make, list and revoke an app's keys.",
        examples: [
            "widget-census keys add --app com.example.weather > write.key",
            "widget-census keys add --app com.example.weather --role read",
            "widget-census keys add --app com.example.weather --role manage --holder anna",
            "widget-census keys add --app com.example.weather --channel debug",
            "widget-census keys list --app com.example.weather",
            "widget-census keys revoke < write.key",
            "widget-census keys revoke 3f9a1c27b05e --app com.example.weather",
        ],
        discussion: """
            A new key is printed once, alone on standard output. Only its hash is stored; `keys list` names a key by the
            first digits of its hash.
            """,
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Make a key and print it once.",
            examples: [
                "widget-census keys add --app com.example.weather > write.key",
                "widget-census keys add --app com.example.weather --role release",
                "widget-census keys add --app com.example.weather --role manage --holder anna",
                "widget-census keys add --app com.example.weather --channel debug > debug.key",
            ],
            discussion: """
                Events sent with a key that has a channel belong to that channel, whatever the app says. They are stored, and
                `tail` and `explain` show them, but they never count. Use such a key in development builds.

                A manage key lets a person act in the console: mark a kind, close an incident, change limits. Make one for each
                person, because acts are signed with --holder.
                """)

        @OptionGroup var common: CommonOptions
        @Option(.app, "The app that the key is for.", name: "app id") var app: String
        @Option(help: "write (posts events), read (reports), release (manifests) or manage (acts in the console).")
        var role: Key.Role = .write
        @Option(.words, "The person who gets the key; signs acts in the console.", name: "name") var holder: String?
        @Option(.channel, "The channel of everything sent with the key; it never counts.", name: "channel")
        var channel: String?

        func validate() throws {
            guard channel == nil || role == .write else {
                throw ValidationError("--channel is for keys that post events; a \(role.rawValue) key can't")
            }
        }

        func run() async throws {
            let key = try await common.census { census in
                try await census.store.keys.add(app: app, role: role, channel: channel, holder: holder)
            }
            print(key.text)
            if role == .manage, holder == nil {
                Terminal.say("its acts are signed `key \(key.hash.name)`; --holder signs them with a person's name")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the keys by the first digits of their hashes.",
            examples: ["widget-census keys list", "widget-census keys list --app com.example.weather"])

        @OptionGroup var common: CommonOptions
        @Option(.app, "One app; all by default.", name: "app id") var app: String?
        @OptionGroup var output: TableOptions

        func run() async throws {
            let keys = try await common.census(onlyReads: true) { census in
                if let app { _ = try await census.store.apps.app(app) }
                return try await census.store.keys.listed(app: app)
            }
            output.write(
                ReportTable(
                    keys,
                    [
                        .text("app_id", \.appID), .text("role", \.role.rawValue), .text("key", \.name),
                        .text("state") { $0.revokedAt == nil ? "good" : "revoked" },
                        .time("made_at", \.madeAt.toTheSecond), .time("revoked_at") { $0.revokedAt?.toTheSecond },
                        .text("channel", \.channel), .text("holder", \.holder),
                    ]))
            let command: ShellCommand = "widget-census keys add --app \(app ?? "APP_ID")"
            if keys.isEmpty { Terminal.say("no rows: make a key with `\(command)`") }
        }
    }

    struct Revoke: AsyncParsableCommand {
        private static let delay =
            "running servers might accept it for \(KeyRing.interval.components.seconds) more seconds"

        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke a key; servers refuse it within seconds.",
            examples: [
                "widget-census keys revoke < write.key",
                "widget-census keys revoke 3f9a1c27b05e --app com.example.weather",
            ],
            discussion: "Give the key on standard input, or the name that `keys list` shows, with its app.")

        @OptionGroup var common: CommonOptions
        @Argument(.key, "The key's name in `keys list`; without it the key is read from standard input.", name: "key")
        var name: String?
        @Option(.app, "The app of a key given by name.", name: "app id") var app: String?

        func validate() throws {
            guard (name == nil) == (app == nil) else {
                throw ValidationError("give the key's name and its app, or the key on standard input")
            }
        }

        func run() async throws {
            if let name, let app { return try await revoke(name, of: app) }
            guard let text = readLine()?.filter({ !$0.isWhitespace }), !text.isEmpty else {
                throw UsageError("give the key on standard input: widget-census keys revoke < write.key")
            }
            let wasGood = try await common.census { census in
                try await census.store.keys.revoke(Key(text: text))
            }
            guard wasGood else { throw Refusal("this key is unknown, or was already revoked") }
            print("revoked")
            Terminal.say(Revoke.delay)
        }

        private func revoke(_ name: String, of app: String) async throws {
            let wasGood = try await common.census { census in
                _ = try await census.store.apps.app(app)
                return try await census.store.keys.revoke(named: name, app: app)
            }
            guard wasGood else {
                throw Refusal(
                    "\(app) has no valid key \(name): see `\(ShellCommand("widget-census keys list --app \(app)"))`")
            }
            print("revoked \(name)")
            Terminal.say(Revoke.delay)
        }
    }
}
