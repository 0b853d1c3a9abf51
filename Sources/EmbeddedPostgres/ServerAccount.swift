#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The user that runs the server's programs if we are root, because PostgreSQL refuses root.
struct ServerAccount: Sendable {
    let name: String
    let user: uid_t
    let group: gid_t
    /// Whether the user database has the user. In a container, a volume's owner can be a number only.
    let isNamed: Bool

    /// Chooses the user: the owner of an existing cluster or folder, else `postgres`, else `nobody`.
    ///
    /// - Returns: nil if we are not root; then the programs run as the current user.
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

    /// Returns a command that runs a program as this user, with util-linux's setpriv. Unlike su and sudo, setpriv execs the
    /// program, so there is no process in between, and it uses neither PAM nor the user's shell.
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
