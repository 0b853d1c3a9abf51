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

/// A data folder for one test. It is removed with its server when the test process ends or, if that was killed, when
/// the next one starts.
///
/// It is in /tmp regardless of TMPDIR, because the user postgres must reach it and a socket's path must be short.
package struct TestFolder: Sendable {
    private static let prefix = "widget-census-test-"
    private static let memory = "/dev/shm"
    /// Several times what our largest test server needs. A container has 64 MB by default.
    private static let memoryNeeded: UInt64 = 4 << 30
    private static let count = Atomic<Int>(0)
    /// Runs once, before the first folder is made.
    private static let cleanUp: Void = {
        sweep { kill($0, 0) != 0 && errno == ESRCH }
        atexit { TestFolder.sweep { $0 == getpid() } }
    }()

    /// `/tmp/widget-census-test-<pid>-<n>`, which doesn't exist yet.
    package let path: String

    /// - Parameter isInMemory: whether it can be in memory instead, if there is enough; for tests that need no disk.
    package init(isInMemory: Bool = false) {
        _ = Self.cleanUp
        let number = Self.count.add(1, ordering: .relaxed).newValue
        let parent = isInMemory && Self.memoryHasRoom ? Self.memory : "/tmp"
        path = "\(parent)/\(Self.prefix)\(getpid())-\(number)"
        // A process with the same id might have left it before the machine restarted.
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

    /// Ends the servers and removes the folders of these test processes, if they are our user's.
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
