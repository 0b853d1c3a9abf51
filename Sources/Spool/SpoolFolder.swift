internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The folder of a spool, which only its owner can enter, and only one process uses.
///
/// A segment's files are `00000042.sqlite`, SQLite's files beside it, and its note: see ``note(_:of:isSynced:)``. Names of
/// damaged files end with `.damaged-` and the time. Versions without segments had one file, `spool.sqlite`; while they
/// recovered a damaged one, its name had `.unread-`.
package final class SpoolFolder: Sendable {
    /// Bytes to leave free on the disk. Without free space SQLite can neither delete anything nor move it from its log to its
    /// file.
    private static let reserve = 16 << 20
    /// How long to wait for the lock: the previous process might be ending, or a child that it starts has its descriptors for
    /// a moment.
    private static let patience: Duration = .seconds(2)
    private static let note = "-batches"
    private static let suffixes = ["-torn-wal", "-wal", "-shm", "-journal", note]

    let path: String
    private let lock = Mutex<Int32?>(nil)

    /// Creates the folder if it is missing, and makes sure that its name survives a power cut.
    init(_ path: String) throws(SpoolError) {
        self.path = path
        let isNew = !FileManager.default.fileExists(atPath: path)
        if isNew {
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                try SpoolFolder.requireWritableDisk(path)
                throw .folder(path, reason: "it can't be created")
            }
        }
        try SpoolFolder.requirePrivate(path)
        var status = stat()
        try require(stat(path, &status) == 0)
        guard status.st_uid == geteuid() else { throw .folder(path, reason: "it belongs to another user") }
        // SQLite reports damaged files as read-only, too, so check here.
        try require(access(path, W_OK) == 0)

        // Lock the folder, because SQLite's own locks are in files that might be damaged.
        let folder = try descriptor(".", O_RDONLY | O_DIRECTORY)
        lock.withLock { $0 = folder }
        let end = ContinuousClock.now + SpoolFolder.patience
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else { throw .inUse(folder: path) }
            usleep(20_000)
        }
        if isNew { try sync("..") }
    }

    /// Checks what can be known of a folder without using it, also as another user; one that is missing will be created.
    package static func check(_ path: String) throws(SpoolError) {
        try requireWritableDisk(path)
        try requirePrivate(path)
        var status = stat()
        // Another user's folder can be writable for that user.
        guard stat(path, &status) == 0, status.st_uid == geteuid(), access(path, W_OK) != 0 else { return }
        throw .folder(path, reason: String(cString: strerror(errno)))
    }

    private static func requirePrivate(_ path: String) throws(SpoolError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .folder(path, reason: "it is not a folder") }
        // Don't change its mode, because others might use this folder.
        guard status.st_mode & 0o077 == 0 else { throw .notPrivate(folder: path) }
    }

    deinit { release() }

    /// Unlocks the folder for another process.
    func release() {
        lock.withLock { folder in
            if let open = folder { close(open) }
            folder = nil
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// - Returns: nil if there is no such file.
    func size(_ name: String) -> Int? { SpoolFolder.size(file(name)) }

    /// - Throws: ``SpoolError/diskFull`` without room for twice as many bytes, because they go to the log first, and then to
    ///   the file.
    func requireRoom(for bytes: Int) throws(SpoolError) {
        var status = statvfs()
        // If the disk doesn't tell, assume that it has none.
        let free = statvfs(path, &status) == 0 ? Int(status.f_bavail) * Int(status.f_frsize) : 0
        guard free >= 2 * bytes + SpoolFolder.reserve else { throw .diskFull }
    }

    // MARK: Segments

    /// Returns the names of the segments, the oldest first.
    func segments() throws(SpoolError) -> [String] {
        for stem in Set(SpoolFolder.stems(in: path)).sorted() where stem.contains(".unread-") {
            // SQLite can't use a log alone.
            try move(stem, to: size(stem) == nil ? stem.replacing(".unread-", with: ".damaged-") : unusedSegment())
        }
        // A folder with such a name is not ours.
        let stems = Set(SpoolFolder.stems(in: path).filter { $0.hasSuffix(".sqlite") && !isFolder($0) })
        return stems.sorted { SpoolFolder.number(of: $0) < SpoolFolder.number(of: $1) }
    }

    /// Creates the file of a new segment, which survives a power cut.
    func makeSegment() throws(SpoolError) -> String {
        let name = unusedSegment()
        // SQLite would use the umask. The files that it creates beside this one get this file's mode.
        close(try descriptor(name, O_RDWR | O_CREAT | O_NOFOLLOW))
        try note(0, of: name)
        try sync()
        return name
    }

    /// Notes how many batches a segment holds at least, as the length of an empty file. So the number is known even if SQLite
    /// can't read the segment, or the end of its log.
    func note(_ count: Int, of segment: String, isSynced: Bool = false) throws(SpoolError) {
        let note = try descriptor(segment + SpoolFolder.note, O_WRONLY | O_CREAT | O_NOFOLLOW)
        defer { close(note) }
        try require(ftruncate(note, off_t(count)) == 0 && (!isSynced || fsync(note) == 0))
    }

    /// - Returns: nil if there is no note.
    func noted(_ segment: String) -> Int? { size(segment + SpoolFolder.note) }

    func removeSegment(_ name: String) throws(SpoolError) {
        // A power cut might leave any of its files.
        try note(0, of: name, isSynced: true)
        for file in SpoolFolder.files(of: name) { try require(unlink(self.file(file)) == 0 || errno == ENOENT, file) }
        try sync()
    }

    /// Renames the files of a damaged segment.
    ///
    /// - Returns: its new name.
    func putAside(_ name: String, at time: Date) throws(SpoolError) -> String {
        let digits = time.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
        var aside = "\(name).damaged-\(digits)"
        while SpoolFolder.stems(in: path).contains(aside) { aside += "-2" }
        try move(name, to: aside)
        return aside
    }

    private func move(_ name: String, to other: String) throws(SpoolError) {
        // Rename the note last: if this is cut off, too much counts as lost, not too little.
        for (old, new) in zip(SpoolFolder.files(of: name), SpoolFolder.files(of: other)) {
            try require(rename(file(old), file(new)) == 0 || errno == ENOENT, old)
        }
        try sync()
    }

    private func isFolder(_ name: String) -> Bool {
        var status = stat()
        return lstat(file(name), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func unusedSegment() -> String {
        String(format: "%08d.sqlite", (SpoolFolder.stems(in: path).map(SpoolFolder.number).max() ?? 0) + 1)
    }

    private func sync(_ name: String = ".") throws(SpoolError) {
        let folder = try descriptor(name, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        try require(fsync(folder) == 0)
    }

    private func descriptor(_ name: String, _ flags: Int32) throws(SpoolError) -> Int32 {
        let descriptor = open(file(name), flags | O_CLOEXEC, 0o600)
        try require(descriptor >= 0, name)
        return descriptor
    }

    /// - Parameter name: the file in the folder that the call was about.
    private func require(_ isDone: Bool, _ name: String? = nil) throws(SpoolError) {
        guard !isDone else { return }
        let code = errno
        let error = String(cString: strerror(code))
        let reason = name.map { "\($0): \(error)" } ?? error
        throw SpoolFolder.isOfDisk(code) ? .disk(folder: path, reason: reason) : .folder(path, reason: reason)
    }

    /// Whether an error can pass without a change of settings or rights.
    private static func isOfDisk(_ code: Int32) -> Bool { [EROFS, ENOSPC, EDQUOT, EIO].contains(code) }

    /// - Throws: ``SpoolError/disk(folder:reason:)`` if the folder is on a disk that is mounted read-only. If it is missing, its
    ///   nearest parent counts.
    private static func requireWritableDisk(_ path: String) throws(SpoolError) {
        var (place, status) = (path, statvfs())
        while statvfs(place, &status) != 0 {
            guard errno != ENOTDIR else { throw .folder(path, reason: "\(place) is not in a folder") }
            guard errno == ENOENT, place != "/", !place.isEmpty else { return }
            place = (place as NSString).deletingLastPathComponent
        }
        guard status.f_flag & UInt(ST_RDONLY) == 0 else {
            throw .disk(folder: path, reason: String(cString: strerror(EROFS)))
        }
    }

    // MARK: Names

    /// Counts the damaged segments in a folder, even if another process uses it.
    package static func damagedFiles(in path: String) -> Int {
        Set(stems(in: path).filter { !$0.hasSuffix(".sqlite") }).count
    }

    /// Counts the batches in the segments of such a folder, waiting or set aside, by their notes. A note is written before
    /// the first batch. Versions without segments had no notes; then a file that holds anything counts as one batch.
    package static func batches(in path: String) -> Int {
        Set(stems(in: path)).filter { $0.hasSuffix(".sqlite") }.reduce(0) { sum, stem in
            sum + (size("\(path)/\(stem)\(note)") ?? min(1, size("\(path)/\(stem)") ?? 0))
        }
    }

    /// Returns the size of the segments' files in such a folder.
    package static func bytes(in path: String) -> Int {
        names(in: path).filter { stem(of: $0)?.hasSuffix(".sqlite") == true && !$0.hasSuffix(note) }
            .reduce(0) { $0 + (size("\(path)/\($1)") ?? 0) }
    }

    private static func names(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Returns the segment's name for each file that belongs to one.
    private static func stems(in path: String) -> [String] { names(in: path).compactMap(stem) }

    private static func stem(of name: String) -> String? {
        let stem = name.dropLast(suffixes.first { name.hasSuffix($0) }?.count ?? 0)
        let parts = stem.split(separator: ".", maxSplits: 2)
        guard parts.count > 1, parts[1] == "sqlite", parts[0] == "spool" || parts[0].count >= 8 && Int(parts[0]) != nil,
            parts.count == 2 || parts[2].hasPrefix("damaged-") || parts[2].hasPrefix("unread-")
        else { return nil }
        return String(stem)
    }

    /// Returns the names of all files that a segment can have.
    private static func files(of stem: String) -> [String] { ([""] + suffixes).map { stem + $0 } }

    private static func number(of stem: String) -> Int { Int(stem.prefix { $0 != "." }) ?? 0 }

    private static func size(_ path: String) -> Int? {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
