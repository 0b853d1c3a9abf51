import Foundation
import Glibc
import PostgresTesting

/// A small file system in memory.
struct SmallDisk {
    struct NotMounted: Error {}

    let path: String

    static var isPossible: Bool {
        guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
        disk.remove()
        return true
    }

    init(megabytes: Int) throws {
        path = TestFolder().path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            try FileManager.default.removeItem(atPath: path)
            throw NotMounted()
        }
    }

    /// Fills the remaining space with one file.
    func fill(_ file: String) throws {
        let other = open(file, O_WRONLY | O_CREAT, 0o600)
        guard other >= 0 else { throw NotMounted() }
        defer { close(other) }
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(other, block, block.count) > 0 {}
    }

    func remove() {
        umount2(path, SmallDisk.detach)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// MNT_DETACH of umount2(2).
    private static let detach: Int32 = 2
}
