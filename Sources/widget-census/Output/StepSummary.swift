internal import Foundation
internal import Logging

/// The file in which a step of GitHub Actions tells its summary, in Markdown.
struct StepSummary {
    private let path: String

    /// Nil outside of GitHub Actions.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return nil }
        self.path = path
    }

    /// Adds to what the step has told. A failure is only said: the verdict must not depend on it.
    func append(_ text: String) {
        do {
            if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        } catch {
            Terminal.say(
                "the summary could not be written to GITHUB_STEP_SUMMARY, \(path): \(error.localizedDescription)",
                .warning)
        }
    }
}
