internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The folder of a spool, which only its owner may enter, and one process uses.
///
/// A segment's files are `00000042.sqlite`, SQLite's log and journal beside it, and its note: see ``note(_:of:isSynced:)``.
/// Those that were put aside are called `00000042.sqlite.damaged-` and the time. Versions without segments had one file,
/// `spool.sqlite`; what they put aside was called `unread-` until its batches were recovered.
final class SpoolFolder: Sendable {
    /// Bytes that are left free on the disk: without any, SQLite can neither delete nor move anything from its log to its file.
    private static let reserve = 16 << 20
    /// The process before us may be ending, and a child that it starts has its descriptors for a moment.
    private static let patience: Duration = .seconds(2)
    private static let note = "-batches"
    private static let suffixes = ["-torn-wal", "-wal", "-shm", "-journal", note]

    let path: String
    private let lock: Mutex<Int32?>

    /// Makes the folder if it is missing, and makes sure that its name survives a power cut.
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
        // SQLite says of a damaged file, too, that it may only be read.
        guard access(path, W_OK) == 0 else { throw .folder(path, reason: SpoolFolder.reason) }

        // SQLite's own locks are in files that may be damaged.
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .folder(path, reason: SpoolFolder.reason) }
        lock = Mutex(folder)
        let end = ContinuousClock.now + SpoolFolder.patience
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else { throw .inUse(folder: path) }
            usleep(20_000)
        }
        if isNew { try sync("..") }
    }

    deinit { release() }

    /// Lets another process have the folder.
    func release() {
        lock.withLock { folder in
            if let open = folder { close(open) }
            folder = nil
        }
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// - Returns: 0 without such a file.
    func size(_ name: String) -> Int { SpoolFolder.length(file(name)) ?? 0 }

    // MARK: Segments

    /// The names of the segments, the oldest first.
    func segments() throws(SpoolError) -> [String] {
        for stem in Set(SpoolFolder.stems(in: path)).sorted() where stem.contains(".unread-") {
            // The copy of a log alone is of no use to SQLite.
            let isCopy = size(stem) == 0
            try move(stem, to: isCopy ? stem.replacing(".unread-", with: ".damaged-") : unusedSegment())
        }
        let stems = Set(SpoolFolder.stems(in: path).filter { $0.hasSuffix(".sqlite") })
        return stems.sorted { SpoolFolder.number(of: $0) < SpoolFolder.number(of: $1) }
    }

    /// Makes the file of a new segment, which survives a power cut.
    ///
    /// - Returns: its name.
    func makeSegment() throws(SpoolError) -> String {
        let name = unusedSegment()
        // SQLite would use the umask; the files that it makes beside this one get this one's mode.
        close(try descriptor(name))
        try note(0, of: name)
        try sync()
        return name
    }

    /// Notes how many batches a segment holds, or fewer, as the length of an empty file: this is known even when SQLite can't
    /// read the segment, or the end of its log.
    func note(_ count: Int, of segment: String, isSynced: Bool = false) throws(SpoolError) {
        let note = try descriptor(segment + SpoolFolder.note)
        defer { close(note) }
        guard ftruncate(note, off_t(count)) == 0, !isSynced || fsync(note) == 0 else {
            throw .folder(path, reason: SpoolFolder.reason)
        }
    }

    /// - Returns: nil when nothing was noted.
    func noted(_ segment: String) -> Int? { SpoolFolder.length(file(segment + SpoolFolder.note)) }

    func removeSegment(_ name: String) throws(SpoolError) {
        // A power cut may leave any of its files.
        try note(0, of: name, isSynced: true)
        for suffix in [""] + SpoolFolder.suffixes { unlink(file(name + suffix)) }
        try sync()
        guard SpoolFolder.length(file(name)) == nil else { throw .folder(path, reason: "a file can't be removed") }
    }

    /// - Returns: what a damaged segment is called now.
    func putAside(_ name: String, at time: Date) throws(SpoolError) -> String {
        let digits = time.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
        let taken = Set(SpoolFolder.stems(in: path))
        var aside = "\(name).damaged-\(digits)"
        while taken.contains(aside) { aside += "-2" }
        try move(name, to: aside)
        return aside
    }

    private func move(_ name: String, to other: String) throws(SpoolError) {
        // The note last: if this is cut off, too much is missing rather than too little.
        for suffix in [""] + SpoolFolder.suffixes {
            guard rename(file(name + suffix), file(other + suffix)) == 0 || errno == ENOENT else {
                throw .folder(path, reason: SpoolFolder.reason)
            }
        }
        try sync()
    }

    private func unusedSegment() -> String {
        let numbers = SpoolFolder.stems(in: path).map(SpoolFolder.number)
        return String(format: "%08d.sqlite", (numbers.max() ?? 0) + 1)
    }

    private func descriptor(_ name: String) throws(SpoolError) -> Int32 {
        let file = open(file(name), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .folder(path, reason: SpoolFolder.reason) }
        return file
    }

    // MARK: Folders that another process may be using

    /// How many files were put aside in a folder; each counts once, with its log.
    static func damagedFiles(in path: String) -> Int { Set(stems(in: path).filter { !$0.hasSuffix(".sqlite") }).count }

    /// The bytes of the files that are in use.
    static func bytes(in path: String) -> Int {
        let names = names(in: path).filter { stem(of: $0)?.hasSuffix(".sqlite") == true && !$0.hasSuffix(note) }
        return names.reduce(0) { $0 + (length("\(path)/\($1)") ?? 0) }
    }

    private static func names(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// What the files of one segment have in common, once for each of them.
    private static func stems(in path: String) -> [String] { names(in: path).compactMap(stem) }

    /// - Returns: nil for a file that is not a spool's.
    private static func stem(of name: String) -> String? {
        let suffix = suffixes.first { name.hasSuffix($0) } ?? ""
        let stem = name.dropLast(suffix.count)
        let parts = stem.split(separator: ".", maxSplits: 2)
        guard parts.count > 1, parts[1] == "sqlite", parts[0] == "spool" || parts[0].count >= 8 && Int(parts[0]) != nil,
            parts.count == 2 || parts[2].hasPrefix("damaged-") || parts[2].hasPrefix("unread-")
        else { return nil }
        return String(stem)
    }

    private static func number(of stem: String) -> Int { Int(stem.prefix { $0 != "." }) ?? 0 }

    private static func length(_ path: String) -> Int? {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    // MARK: The disk

    /// - Throws: ``SpoolError/diskFull`` without room for twice as much: it goes to the log first, and from there to the file.
    func requireRoom(for bytes: Int) throws(SpoolError) {
        var status = statvfs()
        // A disk that does not say has none.
        let free = statvfs(path, &status) == 0 ? Int(status.f_bavail) * Int(status.f_frsize) : 0
        guard free >= 2 * bytes + SpoolFolder.reserve else { throw .diskFull }
    }

    private func sync(_ name: String = ".") throws(SpoolError) {
        let folder = open(file(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .folder(path, reason: SpoolFolder.reason) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw .folder(path, reason: SpoolFolder.reason) }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
