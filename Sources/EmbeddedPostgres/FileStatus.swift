#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The parts of stat's result that we need.
struct FileStatus {
    let user: uid_t
    let group: gid_t
    let isDirectory: Bool
    let size: Int
    private let device: UInt64
    private let inode: UInt64

    /// Follows links; nil if there is no file, or if we have no permission to see it.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        user = status.st_uid
        group = status.st_gid
        isDirectory = (status.st_mode & S_IFMT) == S_IFDIR
        size = Int(status.st_size)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Whether both are the same file, by whatever path.
    func isSame(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
