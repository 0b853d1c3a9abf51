package import Foundation

/// Runs another program.
package enum TestProcess {
    /// Waits for the program on a thread that can block.
    ///
    /// - Returns: its standard output and standard error.
    @discardableResult
    package static func run(_ command: String..., input: Data = Data()) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try wait(for: command, input) })
            }
        }
    }

    private static func wait(for command: [String], _ input: Data) throws -> String {
        let process = Process()
        let (given, printed) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = given
        process.standardOutput = printed
        process.standardError = printed
        try process.run()
        try given.fileHandleForWriting.write(contentsOf: input)
        try given.fileHandleForWriting.close()
        let text = String(decoding: try printed.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
