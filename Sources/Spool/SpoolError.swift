internal import GRDB

/// Why the spool cannot be opened, or did not do what it was asked. Its description is for an operator and has no data.
package enum SpoolError: Error, Hashable, Sendable, CustomStringConvertible {
    case inUse(folder: String)
    /// Users other than its owner may look into the folder.
    case notPrivate(folder: String)
    /// The folder cannot be made or examined.
    case folder(String, reason: String)
    /// No room on the disk, or the folder has used up its share of it.
    case diskFull
    /// SQLite's extended result code.
    case broken(code: Int32)

    package var description: String {
        switch self {
        case .inUse(let folder):
            "the spool in \(folder) is used by another process: each node has a folder of its own"
        case .notPrivate(let folder):
            "the spool's folder \(folder) is open to other users: run `chmod 700 \(folder)`, or name another"
        case .folder(let folder, let reason): "the spool's folder \(folder) cannot be used: \(reason)"
        case .diskFull: "the disk of the spool is full"
        case .broken(let code): "SQLite cannot use the spool's file (code \(code), sqlite.org/rescode.html)"
        }
    }
}

extension SpoolError {
    init(_ error: any Error) {
        switch error {
        case let error as SpoolError: self = error
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL: self = .diskFull
        case let error as DatabaseError: self = .broken(code: error.extendedResultCode.rawValue)
        default: self = .broken(code: 0)
        }
    }
}

extension DatabaseError {
    /// Whether the fault is in the file itself, and not in the disk or another process that has it.
    var isDamage: Bool {
        switch resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN,
            .SQLITE_INTERRUPT, .SQLITE_MISUSE:
            false
        case .SQLITE_IOERR: isUnreadablePage
        default: true
        }
    }

    /// Whether the disk does not return a page, or SQLite finds it to be wrong.
    var isUnreadablePage: Bool {
        switch resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: true
        default: [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ].contains(extendedResultCode)
        }
    }

    var unusable: String { "SQLite can't use it (code \(extendedResultCode.rawValue), sqlite.org/rescode.html)" }
}
