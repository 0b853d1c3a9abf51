#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells temporary errors of the system from those that need manual action.
package enum SystemFault {
    /// Errors that can pass without manual action here: a full disk, a taken address, a network that is not up yet.
    private static let passing: Set<Int32> = [
        EADDRINUSE, EADDRNOTAVAIL, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ECONNREFUSED, ECONNRESET, ETIMEDOUT,
        ENOSPC, EDQUOT, EIO, ENOMEM, ENOBUFS, EMFILE, ENFILE, EAGAIN, EBUSY, EINTR, ETXTBSY, ESTALE, EDEADLK, ENOLCK,
    ]

    /// Whether an errno needs manual action. So does every one not known to pass: a missing right, a wrong path, a port below
    /// 1024.
    package static func takesPerson(_ code: Int32) -> Bool { !passing.contains(code) }
}

extension EmbeddedServerError {
    /// Whether it needs manual action; otherwise the next start might succeed.
    package var takesPerson: Bool {
        switch self {
        case .noPrograms, .noCluster, .versionNotInstalled, .pathTooLong, .unusablePath, .noAccount, .noSetpriv,
            .cannotReach,
            .foreignFolder, .notAFolder:
            true
        case .file(_, _, let code), .cannotRun(_, let code): SystemFault.takesPerson(code)
        // The messages don't tell apart a full disk, a lack of memory, and a server that is being stopped.
        case .busy, .held, .initdbFailed, .startFailed, .stopFailed, .queryFailed: false
        }
    }
}
