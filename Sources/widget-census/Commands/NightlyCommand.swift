internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Logging
internal import Nightly
internal import Pages

struct NightlyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightly",
        abstract: "Close days: reconcile devices, and count every day that is new or changed.",
        examples: [
            "widget-census nightly                 # close all days that have ended",
            "widget-census nightly --day 2026-11-20", "widget-census nightly --app com.example.weather",
            "widget-census nightly --verify        # compare closed days with the spans",
            "widget-census nightly --rebuild       # rebuild the ledger from the spans",
            "widget-census nightly --format json   # print the summary as a JSON object",
        ],
        discussion: """
            Running it twice changes nothing. Each run adds a row to census.night_run. Progress goes to standard error: on
            a screen as a line that is overwritten, elsewhere as a log line every 10 seconds.

            EXIT STATUS
              0    success
              1    finished, but devices are set aside (see census.set_aside), an app
                   could not be closed (see census.app_night), or --verify found wrong
                   numbers, which the next night recounts
              2    invalid usage, such as a day that has not ended or an unknown app
              3    PostgreSQL was unavailable, perhaps for one app only; the next run
                   continues from there
              70   internal error (please report it)
              130, 143   ended by SIGINT, SIGTERM; nothing is half done, and the next
                   run continues from there
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("The last day to close, in the app's zone.", valueName: "YYYY-MM-DD"))
    var day: Day?

    @Option(.app, "One app; all by default.", name: "app id") var app: String?

    @Flag(help: "Recount every closed day from the stored spans; the numbers first known stay.")
    var rebuild = false

    @Flag(
        help: """
            Compare every closed day (of --app, if given) with a new count from the spans, and check all apps' reports. \
            Takes minutes.
            """
    )
    var verify = false

    @Option(help: "How to print the summary: text, or json for one object.")
    var format: Format = .text

    func run() async throws {
        let summary = try await common.census(logging: .notice) { census in
            try await census.warnOfDoubtfulZones()
            let reporter = NightReporter(logger: census.logger)
            return try await census.tracing(try common.settings().traces) { tracer in
                try await reporter.follow {
                    try await NightlyJob(store: census.store, logger: census.logger, tracer: tracer).run(
                        day: day, app: app, rebuilds: rebuild, verifies: verify, progress: reporter.note)
                }
            }
        }
        Terminal.write(format == .json ? try summary.jsonLine() : summary.text)
        if summary.setAside > 0 {
            Terminal.say(
                summary.setAside.counted("device", "is", "are")
                    + " set aside because reconciling them failed; census.set_aside says why"
            )
        }
        if summary.implausible > 0 {
            Terminal.say(
                summary.implausible.counted("device", "reports", "report")
                    + " more than a phone can have, and \(summary.implausible == 1 ? "was" : "were") left unchanged"
            )
        }
        if !summary.failed.isEmpty {
            for failure in summary.failed { Terminal.say(failure) }
            if summary.isStoreAway { throw ExitCode(ExitStatus.storeAway.rawValue) }
        }
        if summary.setAside > 0 || summary.verification?.holds == false || !summary.failed.isEmpty {
            throw ExitCode(ExitStatus.no.rawValue)
        }
    }
}
