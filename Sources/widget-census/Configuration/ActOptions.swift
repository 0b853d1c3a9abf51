internal import ArgumentParser
internal import Foundation

/// What every act of a person on a kind takes.
struct ActOptions: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @Argument(help: "The widget's kind string.") var kind: String
    @Option(help: ArgumentHelp("The app.", valueName: "app id")) var app: String
    @OptionGroup var actor: ActorOption
    @OptionGroup var reason: ReasonOption
}

/// Why a person does something.
struct ReasonOption: ParsableArguments {
    @Option(help: ArgumentHelp("Why; kept with the act.", valueName: "text")) var because: String?

    func validate() throws {
        if let because { try ActorOption.check("--because", because) }
    }
}

/// The person whose act is kept.
struct ActorOption: ParsableArguments {
    @Option(help: ArgumentHelp("Who does it; the account by default.", valueName: "name")) var by: String?

    var name: String { by ?? NSUserName() }

    func validate() throws {
        if let by { try ActorOption.check("--by", by) }
    }

    /// Acts are kept for ever and shown.
    static func check(_ option: String, _ text: String) throws {
        guard !text.isEmpty, text.unicodeScalars.count <= 1_000 else {
            throw ValidationError("\(option) has 1 to 1000 characters")
        }
    }
}
