#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The limit of open files, including sockets.
package enum Descriptors {
    /// More than anybody needs. The kernel's tables grow with the limit.
    private static let enough: UInt = 1 << 20

    /// Raises the soft limit to the hard limit, which needs no privilege.
    ///
    /// - Returns: the new limit.
    package static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        let wanted = min(UInt(limit.rlim_max), enough)
        if UInt(limit.rlim_cur) < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = rlim_t(wanted)
            if setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(min(UInt(limit.rlim_cur), enough))
    }

    #if canImport(Glibc)
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
