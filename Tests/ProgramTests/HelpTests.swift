import ArgumentParser
import Foundation
import Testing

@testable import widget_census

@Suite struct `Help` {
    /// A line was once broken in the middle of an example, and the examples of subcommands were missing.
    @Test func `every command's help begins with whole examples and fits 80 columns`() async throws {
        let paths = try await CommandTree.paths()
        #expect(paths.count > 40)
        for path in paths {
            let help = try await Program().start(path.words + ["--help"]).finished()
            #expect(help.status == 0, "\(path)")
            let lines = help.output.components(separatedBy: "\n")
            #expect(lines.filter { $0.count > 80 } == [], "\(path)")
            let examples = try #require(help.output.range(of: "\nEXAMPLES\n"), "\(path)")
            let usage = try #require(help.output.range(of: "USAGE: "), "\(path)")
            #expect(examples.lowerBound < usage.lowerBound, "\(path)")
            // The library breaks lines that are too long, and then the help doesn't contain this text.
            let typed = path.discussion.components(separatedBy: "\n\n")[0]
            #expect(help.output.contains(typed), "\(path)")
        }
    }

    @Test func `every example is a valid command`() async throws {
        for path in try await CommandTree.paths() {
            #expect(!path.examples.isEmpty, "\(path)")
            for example in path.examples {
                #expect(throws: Never.self, "\(path): \(example)") { try WidgetCensus.parseAsRoot(example) }
            }
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `completion scripts know the commands`(shell: String) async throws {
        let script = try await Program().run("--generate-completion-script", shell)
        #expect(script.status == 0)
        for name in ["losses", "acknowledge", "retirement"] { #expect(script.output.contains(name), "\(name)") }
    }
}
