import Foundation
import Glibc
import PostgresTesting

/// A file system in memory that is soon full.
struct SmallDisk {
    struct NotMounted: Error {}

    let path: String

    static var isPossible: Bool {
        guard geteuid() == 0, let disk = try? SmallDisk() else { return false }
        disk.remove()
        return true
    }

    init(megabytes: Int = 2) throws {
        path = TestFolder().path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            try FileManager.default.removeItem(atPath: path)
            throw NotMounted()
        }
    }

    func resize(megabytes: Int) throws {
        guard mount("tmpfs", path, "tmpfs", SmallDisk.remount, "size=\(megabytes)m") == 0 else { throw NotMounted() }
    }

    func remove() {
        umount2(path, SmallDisk.detach)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// MS_REMOUNT and MNT_DETACH of mount(2).
    private static let remount: UInt = 32
    private static let detach: Int32 = 2
}
