internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The folder of a spool, which only its owner may enter, and one process uses.
final class SpoolFolder: Sendable {
    let path: String
    var file: String { path + "/spool.sqlite" }
    var log: String { file + "-wal" }
    /// Whether there is a log without its file.
    var hasStrayLog: Bool { RawFile(file) == nil && RawFile(log) != nil }
    private let lock: Mutex<Int32?>
    /// The process before us may be ending, and a child that it starts has its descriptors for a moment.
    private static let patience: Duration = .seconds(2)

    /// Makes the folder and an empty file if they are missing, and makes sure that their names survive a power cut.
    init(_ path: String) throws(SpoolError) {
        self.path = path
        let isNew = !FileManager.default.fileExists(atPath: path)
        if isNew {
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw .folder(path, reason: "it cannot be made")
            }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .folder(path, reason: SpoolFolder.reason) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .folder(path, reason: "it is not a folder") }
        guard status.st_uid == geteuid() else { throw .folder(path, reason: "it belongs to another user") }
        // We don't change its mode: it may be a folder that others use.
        guard status.st_mode & 0o077 == 0 else { throw .notPrivate(folder: path) }

        // SQLite's own lock is in a file that may be damaged.
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .folder(path, reason: SpoolFolder.reason) }
        lock = Mutex(folder)
        let end = ContinuousClock.now + SpoolFolder.patience
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else { throw .inUse(folder: path) }
            usleep(20_000)
        }
        try makeFile()
        if isNew { try SpoolFolder.sync(path + "/..") }
    }

    deinit { release() }

    /// Lets another process have the folder.
    func release() {
        lock.withLock { folder in
            if let open = folder { close(open) }
            folder = nil
        }
    }

    func makeFile() throws(SpoolError) {
        // SQLite would use the umask; the files that it makes beside this one get this one's mode.
        let made = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard made >= 0 else { throw .folder(path, reason: SpoolFolder.reason) }
        let isChanged = fchmod(made, 0o600) == 0
        close(made)
        guard isChanged else { throw .folder(path, reason: SpoolFolder.reason) }
        try SpoolFolder.sync(path)
    }

    /// Free bytes on the disk; 0 when it does not say.
    static func freeBytes(_ path: String) -> Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return 0 }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    static func sync(_ path: String) throws(SpoolError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .folder(path, reason: reason) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw .folder(path, reason: reason) }
    }

    static var reason: String { String(cString: strerror(errno)) }
}
