internal import ArgumentParser
internal import CensusStore

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make and revoke keys.",
        discussion: """
            EXAMPLES
              widget-census keys add --app com.example.weather > write.key
              widget-census keys add --app com.example.weather --role read
              widget-census keys revoke < write.key

            A new key is printed once, alone on standard output, and kept only as a hash.
            """,
        subcommands: [Add.self, Revoke.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a key and print it, once.")

        @OptionGroup var common: CommonOptions
        @Option(help: ArgumentHelp("The app that it opens.", valueName: "app id")) var app: String
        @Option(help: "write (ships in apps: posts events), read (reports), release (manifests).")
        var role: Key.Role = .write

        func run() async throws {
            let key = try await common.census { census in
                try await census.store.keys.add(app: app, role: role)
            }
            print(key.text)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke the key given on standard input; the door refuses it within seconds.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            guard let text = readLine()?.filter({ !$0.isWhitespace }), !text.isEmpty else {
                throw UsageError("give the key on standard input: widget-census keys revoke < write.key")
            }
            let wasGood = try await common.census { census in
                try await census.store.keys.revoke(Key(text: text))
            }
            guard wasGood else {
                Terminal.say("widget-census: this key is not known, or was revoked before")
                throw ExitCode(ExitStatus.no.rawValue)
            }
            print("revoked")
        }
    }
}
