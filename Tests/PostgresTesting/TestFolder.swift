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
    private static let count = Atomic<Int>(0)
    /// Runs once, before the first folder is made.
    private static let cleanUp: Void = {
        sweep { kill($0, 0) != 0 && errno == ESRCH }
        atexit { TestFolder.sweep { $0 == getpid() } }
    }()

    /// Not made yet: `/tmp/widget-census-test-<pid>-<n>`.
    package let path: String

    package init() {
        _ = Self.cleanUp
        let number = Self.count.add(1, ordering: .relaxed).newValue
        path = "/tmp/\(Self.prefix)\(getpid())-\(number)"
        // Left by a process that had our id, in another life of the machine.
        remove()
    }

    /// Ends the folder's server, if there is one, and removes the folder.
    package func remove() {
        EmbeddedPostgres.endServer(in: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Ends the servers and removes the folders of those test processes, of our own user's.
    private static func sweep(of isSwept: (Int32) -> Bool) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
        for name in names where name.hasPrefix(prefix) {
            var status = stat()
            guard let process = Int32(name.dropFirst(prefix.count).prefix { $0 != "-" }), isSwept(process),
                lstat("/tmp/" + name, &status) == 0, status.st_uid == geteuid()
            else { continue }
            EmbeddedPostgres.endServer(in: "/tmp/" + name)
            try? FileManager.default.removeItem(atPath: "/tmp/" + name)
        }
    }
}
