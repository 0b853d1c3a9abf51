internal import ArgumentParser
internal import CensusCore
internal import CensusStore

struct Analysts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analysts",
        abstract: "Let people query the reports in SQL, and nothing else.",
        examples: [
            "widget-census analysts add anna > anna.password", "widget-census analysts list",
            "widget-census analysts remove anna",
        ],
        discussion: """
            An analyst is a PostgreSQL role that can read the schema `report` and nothing else: it sees no devices or ids,
            and can't write. A new password is printed once, alone on standard output; the server stores only a verifier.
            docs/guides/queries.md has queries to start with.
            """,
        subcommands: [Add.self, List.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an analyst, and print the password once.",
            examples: ["widget-census analysts add anna > anna.password"])

        @OptionGroup var common: CommonOptions
        @Argument(.analyst, "The role's name: a-z, 0-9 and _.") var name: String

        func run() async throws {
            let settings = try common.settings()
            let addition = try await common.census { try await $0.store.analysts.add(name) }
            for remedy in addition.gaps {
                Terminal.say("analysts also have PUBLIC's privileges here; an administrator can revoke them: \(remedy)")
            }
            guard let password = addition.password else {
                guard !addition.opened else {
                    Terminal.say(
                        "\(name) already existed, and can now read this database's reports, too; the password is unchanged"
                    )
                    return
                }
                Terminal.say(
                    "widget-census: \(name) already exists, and can read this database's reports; "
                        + "for a new password, remove the analyst and add it again")
                throw ExitCode(ExitStatus.no.rawValue)
            }
            print(password)
            if settings.database == nil {
                let next: ShellCommand = "psql -h \(settings.dataDirectory + "/run") -U \(name) census"
                Terminal.say("next, while the service runs: \(next)")
            } else {
                Terminal.say("next: connect to this database with psql as \(name); docs/guides/queries.md has queries")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the analysts of this PostgreSQL server.", examples: ["widget-census analysts list"])

        @OptionGroup var common: CommonOptions
        @OptionGroup var output: TableOptions

        func run() async throws {
            let analysts = try await common.census(onlyReads: true) { census in
                try await census.store.analysts.all()
            }
            let table = ReportTable(
                columns: [.init("analyst"), .init("sessions", isNumber: true)],
                rows: analysts.map { [$0.name, "\($0.sessions)"] })
            output.write(table)
            if analysts.isEmpty { Terminal.say("no rows: add one with `widget-census analysts add NAME`") }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Drop an analyst's role.", examples: ["widget-census analysts remove anna"])

        @OptionGroup var common: CommonOptions
        @Argument(.analyst, "The role's name.") var name: String

        func run() async throws {
            let wasThere = try await common.census { census in
                try await census.store.analysts.remove(name)
            }
            guard wasThere else {
                Terminal.say("widget-census: there is no analyst \(name); see `widget-census analysts list`")
                throw ExitCode(ExitStatus.no.rawValue)
            }
            print("removed \(name)")
        }
    }
}
