import EmbeddedPostgres
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

/// A data folder for one test, removed with the server in it when the test process ends or, if that was killed, when
/// the next one begins.
///
/// It lies in /tmp whatever TMPDIR says: the user postgres must reach it, and a socket's path must be short.
package struct TestFolder: Sendable {
    private static let prefix = "widget-census-test-"
    private static let memory = "/dev/shm"
    /// What the largest of our test servers takes, several times. A container has 64 MB by default.
    private static let memoryNeeded: UInt64 = 4 << 30
    private static let count = Atomic<Int>(0)
    /// Runs once, before the first folder is made.
    private static let cleanUp: Void = {
        sweep { kill($0, 0) != 0 && errno == ESRCH }
        atexit { TestFolder.sweep { $0 == getpid() } }
    }()

    /// Not made yet: `/tmp/widget-census-test-<pid>-<n>`.
    package let path: String

    /// - Parameter isInMemory: whether it may lie in memory instead, where there is room: for what need not be a disk.
    package init(isInMemory: Bool = false) {
        _ = Self.cleanUp
        let number = Self.count.add(1, ordering: .relaxed).newValue
        let parent = isInMemory && Self.memoryHasRoom ? Self.memory : "/tmp"
        path = "\(parent)/\(Self.prefix)\(getpid())-\(number)"
        // Left by a process that had our id, in another life of the machine.
        remove()
    }

    /// Ends the folder's server, if there is one, and removes the folder.
    package func remove() {
        EmbeddedServer.endServer(in: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    private static var memoryHasRoom: Bool {
        var system = statvfs()
        guard statvfs(memory, &system) == 0, access(memory, W_OK) == 0 else { return false }
        return UInt64(system.f_bavail) * UInt64(system.f_frsize) >= memoryNeeded
    }

    /// Ends the servers and removes the folders of those test processes, of our own user's.
    private static func sweep(of isSwept: (Int32) -> Bool) {
        for parent in ["/tmp", memory] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
            for name in names where name.hasPrefix(prefix) {
                var status = stat()
                let path = "\(parent)/\(name)"
                guard let process = Int32(name.dropFirst(prefix.count).prefix { $0 != "-" }), isSwept(process),
                    lstat(path, &status) == 0, status.st_uid == geteuid()
                else { continue }
                EmbeddedServer.endServer(in: path)
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }
}
