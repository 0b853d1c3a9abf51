import Foundation

/// The client's file system. A protocol, so that tests can stop it at any step.
protocol Files: Sendable {
    /// Lists a folder, in any order.
    func names(in folder: String) throws(FileFailure) -> [String]

    func contents(of path: String) throws(FileFailure) -> Data

    /// Creates a file. When this returns, the whole file is on the disk; if it throws, part of it can be left.
    func create(_ path: String, holding data: Data) throws(FileFailure)

    /// Moves a file within a volume atomically, replacing an existing one.
    func move(_ path: String, to target: String) throws(FileFailure)

    func remove(_ path: String) throws(FileFailure)

    /// Creates a folder and its parents unless they exist. Backups leave it out, and its contents are readable after the first
    /// unlock.
    func makeFolder(_ path: String) throws(FileFailure)
}

/// Why a file operation failed, as far as the client needs to know.
enum FileFailure: Error, Hashable {
    case absent
    /// The system does not permit it, for example before the first unlock. It can permit it later, so this is never a reason to
    /// delete.
    case notNow
    case full
    /// Anything else, with the system's error number.
    case other(Int32)
}
