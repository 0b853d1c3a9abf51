internal import ArgumentParser
internal import Foundation

/// What every act of a person on a kind takes.
struct ActOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @Argument(.kind, "The widget's kind string.") var kind: String
    @Option(.app, "The app.", name: "app id") var app: String
    @OptionGroup var actor: ActorOption
    @OptionGroup var reason: ReasonOption
}

/// Why a person does something.
struct ReasonOption: ParsableArguments {
    @Option(.reason, "Why; kept with the act.", name: "text") var because: String?
}

/// The person whose act is kept.
struct ActorOption: ParsableArguments {
    @Option(.words, "Who does it; the account by default.", name: "name") var by: String?

    var name: String { by ?? NSUserName() }
}
