internal import ArgumentParser
internal import CensusStore
internal import Foundation
internal import Logging
internal import Pages

/// The command line.
@main
struct WidgetCensus: AsyncParsableCommand {
    /// Written only here: scripts/release and the tests read it.
    static let version = "1.0.0"

    static let configuration = CommandConfiguration(
        commandName: "widget-census",
        abstract: "Tells app teams how many devices really have each home-screen widget, "
            + "so they know when an old one can be hidden.",
        examples: [
            "widget-census serve                    # the service, with its own PostgreSQL",
            "widget-census status                   # is it healthy? what needs attention?",
            "widget-census apps add com.example.weather",
            "widget-census keys add --app com.example.weather",
            "widget-census report live_now          # how many devices have each widget?",
            "widget-census nightly                  # close yesterday",
            "widget-census explain --app com.example.weather --device 6F1D2C9A",
            "widget-census kinds mark old.kind --legacy --app com.example.weather",
            "widget-census report retirement        # can we drop it?",
            "widget-census preflight --manifest next.json   # what would users lose?",
            "widget-census webhooks list --app com.example.weather",
            "widget-census analysts add anna        # let Anna query the reports in SQL",
        ],
        discussion: """
            The program uses the PostgreSQL that DATABASE_URL or libpq's PG* variables name. If neither is set, it runs a
            private one in --data-dir. Tables are fitted to the screen; set NO_COLOR to turn colours off.

            EXIT STATUS
              0    success
              1    the check failed, or nothing is known about the device
              2    invalid usage or configuration; needs manual action
              3    PostgreSQL or an address is unavailable, or a disk is full; try again
              70   internal error (please report it)
              74   the spool's disk is full, broken or read-only; try again
              141  standard output was closed before everything was written
              129, 130, 131, 143   ended by SIGHUP, SIGINT, SIGQUIT, SIGTERM
            """,
        version: version,
        subcommands: [
            Serve.self, StatusCommand.self, NightlyCommand.self, Report.self, Explain.self, Tail.self, Apps.self,
            Keys.self, Kinds.self, Losses.self, Manifests.self, PreflightCommand.self, WebhooksCommand.self,
            Analysts.self, Import.self, Simulate.self, Accuracy.self, Migrate.self, Keep.self, Forget.self,
            ConfigCommand.self,
        ])

    static func main() async {
        ProcessSetUp.run()
        Terminal.useFormat(in: CommandLine.arguments, ProcessInfo.processInfo.environment)
        do {
            var command = try parseAsRoot()
            if let asynchronous = command as? any AsyncParsableCommand {
                try await Interruption.shared.run {
                    var command = asynchronous
                    try await command.run()
                }
            } else {
                try command.run()
            }
        } catch {
            exit(with: error)
        }
        exit(with: nil)
    }

    /// Prints the error, if any, and exits with the status that the help documents.
    static func exit(with error: (any Error)?) -> Never {
        var status = ExitStatus.done
        if let error {
            status = ExitStatus(error)
            say(error, status)
        }
        do {
            try Terminal.endAnswer()
            if Terminal.readerHasLeft, status == .done { status = .readerLeft }
        } catch {
            status = ExitStatus(error)
            say(error, status)
        }
        LogStream.shared.flush()
        Foundation.exit(status.rawValue)
    }

    private static func say(_ error: any Error, _ status: ExitStatus) {
        var message =
            error is any ExplainedError
            ? "widget-census: \(error)" : fullMessage(for: error)
        // Shortens long arguments where the message quotes them; help quotes none.
        if status != .done {
            for argument in CommandLine.arguments.dropFirst() where argument != argument.brief {
                message = message.replacing(argument, with: argument.brief)
            }
        }
        Terminal.endProgress()
        guard !message.isEmpty else { return }
        message = message.withBriefUsage
        if status == .done { print(message) } else { Terminal.say(message.printableLines, .error) }
    }
}
