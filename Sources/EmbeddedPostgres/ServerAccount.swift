#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The user the server's programs run as when we are root: PostgreSQL refuses root.
struct ServerAccount: Sendable {
    let name: String
    let user: uid_t
    let group: gid_t
    /// Whether the user stands in the user database; a container may own a volume by number only.
    let isNamed: Bool

    /// Picks the user: the owner of what is already there, else `postgres`, else `nobody`.
    ///
    /// - Returns: nil when we are not root; everything runs as ourselves then.
    static func choose(for folder: DataFolder) throws -> ServerAccount? {
        guard geteuid() == 0 else {
            if let owner = folder.foreignOwner(of: folder.cluster) {
                throw EmbeddedServerError.foreignFolder(folder: folder.path, owner: owner)
            }
            return nil
        }
        for path in [folder.cluster, folder.path] {
            guard let status = FileStatus(path), status.user != 0 else { continue }
            let name = name(of: status.user)
            return ServerAccount(
                name: name ?? "\(status.user)", user: status.user, group: status.group, isNamed: name != nil)
        }
        guard let account = named("postgres") ?? named("nobody") else { throw EmbeddedServerError.noAccount }
        return account
    }

    /// The command that runs a program as this user, by util-linux's setpriv: unlike su and sudo it execs, so that
    /// there is no process in between, and asks neither PAM nor the user's shell.
    func command(_ program: String, _ arguments: [String]) throws -> Command {
        let places = ["/usr/bin/setpriv", "/bin/setpriv"]
        guard let setpriv = places.first(where: { access($0, X_OK) == 0 }) else {
            throw EmbeddedServerError.noSetpriv
        }
        let groups = isNamed ? "--init-groups" : "--clear-groups"
        return Command(
            program: setpriv, arguments: ["--reuid=\(user)", "--regid=\(group)", groups, program] + arguments)
    }

    static func name(of user: uid_t) -> String? {
        entry { getpwuid_r(user, $0, $1, $2, $3) }?.name
    }

    private static func named(_ name: String) -> ServerAccount? {
        entry { getpwnam_r(name, $0, $1, $2, $3) }
    }

    private static func entry(
        _ lookUp: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> Int32
    ) -> ServerAccount? {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard let strings = buffer.baseAddress, lookUp(&record, strings, buffer.count, &found) == 0, found != nil
            else { return nil }
            return ServerAccount(
                name: String(cString: record.pw_name), user: record.pw_uid, group: record.pw_gid, isNamed: true)
        }
    }
}
