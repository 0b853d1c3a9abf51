#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

/// The processes of PostgreSQL that run in a cluster. A postmaster and its children have the cluster as their working folder.
///
/// A process id alone proves nothing: after a reboot, and after every start of a container, the one in `postmaster.pid`
/// belongs to another process.
struct ServerProcesses {
    /// Processes that are certainly in this cluster, in ascending order.
    let inside: [Int32]
    /// Processes of PostgreSQL whose working folder we can't see, for example as root without CAP_SYS_PTRACE in a container.
    let unknown: [Int32]

    var all: [Int32] { inside + unknown }

    /// Searches /proc. Without /proc, a live process named in `postmaster.pid` counts as unknown.
    static func find(in folder: DataFolder) -> ServerProcesses {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc"),
            let cluster = FileStatus(folder.cluster)
        else {
            let process = PostmasterFile(of: folder)?.process
            return ServerProcesses(inside: [], unknown: process.map { kill($0, 0) == 0 ? [$0] : [] } ?? [])
        }
        var inside: [Int32] = []
        var unknown: [Int32] = []
        for process in names.compactMap({ Int32($0) }).sorted() where isPostgres(process) {
            errno = 0
            if let status = FileStatus("/proc/\(process)/cwd") {
                if status.isSame(as: cluster) { inside.append(process) }
            } else if errno == EACCES || errno == EPERM {
                unknown.append(process)
            }
        }
        return ServerProcesses(inside: inside, unknown: unknown)
    }

    /// Whether the system lets us list processes. If not, finding none doesn't mean that there is none.
    static var areSeen: Bool { FileStatus("/proc/self")?.isDirectory == true }

    private static func isPostgres(_ process: Int32) -> Bool {
        guard let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8) else { return false }
        return ["postgres\n", "postmaster\n"].contains(name)
    }
}
