#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

/// The data folder: where its files are, who owns them, and who can read them.
///
/// If root created it, the folder itself stays root's (mode 0711). Only the cluster, the socket folder and the log belong to
/// the server's user: in its own folder, that user could swap the files that root opens.
struct DataFolder: Sendable {
    static let port = 5432

    /// Absolute, without a slash at the end.
    let path: String

    var cluster: String { path + "/postgres" }
    var sockets: String { path + "/run" }
    var socket: String { sockets + "/.s.PGSQL.\(Self.port)" }
    var log: String { path + "/postgres.log" }
    var usersLock: String { path + "/users.lock" }
    var startLock: String { path + "/start.lock" }
    /// Where the cluster is created before it gets its final name, so that a folder of that name is always a complete cluster.
    var unfinishedCluster: String { path + "/postgres.unfinished-\(getpid())" }

    var holdsCluster: Bool { FileStatus(cluster + "/PG_VERSION") != nil }

    /// Takes a path, absolute or from the working folder.
    ///
    /// - Throws: ``EmbeddedServerError/pathTooLong(folder:bytes:limit:)`` and
    ///   ``EmbeddedServerError/unusablePath(folder:character:)``.
    init(_ name: String) throws {
        var path = name.hasPrefix("/") ? name : FileManager.default.currentDirectoryPath + "/" + name
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path

        // libpq splits a host at commas; pg_ctl puts paths between double quotes into a shell command.
        if let character = path.unicodeScalars.first(where: { ",\"$`\\\n\r".unicodeScalars.contains($0) }).map(
            Character.init)
        {
            throw EmbeddedServerError.unusablePath(folder: path, character: character)
        }
        let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard socket.utf8.count <= limit else {
            throw EmbeddedServerError.pathTooLong(folder: sockets, bytes: socket.utf8.count, limit: limit)
        }
    }

    /// Checks that the existing part of the path is a folder.
    func checkKind() throws {
        var step = path
        while !step.isEmpty {
            if let status = FileStatus(step) {
                guard status.isDirectory else { throw EmbeddedServerError.notAFolder(path: step) }
                return
            }
            step = String(step.prefix(upTo: step.lastIndex(of: "/") ?? step.startIndex))
        }
    }

    /// Creates the folder if there is none, closed to other users; an existing one keeps its mode.
    func make() throws {
        // The server's user must be able to traverse root's folder, but not to list it.
        try Self.makeFolder(path, mode: geteuid() == 0 ? 0o711 : 0o700)
    }

    /// Creates the socket folder and the log if they are missing, and gives them to the server's user.
    func makeParts(for account: ServerAccount?) throws {
        try Self.makeFolder(sockets, mode: 0o700, owner: account)
        // Empty a log that has grown, because nobody else would ever truncate it.
        let tooLarge = 4 << 20
        let cut = (FileStatus(log)?.size ?? 0) > tooLarge ? O_TRUNC : 0
        let descriptor = open(log, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | cut, 0o600)
        guard descriptor >= 0 else { throw EmbeddedServerError.file(path: log, action: "open", code: errno) }
        defer { close(descriptor) }
        if let account { _ = fchown(descriptor, account.user, account.group) }
    }

    /// Returns the name of the path's owner; nil if that is us, or if the path does not exist.
    func foreignOwner(of path: String) -> String? {
        guard let user = FileStatus(path)?.user, user != geteuid() else { return nil }
        return ServerAccount.name(of: user) ?? "\(user)"
    }

    /// Checks that the server's user can reach the existing part of the folder's path. That user tries it, because mode bits
    /// don't show ACLs.
    func checkReach(for account: ServerAccount?) throws {
        guard let account else { return }
        var steps = [""]
        for part in path.split(separator: "/") { steps.append(steps[steps.count - 1] + "/" + part) }
        let script = #"for step do [ -x "$step" ] || [ ! -e "$step" ] || { printf %s "$step"; exit 9; }; done"#
        let outcome = try account.command("/bin/sh", ["-c", script, "sh"] + steps.dropFirst()).run()
        guard !outcome.succeeded else { return }
        guard outcome.status == 9 else {
            throw EmbeddedServerError.startFailed(folder: path, output: outcome.text, log: "")
        }
        throw EmbeddedServerError.cannotReach(folder: path, blocked: outcome.output, account: account.name)
    }

    static func makeFolder(_ path: String, mode: mode_t, owner: ServerAccount? = nil) throws {
        if FileStatus(path)?.isDirectory == true { return }
        let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        if !parent.isEmpty { try makeFolder(String(parent), mode: 0o755) }
        // Another process might create it at the same time.
        guard mkdir(path, 0o700) == 0 else {
            if errno == EEXIST, FileStatus(path)?.isDirectory == true { return }
            throw EmbeddedServerError.file(path: path, action: "create the folder", code: errno)
        }
        // Not by mkdir's mode, because a umask of 077 would shut out the server's user.
        guard chmod(path, mode) == 0, owner.map({ chown(path, $0.user, $0.group) == 0 }) ?? true else {
            throw EmbeddedServerError.file(path: path, action: "set the owner of", code: errno)
        }
    }
}

extension DataFolder {
    /// Returns the libpq keyword string for a database on the folder's server.
    func connectionString(database: String) -> String {
        "host=\(Self.quote(sockets)) port=\(Self.port) user=\(EmbeddedServer.user) dbname=\(Self.quote(database))"
    }

    /// Quotes a value for libpq: single quotes, with quote and backslash escaped by a backslash.
    private static func quote(_ value: String) -> String {
        let escaped = value.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "'" + String(escaped) + "'"
    }
}
