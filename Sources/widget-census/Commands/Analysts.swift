internal import ArgumentParser
internal import CensusCore
internal import CensusStore

struct Analysts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analysts",
        abstract: "Let people read the reports by SQL, and nothing else.",
        examples: [
            "widget-census analysts add anna > anna.password", "widget-census analysts list",
            "widget-census analysts remove anna",
        ],
        discussion: """
            An analyst is a role of the PostgreSQL server that may read the schema report: no device, no id, no writing. A
            new password is printed once, alone on standard output; the server gets only a verifier of it.
            docs/guides/queries.md has queries to begin with.
            """,
        subcommands: [Add.self, List.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Make an analyst and print the password, once.",
            examples: ["widget-census analysts add anna > anna.password"])

        @OptionGroup var common: CommonOptions
        @Argument(.analyst, "The role's name: a-z, 0-9 and _.") var name: String

        func run() async throws {
            let settings = try common.settings()
            let addition = try await common.census { try await $0.store.analysts.add(name) }
            for remedy in addition.gaps {
                Terminal.say("analysts may do what everybody may do here; an administrator can end that: \(remedy)")
            }
            guard let password = addition.password else {
                guard !addition.opened else {
                    Terminal.say(
                        "\(name), who was there already, may now read the reports of this database, too; the password stays"
                    )
                    return
                }
                Terminal.say(
                    "widget-census: \(name) was there already, and may read the reports of this database; "
                        + "for a new password remove and add again")
                throw ExitCode(ExitStatus.no.rawValue)
            }
            print(password)
            if settings.database == nil {
                let next: ShellCommand = "psql -h \(settings.dataDirectory + "/run") -U \(name) census"
                Terminal.say("next, while the service runs: \(next)")
            } else {
                Terminal.say("next: psql as \(name) on the same database; docs/guides/queries.md has queries")
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
                Terminal.say("widget-census: there is no analyst \(name); `widget-census analysts list` names them")
                throw ExitCode(ExitStatus.no.rawValue)
            }
            print("removed \(name)")
        }
    }
}
