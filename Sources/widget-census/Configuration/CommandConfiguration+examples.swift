internal import ArgumentParser
internal import Pages

extension CommandConfiguration {
    /// Longer lines get wrapped by ArgumentParser, even in the middle of an example.
    static let lineLength = 78

    /// A command whose help begins with examples, one per line, and fits 80 columns.
    ///
    /// - Parameters:
    ///   - commandName: required, because ArgumentParser would derive it from the type's name for every command at every start,
    ///     which took a third of the start-up time.
    ///   - aliases: other names, for scripts that use a former one.
    ///   - examples: as you type them; text after ` # ` is a comment.
    ///   - discussion: paragraphs, which are wrapped unless a line begins with two spaces.
    init(
        commandName: String, aliases: [String] = [], abstract: String, examples: [String], discussion: String = "",
        version: String = "",
        subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let paragraphs = discussion.isEmpty ? [] : discussion.split(separator: "\n\n").map(String.init)
        let text =
            ["EXAMPLES\n" + examples.map(\.indented).joined(separator: "\n")]
            + paragraphs.map { $0.hasPrefix(" ") || $0.contains("\n  ") ? $0 : $0.wrapped(to: Self.lineLength) }
        self.init(
            commandName: commandName, abstract: abstract, discussion: text.joined(separator: "\n\n"), version: version,
            subcommands: subcommands, defaultSubcommand: defaultSubcommand, aliases: aliases)
    }
}

extension String {
    fileprivate var indented: String {
        split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}

extension String {
    /// Wraps the usage line, which ArgumentParser doesn't, to 80 columns.
    var withBriefUsage: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.count > 80, line.hasPrefix("USAGE: ") || line.hasPrefix("Usage: ") else { return String(line) }
            return line.usageWords.wrapped(to: 80, indent: "    ")
        }.joined(separator: "\n")
    }
}

extension Substring {
    /// The parts of a usage line between which it can be wrapped; brackets stay whole.
    fileprivate var usageWords: [String] {
        var words = [""]
        var depth = 0
        for character in self {
            if "[<(".contains(character) { depth += 1 }
            if "]>)".contains(character) { depth -= 1 }
            if character == " ", depth == 0 { words.append("") } else { words[words.count - 1].append(character) }
        }
        return words
    }
}
