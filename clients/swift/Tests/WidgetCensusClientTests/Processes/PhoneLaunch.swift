import Foundation

/// Starts processes of phones, kills them, and reads what they wrote.
struct PhoneLaunch: Sendable {
    let folder: String

    init() throws {
        // In memory where there is such a disk: a kill, unlike a power cut, does not ask whether anything was synced.
        let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory()
        folder = memory + "widget-census-client-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// - Parameter killAfter: from when it has begun; nil: it ends by itself.
    func run(_ task: PhoneTask, killAfter: Duration? = nil) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--testing-library", "swift-testing", "--filter", "`?Phone process`?/"]
        process.environment = ProcessInfo.processInfo.environment
        process.environment?[PhoneTask.variable] = String(decoding: try JSONEncoder().encode(task), as: UTF8.self)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        // One that hangs fails its test, and does not stop the others.
        let patience = Task {
            try await Task.sleep(for: .seconds(120) + (killAfter ?? .zero))
            kill(process.processIdentifier, SIGKILL)
        }
        defer { patience.cancel() }
        if let killAfter {
            while process.isRunning, !lines(of: task.name).contains("started") {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await Task.sleep(for: killAfter)
            kill(process.processIdentifier, SIGKILL)
        }
        while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
    }

    func lines(of name: String) -> [String] {
        let text = try? String(contentsOfFile: folder + "/journal-\(name)", encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// What all processes wrote after a word.
    func all(_ word: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("journal-") }
            .flatMap { lines(of: String($0.dropFirst("journal-".count))) }
            .filter { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
    }
}
