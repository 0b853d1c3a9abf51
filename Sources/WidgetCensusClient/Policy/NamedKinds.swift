import Foundation

/// Kinds that somebody used or changed since the newest list was read: the list may lack what is there now.
struct NamedKinds: Hashable, Sendable {
    private let hashes: Set<String>
    /// Too many to keep: any kind may be among them.
    private let isAll: Bool

    /// - Parameter names: of the files in ``NamedKindsFolder``.
    init(names: [String]) {
        hashes = Set(names.compactMap { $0.split(separator: "-").first.map(String.init) })
        isAll = names.count >= NamedKindsFolder.allowed
    }

    func contains(_ kind: String) -> Bool { isAll || hashes.contains(NamedKinds.hash(kind)) }

    /// Kinds are longer than file names may be. Two kinds with the same hash are both shown.
    fileprivate static func hash(_ kind: String) -> String {
        // FNV-1a, because `Hasher` has another seed in every process.
        let hash = kind.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(format: "%016llx", hash)
    }
}

/// One empty file for each event that named a kind. Any process adds some; the app removes them when it has read a new list.
struct NamedKindsFolder: Sendable {
    let folder: Folder

    static let allowed = 512

    func names() throws(FileFailure) -> [String] { try folder.names(in: "named") }

    /// A new file each time: an existing one may be about to be removed.
    ///
    /// - Parameter unlessThere: for events that are too frequent for that.
    func add(_ kind: String, unlessThere: Bool) throws(FileFailure) {
        let names = try names()
        guard names.count < NamedKindsFolder.allowed else { return }
        let hash = NamedKinds.hash(kind)
        if unlessThere, names.contains(where: { $0.hasPrefix(hash) }) { return }
        try folder.write(Data(), to: "named/\(hash)-\(folder.nextSerial())")
    }

    func remove(_ names: [String]) throws(FileFailure) {
        for name in names { try folder.remove("named/" + name) }
    }
}
