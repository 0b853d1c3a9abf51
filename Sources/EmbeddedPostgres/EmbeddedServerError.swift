#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Why the private PostgreSQL can't be created, started or queried.
///
/// Every description says what is wrong, where, and what the operator can do. None contains data from the database.
package enum EmbeddedServerError: Error, Equatable, Sendable {
    /// None of the searched folders has `initdb`, `pg_ctl`, `postgres` and `psql` of a supported version.
    case noPrograms(searched: [String])
    /// There is no cluster in the folder, and the caller creates none.
    case noCluster(folder: String)
    /// A major version that is not installed created the cluster.
    case versionNotInstalled(folder: String, cluster: Int, installed: [Int])
    /// The socket's path does not fit the kernel's `sockaddr_un`.
    case pathTooLong(folder: String, bytes: Int, limit: Int)
    /// The path contains a character that libpq or pg_ctl's shell would misread.
    case unusablePath(folder: String, character: Character)
    /// Started as root, and there is no user to run the server as.
    case noAccount
    /// Started as root, and util-linux's setpriv is missing.
    case noSetpriv
    /// The user that runs the server can't enter `blocked`, on the path of the data folder.
    case cannotReach(folder: String, blocked: String, account: String)
    /// The cluster belongs to another user, and we are not root.
    case foreignFolder(folder: String, owner: String)
    /// `path`, a part of the data folder's path, is not a folder.
    case notAFolder(path: String)
    /// A file operation failed; `code` is errno.
    case file(path: String, action: String, code: Int32)
    /// Another process has been starting or stopping the server for too long.
    case busy(folder: String, holder: Int32?)
    /// Processes hold the cluster and do not answer on our socket.
    case held(folder: String, processes: [Int32])
    /// A program could not be started; `code` is errno.
    case cannotRun(program: String, code: Int32)
    case initdbFailed(folder: String, output: String)
    /// `log` holds what the server wrote to its log during the attempt.
    case startFailed(folder: String, output: String, log: String)
    case stopFailed(folder: String, output: String)
    case queryFailed(errors: String)
}

extension EmbeddedServerError: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }
}
