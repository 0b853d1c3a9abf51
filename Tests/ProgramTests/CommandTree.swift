import Foundation

@testable import widget_census

/// Every command of the program, as the program describes itself.
struct CommandTree: Decodable {
    struct Command: Decodable {
        var commandName: String
        var discussion: String?
        var subcommands: [Command]?
        var arguments: [Argument]?
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]?
        var preferredName: Name?
        /// The accepted values; nil or empty means any.
        var allValues: [String]?
    }

    /// A command with its parents.
    struct Path: CustomStringConvertible {
        var words: [String]
        var discussion: String
        /// The options that take a value, as typed.
        var options: [String]
        /// The names of all options and flags.
        var names: [String]

        var description: String { words.joined(separator: " ") }

        /// Each example as typed, without the shell's parts: redirections, pipes, comments and variables.
        var examples: [[String]] {
            let lines = discussion.components(separatedBy: "\n\n")[0].components(separatedBy: "\n").dropFirst()
            return lines.joined(separator: "\n").replacing("\\\n", with: " ").components(separatedBy: "\n").map {
                line in
                let typed = line.components(separatedBy: " # ")[0].components(separatedBy: " | ").last ?? ""
                let words = CommandTree.words(of: typed)
                let begin = words.firstIndex(of: "widget-census") ?? words.startIndex
                let end = words.firstIndex { $0 == "<" || $0 == ">" } ?? words.endIndex
                return Array(words[begin..<end].dropFirst())
            }
        }
    }

    var command: Command

    static func paths() async throws -> [Path] {
        let dump = try await Program().run("--experimental-dump-help").output
        let tree = try JSONDecoder().decode(CommandTree.self, from: Data(dump.utf8))
        return paths(tree.command, below: [])
    }

    private static func paths(_ command: Command, below words: [String]) -> [Path] {
        let isRoot = command.commandName == "widget-census"
        let words = isRoot ? [] : words + [command.commandName]
        let options = (command.arguments ?? []).filter { $0.kind == "option" && $0.allValues?.isEmpty ?? true }
        let path = Path(
            words: words, discussion: command.discussion ?? "",
            options: options.compactMap { $0.preferredName.map { "--\($0.name)" } },
            names: (command.arguments ?? []).flatMap { $0.names ?? [] }.map {
                ($0.kind == "short" ? "-" : "--") + $0.name
            })
        let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
        return [path] + below.flatMap { paths($0, below: words) }
    }

    /// Splits a line as a shell does.
    private static func words(of line: String) -> [String] {
        var words: [String] = []
        var isQuoted = false
        var isWord = false
        for character in line {
            switch character {
            case "\"": isQuoted.toggle()
            case " " where !isQuoted: isWord = false
            default:
                if !isWord { words.append("") }
                isWord = true
                words[words.count - 1].append(character)
            }
        }
        return words
    }
}
