#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

/// The cluster in a data folder, with matching programs and user. Every call blocks.
struct Cluster: Sendable {
    let folder: DataFolder
    let programs: ServerPrograms
    let account: ServerAccount?
    let settings: [String: String]

    /// Finds programs and user, and creates the cluster if there is none. Call it under `start.lock`.
    init(folder: DataFolder, configuration: EmbeddedServer.Configuration) throws {
        self.folder = folder
        programs = try ServerPrograms.find(for: folder, in: configuration.programDirectories)
        account = try ServerAccount.choose(for: folder)
        settings = configuration.settings
        try folder.makeParts(for: account)
        if !folder.holdsCluster { try make() }
    }

    /// Runs one of PostgreSQL's programs as the server's user.
    func run(_ program: String, _ arguments: [String]) throws -> Command.Outcome {
        let path = programs.path(of: program)
        return try (account?.command(path, arguments) ?? Command(program: path, arguments: arguments)).run()
    }

    /// Runs SQL through psql; see ``EmbeddedServer/query(_:database:)``.
    func query(_ sql: String, database: String) throws -> String {
        let outcome = try run(
            "psql",
            [
                "-X", "-A", "-t", "-q", "-w", "-v", "ON_ERROR_STOP=1", "-c", sql,
                "-d", folder.connectionString(database: database),
            ])
        guard outcome.succeeded else {
            throw EmbeddedServerError.queryFailed(errors: outcome.errors.trimmed)
        }
        return outcome.output.hasSuffix("\n") ? String(outcome.output.dropLast()) : outcome.output
    }

    func makeDatabase(_ name: String) throws {
        guard try query("select 1 from pg_database where datname = '\(name)'", database: "postgres").isEmpty else {
            return
        }
        _ = try query("create database \"\(name)\"", database: "postgres")
    }

    /// Creates the cluster under another name and renames it when it is complete, because initdb might be killed half-way.
    private func make() throws {
        removeUnfinished()
        let unfinished = folder.unfinishedCluster
        try DataFolder.makeFolder(unfinished, mode: 0o700, owner: account)
        // Only the owner and root get past the 0700 socket folder; a password would have to be stored beside it.
        var arguments = [
            "-D", unfinished, "--username=\(EmbeddedServer.user)", "--auth-local=trust", "--auth-host=reject",
            "--encoding=UTF8", "--locale=C.UTF-8", "--data-checksums",
            // In MB. A commit waits for a new file of the log: with 16 MB the slowest hundredth took 48 ms, with 4 MB half of
            // that.
            "--wal-segsize=4",
        ]
        if settings["fsync"] == "off" { arguments.append("--no-sync") }
        let outcome = try run("initdb", arguments)
        guard outcome.succeeded else {
            removeUnfinished()
            throw EmbeddedServerError.initdbFailed(folder: folder.cluster, output: outcome.text)
        }
        try appendSettings(to: unfinished + "/postgresql.conf")
        guard rename(unfinished, folder.cluster) == 0 else {
            throw EmbeddedServerError.file(path: folder.cluster, action: "create", code: errno)
        }
        syncFolder()
    }

    private func appendSettings(to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw EmbeddedServerError.file(path: path, action: "open", code: errno) }
        defer { close(descriptor) }
        let text = ServerSettings.file()
        guard write(descriptor, text, text.utf8.count) == text.utf8.count, fsync(descriptor) == 0 else {
            throw EmbeddedServerError.file(path: path, action: "write", code: errno)
        }
    }

    /// Syncs the folder, so that the rename survives a power cut, as the files below it do.
    private func syncFolder() {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func removeUnfinished() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix("postgres.unfinished-") {
            try? FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
    }
}
