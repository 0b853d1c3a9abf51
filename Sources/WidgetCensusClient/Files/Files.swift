import Foundation

/// What the client asks of the file system. A protocol, so that tests can stop it at any step.
protocol Files: Sendable {
    /// What is in a folder, in any order.
    func names(in folder: String) throws(FileFailure) -> [String]

    func contents(of path: String) throws(FileFailure) -> Data

    /// Makes a new file. When this returns, all of it is on the disk; when it throws, part of it may be there.
    func create(_ path: String, holding data: Data) throws(FileFailure)

    /// Moves a file within a volume, in one step, over the one that is there.
    func move(_ path: String, to target: String) throws(FileFailure)

    func remove(_ path: String) throws(FileFailure)

    /// Makes a folder and its parents unless it exists. Backups leave it out, and its contents can be read once the
    /// device was unlocked after it started.
    func makeFolder(_ path: String) throws(FileFailure)
}

/// Why a file could not be read or written, as far as it matters to the client.
enum FileFailure: Error, Hashable {
    case absent
    /// The system does not permit it: before the first unlock nothing can be read. It may be permitted later, so this is
    /// never a reason to delete.
    case notNow
    case full
    /// Anything else, with the system's error number.
    case other(Int32)
}
