import CensusCore
import Foundation
import PostgresTesting
import Testing

@Suite struct `Printed commands` {
    /// A night once printed `losses show Wetter heute`, which a shell reads as two words.
    @Test(arguments: UInt64(0)..<8) func `a shell reads a printed command as intended`(seed: UInt64) async throws {
        var random = Seeded(seed)
        let scalars = Array("ab -'\"\\$`!*?~#;&|<>(){}[]=%\n\té\u{301}🙂\u{202E}".unicodeScalars)
        let words = (0..<20).map { _ in
            var word = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                word.append(scalars.randomElement(using: &random) ?? "a")
            }
            return String(word)
        }
        let command = words.reduce("printf %s") { $0 + ShellCommand(" \("<" + $1 + ">")") }
        // On Debian, `sh` is dash.
        for shell in ["bash", "sh"] {
            let read = try await TestProcess.run("LC_ALL=C.UTF-8", shell, "-c", command.description)
            #expect(Array(read.utf8) == Array(words.map { "<\($0)>" }.joined().utf8), "\(shell)")
        }
        let ending = ShellCommand("printf %s \("a'\n")")
        #expect(try await TestProcess.run("LC_ALL=C.UTF-8", "bash", "-c", ending.description) == "a'\n")
    }

    /// A value in a plain string is not quoted.
    @Test func `a command that contains a value is a ShellCommand`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        let command =
            #/
            (widget-census\x20(apps|keys|kinds|losses|webhooks|analysts|manifests|preflight|report|explain|nightly
                |simulate|forget|status)\x20|psql\x20-)[^"`<]*\\\(
            /#
        var found = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated()
            where line.contains(command) && !line.contains(/^ *\/\/\//) {
                found += 1
                let before = lines[max(0, index - 3)...index].joined()
                #expect(
                    before.contains("ShellCommand") || line.contains("command: \""),
                    "\(file.lastPathComponent):\(index + 1)")
            }
        }
        #expect(found > 20)
    }
}
