internal import Foundation

/// The process that listens on a port of this machine, found in /proc. Nil on other systems, and for other users' processes.
struct PortHolder: Hashable {
    var process: Int
    var name: String

    init?(of port: Int) {
        let sockets = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { PortHolder.listeners(on: port, in: $0) }
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = Int(name), process != getpid() else { continue }
            let folder = "/proc/\(process)/fd"
            let isHolder = ((try? files.contentsOfDirectory(atPath: folder)) ?? []).contains { descriptor in
                (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")).map(sockets.contains) ?? false
            }
            guard isHolder else { continue }
            let command = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
            self.process = process
            self.name = command.trimmingCharacters(in: .whitespacesAndNewlines)
            return
        }
        return nil
    }

    static func inWords(_ port: Int) -> String? {
        PortHolder(of: port).map { "\($0.name) (process \($0.process))" }
    }

    /// The sockets that listen on a port, in the form of a link in /proc/PID/fd.
    private static func listeners(on port: Int, in table: String) -> [String] {
        guard let lines = try? String(contentsOfFile: table, encoding: .utf8).split(separator: "\n") else { return [] }
        return lines.compactMap { line in
            // sl, local_address:port, rem_address, st, and the inode as the tenth.
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[3] == "0A",
                fields[1].split(separator: ":").last.flatMap({ Int($0, radix: 16) }) == port
            else { return nil }
            return "socket:[\(fields[9])]"
        }
    }
}
