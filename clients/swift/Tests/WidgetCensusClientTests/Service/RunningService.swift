import Foundation

/// The real service with a PostgreSQL of its own, as the repository's `scripts/run` starts it.
final class RunningService: Sendable {
    struct Failure: Error { var output: String }

    let folder: String
    let address: String
    private let process: Process
    private static let app = "com.example.weather"

    static let program = ProcessInfo.processInfo.environment["CENSUS_PROGRAM"].map { URL(fileURLWithPath: $0) }

    private init(folder: String, address: String, process: Process) {
        self.folder = folder
        self.address = address
        self.process = process
    }

    static func start() async throws -> RunningService {
        // Short, because a socket lies in it, and in /tmp, because PostgreSQL's user must reach it.
        let folder = "/tmp/widget-census-client-\(getpid())"
        let log = folder + ".log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let process = try launch(["serve", "--port", "0"], folder: folder, output: nil, errors: log)
        for _ in 0..<600 {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            if let address = text.firstMatch(of: /listens on (http:\/\/127\.0\.0\.1:\d+)/) {
                return RunningService(folder: folder, address: String(address.1), process: process)
            }
            guard process.isRunning else { throw Failure(output: text) }
            try await Task.sleep(for: .milliseconds(50))
        }
        kill(process.processIdentifier, SIGTERM)
        throw Failure(output: "it does not listen")
    }

    func end() async {
        kill(process.processIdentifier, SIGTERM)
        for _ in 0..<300 where process.isRunning { try? await Task.sleep(for: .milliseconds(50)) }
        try? FileManager.default.removeItem(atPath: folder)
        try? FileManager.default.removeItem(atPath: folder + ".log")
    }

    /// Registers the app, with a key.
    func key() async throws -> String {
        _ = try await run(["apps", "add", RunningService.app])
        return try await run(["keys", "add", "--app", RunningService.app]).trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    func run(_ arguments: [String]) async throws -> String {
        let output = folder + "-\(UUID().uuidString).txt"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        defer { try? FileManager.default.removeItem(atPath: output) }
        let command = try RunningService.launch(arguments, folder: folder, output: output, errors: output)
        while command.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        guard command.terminationStatus == 0 else { throw Failure(output: text) }
        return text
    }

    private static func launch(
        _ arguments: [String], folder: String, output: String?, errors: String?
    ) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": NSHomeDirectory(), "CENSUS_DATA_DIR": folder,
        ]
        process.standardOutput = output.flatMap(FileHandle.init(forUpdatingAtPath:)) ?? FileHandle.nullDevice
        process.standardError = errors.flatMap(FileHandle.init(forUpdatingAtPath:)) ?? FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Kills PostgreSQL, which the service starts again. Until then it answers 503.
    func killStore() throws {
        let file = try String(contentsOfFile: folder + "/postgres/postmaster.pid", encoding: .utf8)
        if let postmaster = file.split(separator: "\n").first.flatMap({ Int32($0) }) { kill(postmaster, SIGKILL) }
    }

    /// Rows of a query, a line each.
    func rows(_ query: String) async throws -> [String] {
        let output = folder + ".rows"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        defer { try? FileManager.default.removeItem(atPath: output) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", folder + "/run", "-U", "census", "-d", "census", "-c",
            query,
        ]
        process.standardOutput = FileHandle(forWritingAtPath: output)
        try process.run()
        while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        guard process.terminationStatus == 0 else { throw Failure(output: "psql") }
        return try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
