internal import GRDB

/// Why the spool can't be opened, or an operation failed. Descriptions are for operators and contain no data.
package enum SpoolError: Error, Hashable, Sendable, CustomStringConvertible {
    case inUse(folder: String)
    /// Users other than its owner can enter the folder.
    case notPrivate(folder: String)
    /// The folder can't be created or examined.
    case folder(String, reason: String)
    /// The disk doesn't allow it now: it is full, broken or mounted read-only.
    case disk(folder: String, reason: String)
    /// The disk is full, or only its reserve is left.
    case diskFull
    /// SQLite's extended result code.
    case broken(code: Int32)

    package var description: String {
        switch self {
        case .inUse(let folder):
            "another process uses the spool in \(folder): give each node its own folder"
        case .notPrivate(let folder):
            "other users can enter the spool's folder \(folder): run `chmod 700 \(folder)`, or name another folder"
        case .folder(let folder, let reason): "the spool's folder \(folder) can't be used: \(reason)"
        case .disk(let folder, let reason): "the spool's folder \(folder) can't be used: \(reason)"
        case .diskFull: "the spool's disk is full"
        case .broken(let code): "SQLite can't use the spool's file (code \(code), sqlite.org/rescode.html)"
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
    /// Whether the file itself is damaged, as opposed to a fault of the disk or another process that uses it.
    var isDamage: Bool {
        switch resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN,
            .SQLITE_INTERRUPT, .SQLITE_MISUSE:
            false
        case .SQLITE_IOERR: isUnreadablePage
        default: true
        }
    }

    /// Whether the disk does not return a page, or SQLite finds the page damaged.
    var isUnreadablePage: Bool {
        switch resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: true
        default: [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ].contains(extendedResultCode)
        }
    }

    var unusable: String { "SQLite can't use it (code \(extendedResultCode.rawValue), sqlite.org/rescode.html)" }
}
