import Foundation

/// The kinds that events named since the newest list was read. The list might lack widgets of these kinds.
struct NamedKinds: Hashable, Sendable {
    private let hashes: Set<String>
    /// There were too many to store, so any kind could be among them.
    private let isAll: Bool

    /// - Parameter names: the names of the files in ``NamedKindsFolder``.
    init(names: [String]) {
        hashes = Set(names.compactMap { $0.split(separator: "-").first.map(String.init) })
        isAll = names.count >= NamedKindsFolder.allowed
    }

    func contains(_ kind: String) -> Bool { isAll || hashes.contains(NamedKinds.hash(kind)) }

    /// A hash, because kinds can be too long for file names. Two kinds with the same hash are both shown.
    fileprivate static func hash(_ kind: String) -> String {
        // FNV-1a, because `Hasher` has a different seed in every process.
        let hash = kind.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(format: "%016llx", hash)
    }
}

/// One empty file for each event that named a kind. Any process adds files; the app removes them when it has read a new list.
struct NamedKindsFolder: Sendable {
    let folder: Folder

    static let allowed = 512

    func names() throws(FileFailure) -> [String] { try folder.names(in: "named") }

    /// Adds a new file each time, because another process might be about to remove an existing one.
    ///
    /// - Parameter unlessThere: adds none if the kind has one, for events that are too frequent.
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
