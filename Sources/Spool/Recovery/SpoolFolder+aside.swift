internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Files that were put aside: `spool.sqlite.unread-` and when, until what can be read in them was brought, then
/// `spool.sqlite.damaged-` and when; their logs' names end in `-wal`.
extension SpoolFolder {
    private static let unread = "spool.sqlite.unread-"
    private static let damaged = "spool.sqlite.damaged-"
    private static let tornLog = "-torn-wal"
    /// The longest first: one is a suffix of another.
    private static let suffixes = [tornLog, "-wal", "-shm", "-journal", ""]

    /// When files were put aside whose content was not brought yet, at this start or at one that was cut off.
    var unreadStamps: [String] { SpoolFolder.stamps(SpoolFolder.unread, in: path) }

    /// How many are in a folder for a person to look at and delete, or to make room for.
    static func asideCount(in path: String) -> Int {
        stamps(unread, in: path).count + stamps(damaged, in: path).count
    }

    /// Moves the files that SQLite would open out of its way.
    func putAside(_ time: Date = .now) throws(SpoolError) {
        let stamp = freeStamp(time)
        // The file first: a log without its file is noticed at the next start, a file without its log is not.
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let name = path + "/" + SpoolFolder.unread + stamp + suffix
            guard rename(file + suffix, name) == 0 || errno == ENOENT else {
                throw .folder(path, reason: SpoolFolder.reason)
            }
        }
        try SpoolFolder.sync(path)
        try makeFile()
    }

    /// Copies the log, whose end SQLite is about to forget.
    func copyTornLog(_ time: Date = .now) {
        // Without room for the copy there is none for what it holds either.
        let copy = path + "/" + SpoolFolder.unread + freeStamp(time) + SpoolFolder.tornLog
        guard (try? FileManager.default.copyItem(atPath: log, toPath: copy)) != nil else {
            unlink(copy)
            return
        }
        chmod(copy, 0o600)
    }

    /// - Returns: where file and log of a stamp lie, and whether they are only the copy of a log.
    func unreadFiles(_ stamp: String) -> (main: String, log: String, isTornLog: Bool) {
        let name = path + "/" + SpoolFolder.unread + stamp
        let torn = name + SpoolFolder.tornLog
        let isTornLog = FileManager.default.fileExists(atPath: torn)
        return (name, isTornLog ? torn : name + "-wal", isTornLog)
    }

    /// Everything that could be recovered has been.
    ///
    /// - Returns: the file's name now.
    func keepUnread(_ stamp: String) throws(SpoolError) -> String {
        for name in SpoolFolder.names(SpoolFolder.unread, stamp, in: path) {
            let kept = SpoolFolder.damaged + name.dropFirst(SpoolFolder.unread.count)
            guard rename(path + "/" + name, path + "/" + kept) == 0 else {
                throw .folder(path, reason: SpoolFolder.reason)
            }
        }
        try SpoolFolder.sync(path)
        return SpoolFolder.damaged + stamp
    }

    /// Everything in it has been recovered.
    func removeUnread(_ stamp: String) {
        for name in SpoolFolder.names(SpoolFolder.unread, stamp, in: path) { unlink(path + "/" + name) }
    }

    private func freeStamp(_ time: Date) -> String {
        let digits = time.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
        let taken = SpoolFolder.stamps(SpoolFolder.unread, in: path) + SpoolFolder.stamps(SpoolFolder.damaged, in: path)
        var stamp = digits
        var number = 1
        while taken.contains(stamp) {
            number += 1
            stamp = "\(digits)-\(number)"
        }
        return stamp
    }

    private static func stamps(_ prefix: String, in path: String) -> [String] {
        let stamps = names(prefix, in: path).map { name in
            var stamp = name.dropFirst(prefix.count)
            for suffix in suffixes where !suffix.isEmpty && stamp.hasSuffix(suffix) {
                stamp.removeLast(suffix.count)
                break
            }
            return String(stamp)
        }
        return Set(stamps).sorted()
    }

    /// The names with this stamp, and not with one that only begins like it.
    private static func names(_ prefix: String, _ stamp: String, in path: String) -> [String] {
        let own = Set(suffixes.map { prefix + stamp + $0 })
        return names(prefix, in: path).filter(own.contains)
    }

    private static func names(_ prefix: String, in path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.sorted()
    }
}
