#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The memory of a control group that has a limit (cgroups(7), version 2 or 1).
struct ControlGroup: Equatable {
    /// Bytes.
    let limit: Int
    /// The path of its `memory.stat`.
    private let statistics: String
    private let names: [String]

    /// Used memory that can't be reclaimed: anonymous, shared, the kernel's own, and sockets'. File pages can be dropped;
    /// counting them would make every busy database look like a full machine.
    ///
    /// - Returns: nil if it can't be read.
    var used: Int? {
        guard let text = SystemFile.text(of: statistics) else { return nil }
        return ControlGroup.sum(of: names, in: text)
    }

    /// This process's group, or the ancestor with the lowest limit.
    ///
    /// - Returns: nil if nothing limits it.
    static func own(_ places: ControlGroups) -> ControlGroup? {
        let root = places.root
        guard let lines = SystemFile.text(of: places.membership)?.split(separator: "\n") else { return nil }
        var found: [ControlGroup] = []
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[0] == "0" {
                found += groups(
                    root, path: parts[2], limit: "memory.max", names: ["anon", "shmem", "kernel", "sock"])
            } else if parts[1].split(separator: ",").contains("memory") {
                found += groups(
                    root + "/memory", path: parts[2], limit: "memory.limit_in_bytes",
                    names: ["total_rss", "total_shmem"])
            }
        }
        return found.min { $0.limit < $1.limit }
    }

    private static func groups(
        _ root: String, path: Substring, limit: String, names: [String]
    ) -> [ControlGroup] {
        // In a container the path can be the host's, while the root is the container's.
        var folder = path.hasSuffix("/") ? String(path.dropLast()) : String(path)
        var found: [ControlGroup] = []
        while true {
            // Without a limit it is "max", or in version 1 nearly 2^63.
            if let bytes = SystemFile.text(of: root + folder + "/" + limit).flatMap(number), bytes < 1 << 50 {
                found.append(
                    ControlGroup(limit: bytes, statistics: root + folder + "/memory.stat", names: names))
            }
            guard let slash = folder.lastIndex(of: "/") else { return found }
            folder = String(folder[..<slash])
        }
    }

    private static func number(_ text: String) -> Int? { text.split(separator: "\n").first.flatMap { Int($0) } }

    /// - Returns: nil if no name is found.
    static func sum(of names: [String], in text: String) -> Int? {
        var sum: Int?
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            // In /proc/meminfo a unit follows the number.
            guard words.count >= 2, names.contains(String(words[0])), let bytes = Int(words[1]) else { continue }
            sum = (sum ?? 0) + bytes
        }
        return sum
    }
}

/// The kernel's files about memory.
package struct ControlGroups: Hashable, Sendable {
    /// Lists this process's groups.
    package var membership = "/proc/self/cgroup"
    /// The mount point of control groups.
    package var root = "/sys/fs/cgroup"
    /// The machine's memory, and this process's pages.
    package var machine = "/proc/meminfo"
    package var pages = "/proc/self/statm"

    package init() {}
}

/// The machine's memory.
struct MachineMemory: Equatable {
    private let files: ControlGroups

    init(_ files: ControlGroups) { self.files = files }

    /// Whether this process uses more than three quarters of the memory that it could: its own and what is still available. The
    /// memory of other processes doesn't count, or a busy neighbour would make the server turn everybody away.
    var isShort: Bool {
        guard let kibibytes = ControlGroup.sum(of: ["MemAvailable:"], in: SystemFile.text(of: files.machine) ?? "")
        else {
            return false
        }
        // proc(5): size, resident, shared …, in pages.
        let pages = SystemFile.text(of: files.pages)?.split(separator: " ").map { Int($0) ?? 0 } ?? []
        guard pages.count > 1 else { return false }
        let resident = pages[1] * sysconf(Int32(_SC_PAGESIZE))
        return resident > (resident + kibibytes * 1_024) / 4 * 3
    }
}

/// Reads the kernel's small files.
enum SystemFile {
    /// - Returns: nil if the file can't be opened.
    static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while case let count = read(file, &piece, piece.count), count > 0 {
            text += piece[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
