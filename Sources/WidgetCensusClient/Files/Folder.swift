import Foundation

/// One of the client's folders: files in it appear whole or not at all, whenever the process is killed.
///
/// Several processes may use it at once, without locks: a process that the system suspends while it holds a lock in an app group
/// is ended (0xdead10cc).
struct Folder: Sendable {
    let path: String
    let files: any Files
    private let serial: Serial
    /// Where files are written before they get their names.
    private var drafts: String { path + "/new" }

    init(_ path: String, files: any Files, serial: Serial = Serial()) {
        self.path = path
        self.files = files
        self.serial = serial
    }

    /// A name part that no other process uses, and this one only once. Those of one process sort in their order.
    func nextSerial() -> String { serial.next() }

    func names(in subfolder: String) throws(FileFailure) -> [String] {
        do {
            return try files.names(in: path + "/" + subfolder)
        } catch .absent {
            return []
        }
    }

    func contents(of name: String) throws(FileFailure) -> Data { try files.contents(of: path + "/" + name) }

    /// Writes a file under another name and syncs it, then moves it to its place.
    func write(_ data: Data, to name: String) throws(FileFailure) {
        do {
            try attempt(data, name)
        } catch .absent {
            // The very first file, or somebody emptied the folder.
            try makeFolders(for: name)
            try attempt(data, name)
        }
    }

    private func attempt(_ data: Data, _ name: String) throws(FileFailure) {
        let draft = drafts + "/" + nextSerial()
        try sweepDrafts()
        try files.create(draft, holding: data)
        do {
            try files.move(draft, to: path + "/" + name)
        } catch {
            try? files.remove(draft)
            throw error
        }
    }

    private func makeFolders(for name: String) throws(FileFailure) {
        // Those below inherit what this one says about backups and protection.
        try files.makeFolder(path)
        try files.makeFolder(drafts)
        if let slash = name.lastIndex(of: "/") { try files.makeFolder(path + "/" + name[..<slash]) }
    }

    func move(_ name: String, to target: String) throws(FileFailure) {
        do {
            try files.move(path + "/" + name, to: path + "/" + target)
        } catch .absent {
            try makeFolders(for: target)
            try files.move(path + "/" + name, to: path + "/" + target)
        }
    }

    /// - Returns: whether it was there, and is gone by this.
    @discardableResult
    func remove(_ name: String) throws(FileFailure) -> Bool {
        do {
            try files.remove(path + "/" + name)
            return true
        } catch .absent {
            return false
        }
    }

    /// Removes what killed processes left half written. A few stay, because other processes may be writing them; which are
    /// the oldest is known only for each process, and if a living one loses its draft, its write begins again.
    private func sweepDrafts() throws(FileFailure) {
        let names = try files.names(in: drafts)
        guard names.count > Folder.draftsAllowed else { return }
        for name in names.sorted().dropLast(Folder.draftsAllowed) { try? files.remove(drafts + "/" + name) }
    }

    private static let draftsAllowed = 16
}

/// Names that differ between processes, and count within one.
final class Serial: Sendable {
    private let writer: String
    private let count = Locked(0)

    init() { writer = String(format: "%08x", UInt32.random(in: 0...UInt32.max)) }

    func next() -> String {
        let number = count.withValue { count in
            count += 1
            return count
        }
        return number.padded(to: 6) + "-" + writer
    }
}

extension Int {
    /// With zeros in front, so that names sort as numbers do. Not by `String(format:)`, which takes ten times as long: each event
    /// reads the names of all that wait.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(width - digits.utf8.count, 0)) + digits
    }
}
