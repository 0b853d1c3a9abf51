import Foundation

/// The memory of this process, including the server in it.
enum ProcessMemory {
    /// Resets the highest resident size.
    static func resetPeak() throws {
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    }

    /// The highest resident size since the reset, in MiB.
    static func peak() throws -> Int { try read("VmHWM:") }

    /// The resident size, in MiB.
    static func now() throws -> Int { try read("VmRSS:") }

    private static func read(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }
}
