internal import ArgumentParser
internal import Pages

extension CommandConfiguration {
    /// The library breaks lines of this length, in the middle of an example if need be.
    static let lineLength = 78

    /// A command whose help begins with examples, each on a line of its own, and is laid out for 80 columns.
    ///
    /// - Parameters:
    ///   - commandName: the library would make it from the type's name, at every start and for every command: a third of what a start
    ///     took.
    ///   - examples: as they are typed; what follows ` # ` is a remark.
    ///   - discussion: paragraphs, each of which is wrapped; one that begins with a space is left as it is.
    init(
        commandName: String, abstract: String, examples: [String], discussion: String = "", version: String = "",
        subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let paragraphs = discussion.isEmpty ? [] : discussion.split(separator: "\n\n").map(String.init)
        let text =
            ["EXAMPLES\n" + examples.map(\.indented).joined(separator: "\n")]
            + paragraphs.map { $0.hasPrefix(" ") || $0.contains("\n  ") ? $0 : $0.wrapped(to: Self.lineLength) }
        self.init(
            commandName: commandName, abstract: abstract, discussion: text.joined(separator: "\n\n"), version: version,
            subcommands: subcommands, defaultSubcommand: defaultSubcommand)
    }
}

extension String {
    fileprivate var indented: String {
        split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}

extension String {
    /// With the line of usage, which the library makes as long as it gets, in lines of a screen's width.
    var withBriefUsage: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.count > 80, line.hasPrefix("USAGE: ") || line.hasPrefix("Usage: ") else { return String(line) }
            return line.usageWords.wrapped(to: 80, indent: "    ")
        }.joined(separator: "\n")
    }
}

extension Substring {
    /// Where a line of usage may be broken: not within brackets.
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
