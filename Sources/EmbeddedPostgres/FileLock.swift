import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A flock on a file, held until it is released, or until this object or the process is gone.
///
/// A flock belongs to the open file, so two of these in one process exclude each other as two processes do. The descriptor is
/// closed on exec, because a server that inherited it would hold the lock as long as it runs.
final class FileLock: Sendable {
    private let descriptor: Mutex<Int32>

    private init(path: String, in folder: DataFolder) throws {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else {
            if errno == EACCES, let owner = folder.foreignOwner(of: path) {
                throw EmbeddedServerError.foreignFolder(folder: folder.path, owner: owner)
            }
            throw EmbeddedServerError.file(path: path, action: "open", code: errno)
        }
        // If root uses somebody's folder, it must not lock the owner out of it.
        if geteuid() == 0, let owner = FileStatus(folder.path) { _ = fchown(opened, owner.user, owner.group) }
        descriptor = Mutex(opened)
    }

    deinit { release() }

    /// Waits for exclusive use of the file, and writes the process id into it, for the error message of processes that time
    /// out.
    ///
    /// - Parameter patience: in seconds; longer than any healthy start or stop, including recovery.
    static func exclusive(_ path: String, in folder: DataFolder, patience: Int = 360) throws -> FileLock {
        let lock = try FileLock(path: path, in: folder)
        let end = ContinuousClock.now + .seconds(patience)
        while !lock.apply(LOCK_EX) {
            guard ContinuousClock.now < end else {
                throw EmbeddedServerError.busy(folder: folder.path, holder: lock.recordedHolder())
            }
            usleep(20_000)
        }
        lock.recordHolder()
        return lock
    }

    /// Shares the file with others. Call it under `start.lock`, so that nobody holds the file exclusively.
    static func shared(_ path: String, in folder: DataFolder) throws -> FileLock {
        let lock = try FileLock(path: path, in: folder)
        guard lock.apply(LOCK_SH) else { throw EmbeddedServerError.busy(folder: folder.path, holder: nil) }
        return lock
    }

    /// Makes the lock exclusive if no other process holds the file. If it returns false, the shared lock might be lost:
    /// release it.
    func makeExclusive() -> Bool { apply(LOCK_EX) }

    func release() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    private func apply(_ operation: Int32) -> Bool {
        descriptor.withLock { descriptor in
            var result: Int32
            repeat { result = flock(descriptor, operation | LOCK_NB) } while result != 0 && errno == EINTR
            return result == 0
        }
    }

    private func recordHolder() {
        let text = "\(getpid())\n"
        descriptor.withLock { descriptor in
            guard ftruncate(descriptor, 0) == 0 else { return }
            _ = text.withCString { pwrite(descriptor, $0, text.utf8.count, 0) }
        }
    }

    private func recordedHolder() -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = descriptor.withLock { pread($0, &bytes, bytes.count, 0) }
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
