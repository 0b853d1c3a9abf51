internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Logging
internal import Nightly
internal import Pages

struct NightlyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nightly",
        abstract: "Close a day: reconcile, and count every day that is new or changed.",
        examples: [
            "widget-census nightly                 # all days that have ended",
            "widget-census nightly --day 2026-11-20", "widget-census nightly --app com.example.weather",
            "widget-census nightly --verify        # compares closed days with the spans",
            "widget-census nightly --rebuild       # rebuilds the ledger from the spans",
            "widget-census nightly --format json   # what it did as one JSON object",
        ],
        discussion: """
            Running it twice changes nothing. Every run is a row of census.night_run. Progress goes to standard error: a
            line that is overwritten on a screen, elsewhere a line of the log every 10 seconds.

            EXIT STATUS
              0    done
              1    done, but devices are set aside (census.set_aside says why), an app
                   could not be closed (census.app_night says why), or --verify found
                   wrong numbers: the next night recounts them
              2    wrong usage: a day that has not ended, an unknown app
              3    the store is away, or was for an app: the next run goes on from there
              70   a fault of ours
              130, 143   ended by SIGINT, SIGTERM: nothing is half done, and the next
                   run goes on from there
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("The last day to close, in the app's zone.", valueName: "YYYY-MM-DD"))
    var day: Day?

    @Option(.app, "One app; all by default.", name: "app id") var app: String?

    @Flag(help: "Recount every closed day from the stored spans; what was first known stays.")
    var rebuild = false

    @Flag(
        help:
            "Compare every closed day (of --app, where it is given) with a new count from the spans, and check all apps' reports: takes minutes."
    )
    var verify = false

    @Option(help: "How to print the summary: text, or json for one object.")
    var format: Format = .text

    func run() async throws {
        let summary = try await common.census(logging: .notice) { census in
            try await census.warnOfDoubtfulZones()
            let reporter = NightReporter(logger: census.logger)
            return try await reporter.follow {
                try await NightlyJob(store: census.store, logger: census.logger).run(
                    day: day, app: app, rebuilds: rebuild, verifies: verify, progress: reporter.note)
            }
        }
        Terminal.write(format == .json ? try summary.jsonLine() : summary.text)
        if summary.setAside > 0 {
            Terminal.say(
                summary.setAside.counted("device", "is", "are")
                    + " set aside, because reconciling failed: census.set_aside says why"
            )
        }
        if summary.implausible > 0 {
            Terminal.say(
                summary.implausible.counted("device", "tells", "tell")
                    + " of more than a phone can: \(summary.implausible == 1 ? "it is left as it was" : "they are left as they were")"
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
