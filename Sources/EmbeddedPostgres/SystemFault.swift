#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Who is at fault when the system refuses something.
package enum SystemFault {
    /// What passes by itself or through others: a full disk, a taken address, a network that is not up yet.
    private static let passing: Set<Int32> = [
        EADDRINUSE, EADDRNOTAVAIL, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ECONNREFUSED, ECONNRESET, ETIMEDOUT,
        ENOSPC, EDQUOT, EIO, ENOMEM, ENOBUFS, EMFILE, ENFILE, EAGAIN, EBUSY, EINTR, ETXTBSY, ESTALE, EDEADLK, ENOLCK,
    ]

    /// - Parameter code: errno. Everything not known to pass takes a person: a right, a path, a port below 1024.
    package static func takesPerson(_ code: Int32) -> Bool { !passing.contains(code) }
}

extension EmbeddedServerError {
    /// Whether it lasts until a person does something; otherwise the next start may succeed.
    package var takesPerson: Bool {
        switch self {
        case .noPrograms, .noCluster, .versionNotInstalled, .pathTooLong, .unusablePath, .noAccount, .noSetpriv,
            .cannotReach,
            .foreignFolder, .notAFolder:
            true
        case .file(_, _, let code), .cannotRun(_, let code): SystemFault.takesPerson(code)
        // A full disk, a lack of memory, a server that is being stopped: the messages don't tell one from the other.
        case .busy, .held, .initdbFailed, .startFailed, .stopFailed, .queryFailed: false
        }
    }
}
