import Foundation

/// One of the client's folders. A file in it is complete or absent, whenever the process is killed.
///
/// Several processes can use it at once, without locks, because the system kills a process that is suspended while it holds a
/// lock in an app group (0xdead10cc).
struct Folder: Sendable {
    let path: String
    let files: any Files
    private let serial: Serial
    /// The subfolder for files that are not complete yet.
    private var drafts: String { path + "/new" }

    init(_ path: String, files: any Files, serial: Serial = Serial()) {
        self.path = path
        self.files = files
        self.serial = serial
    }

    /// Returns a part of a name that is unique among all processes. Those of one process sort in the order of the calls.
    func nextSerial() -> String { serial.next() }

    func names(in subfolder: String) throws(FileFailure) -> [String] {
        do {
            return try files.names(in: path + "/" + subfolder)
        } catch .absent {
            return []
        }
    }

    func contents(of name: String) throws(FileFailure) -> Data { try files.contents(of: path + "/" + name) }

    /// Writes a file under another name, syncs it, then moves it into place.
    func write(_ data: Data, to name: String) throws(FileFailure) {
        do {
            try attempt(data, name)
        } catch .absent {
            // This is the first file, or somebody emptied the folder.
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
        // Subfolders inherit this folder's settings for backups and protection.
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

    /// - Returns: whether this call removed it.
    @discardableResult
    func remove(_ name: String) throws(FileFailure) -> Bool {
        do {
            try files.remove(path + "/" + name)
            return true
        } catch .absent {
            return false
        }
    }

    /// Removes incomplete files that killed processes left. Keeps a few, because other processes might be writing them. Serials
    /// show the age only within one process, so a draft in use can be removed; its writer then starts again.
    private func sweepDrafts() throws(FileFailure) {
        let names = try files.names(in: drafts)
        guard names.count > Folder.draftsAllowed else { return }
        for name in names.sorted().dropLast(Folder.draftsAllowed) { try? files.remove(drafts + "/" + name) }
    }

    private static let draftsAllowed = 16
}

/// Makes names that differ between processes and count within one.
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
    /// Pads with zeros, so that names sort like numbers. `String(format:)` takes ten times as long, and each event reads the
    /// names of all waiting ones.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(width - digits.utf8.count, 0)) + digits
    }
}
