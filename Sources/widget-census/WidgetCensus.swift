internal import ArgumentParser
internal import CensusStore
internal import Foundation
internal import Logging
internal import Pages

/// The command line.
@main
struct WidgetCensus: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "widget-census",
        abstract: "Counts home-screen widgets truthfully, and says when a legacy widget kind may be dropped.",
        examples: [
            "widget-census serve                    # the service, on its own PostgreSQL",
            "widget-census status                   # how it fares, what needs attention",
            "widget-census apps add com.example.weather",
            "widget-census keys add --app com.example.weather",
            "widget-census report live_now          # on how many devices each kind lives",
            "widget-census nightly                  # close yesterday",
            "widget-census explain --app com.example.weather --device 6F1D2C9A",
            "widget-census kinds mark old.kind --legacy --app com.example.weather",
            "widget-census report retirement        # can we drop it?",
            "widget-census preflight --manifest next.json   # what would it take away?",
            "widget-census webhooks list --app com.example.weather",
            "widget-census analysts add anna        # somebody may read the reports by SQL",
        ],
        discussion: """
            With DATABASE_URL or libpq's PG* variables it uses that PostgreSQL; without either it runs a private one in
            --data-dir. Tables fit the screen; NO_COLOR switches colours off.

            EXIT STATUS
              0    done
              1    the answer is no
              2    wrong usage or set-up: that takes a person
              3    the store, an address or a disk is away or full: try again
              70   a fault of ours
              74   the disk of the spool is full or broken: try again
              141  who read standard output left
              129, 130, 131, 143   ended by SIGHUP, SIGINT, SIGQUIT, SIGTERM
            """,
        version: version,
        subcommands: [
            Serve.self, StatusCommand.self, NightlyCommand.self, Report.self, Explain.self, Tail.self, Apps.self,
            Keys.self, Kinds.self, Losses.self, Manifests.self, PreflightCommand.self, WebhooksCommand.self,
            Analysts.self, Import.self, Simulate.self, Accuracy.self, Migrate.self, Keep.self, Forget.self,
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

    /// Says what went wrong, if anything, and ends the process with the status that the help promises.
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
        // Help has none of them.
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
