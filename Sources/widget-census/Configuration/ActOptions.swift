internal import ArgumentParser
internal import Foundation

/// The options of every command that decides about a kind.
struct ActOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @Argument(.kind, "The widget's kind string.") var kind: String
    @Option(.app, "The app.", name: "app id") var app: String
    @OptionGroup var actor: ActorOption
    @OptionGroup var reason: ReasonOption
    @Flag(help: "Print what it would do, and change nothing.") var dryRun = false

    /// The first line of a dry run's output.
    static let nothingChanged = "Nothing was changed (--dry-run). This decision:"
}

/// The reason for an act.
struct ReasonOption: ParsableArguments {
    @Option(.reason, "Why; recorded with the decision.", name: "text") var because: String?
}

/// The person who acts.
struct ActorOption: ParsableArguments {
    @Option(.words, "Who does it; your user name by default.", name: "name") var by: String?

    var name: String { by ?? NSUserName() }
}
