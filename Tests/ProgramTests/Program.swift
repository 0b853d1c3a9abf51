import Foundation
import PostgresTesting
import Testing

/// The program as a user runs it.
struct Program: Sendable {
    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Replaces the test process's environment, except for variables that locate programs and folders.
    var environment: [String: String] = [:]
    /// The limit of open files; nil for our own.
    var descriptors: Int?
    /// What a shell runs before it becomes the program, such as `exec 2>/dev/full`.
    var prologue: String?
    /// The working directory; nil for our own.
    var folder: String?
    /// A file for standard output; nil to capture it.
    var outputPath: String?

    static var path: String {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
        return folder.appendingPathComponent("widget-census").path
    }

    /// A program that gets its database from `DATABASE_URL`, as an operator's does.
    static func onDatabase(_ database: TestDatabase, environment: [String: String] = [:]) -> Program {
        let standard = ["DATABASE_URL": database.connectionString, "CENSUS_SECRET": "a secret of the tests"]
        return Program(environment: standard.merging(environment) { $1 })
    }

    /// A program with a private PostgreSQL in a folder.
    static func embedded(in folder: String) -> Program {
        Program(environment: ["CENSUS_DATA_DIR": folder])
    }

    /// A folder with a private PostgreSQL that holds the app `com.example.a`; its server is down.
    private static let filled = Task {
        let folder = TestFolder()
        let made = try await embedded(in: folder.path + "/data").run("apps", "add", "com.example.a")
        #expect(made.status == 0, "\(made.errors)")
        return folder
    }

    /// A program on a copy of that folder, at `data`, because creating one takes longer than most tests.
    static func embedded() async throws -> (Program, TestFolder) {
        let folder = try await filled.value.copy()
        return (embedded(in: folder.path + "/data"), folder)
    }

    @discardableResult
    func run(_ arguments: String..., input: String = "") async throws -> Outcome {
        try await start(arguments, input: input).finished()
    }

    /// Starts the program and lets it run.
    func start(_ arguments: [String], input: String = "") throws -> Running {
        let running = Running()
        running.process.executableURL = URL(fileURLWithPath: Program.path)
        running.process.arguments = arguments
        if descriptors != nil || outputPath != nil || prologue != nil {
            let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
            let redirection = outputPath.map { " >'\($0)'" } ?? ""
            running.process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let first = prologue.map { "\($0); " } ?? ""
            running.process.arguments =
                ["-c", "\(first)\(limit)exec \"$0\" \"$@\"\(redirection)", Program.path] + arguments
        }
        var variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": NSHomeDirectory()]
        variables.merge(environment) { _, mine in mine }
        running.process.environment = variables
        if let folder { running.process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        try running.begin(input: input)
        return running
    }
}

/// A running program. Its output is read as it arrives, so the program never waits for us.
final class Running: @unchecked Sendable {
    let process = Process()
    private let output = Stream()
    private let errors = Stream()

    final class Stream: @unchecked Sendable {
        let pipe = Pipe()
        private let lock = NSLock()
        private var data = Data()
        private let ended = DispatchSemaphore(value: 0)

        func begin() {
            Thread.detachNewThread { [self] in
                while case let piece = pipe.fileHandleForReading.availableData, !piece.isEmpty {
                    lock.withLock { data.append(piece) }
                }
                ended.signal()
            }
        }

        var text: String { lock.withLock { String(decoding: data, as: UTF8.self) } }

        func finish() -> String {
            _ = ended.wait(timeout: .now() + 20)
            return text
        }
    }

    func begin(input: String) throws {
        let standardInput = Pipe()
        process.standardInput = standardInput
        process.standardOutput = output.pipe
        process.standardError = errors.pipe
        try process.run()
        output.begin()
        errors.begin()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
    }

    /// What it wrote on standard output so far.
    var written: String { output.text }

    /// What it wrote on standard error so far.
    var said: String { errors.text }

    /// Waits for its end, on a thread that can block.
    func finished() async -> Program.Outcome {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: self.finish()) }
        }
    }

    /// No command of the tests takes this long. One that hangs fails its test without stopping the others.
    private static let patience = 300.0

    private func finish() -> Program.Outcome {
        DispatchQueue.global().asyncAfter(deadline: .now() + Running.patience) { [process] in
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
        process.waitUntilExit()
        return Program.Outcome(
            status: process.terminationStatus, output: output.finish(), errors: errors.finish())
    }

    /// Waits for a text on standard error; false if the program ends or half a minute passes first.
    func says(_ text: String, times: Int = 1) async throws -> Bool {
        for _ in 0..<600 {
            if errors.text.components(separatedBy: text).count > times { return true }
            if !process.isRunning { return errors.text.components(separatedBy: text).count > times }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }
}
