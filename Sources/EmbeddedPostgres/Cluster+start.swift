import Logging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#endif

extension Cluster {
    /// How long we wait for a folder that others hold, and keep trying after a start that failed for a temporary reason.
    private static let patience = Duration.seconds(10)
    /// How long a server may take to come up or down: recovery after a crash replays up to 1 GB of log.
    private static let recoveryPatience = Duration.seconds(300)

    /// Starts the server, or adopts the one that answers on our socket. Called under `start.lock`.
    func start(logger: Logger) throws {
        let begin = ContinuousClock.now
        while true {
            let waited = ContinuousClock.now - begin
            let file = PostmasterFile(of: folder)
            if let file, isAnswering() {
                logger.info("Embedded PostgreSQL adopted", metadata: ["process": "\(file.process)"])
                return
            }
            let processes = ServerProcesses.find(in: folder)
            let isOccupied = isHeld(by: processes, file)
            if isOccupied {
                // The children of a postmaster that was killed take a moment to notice.
                guard waited < (file?.isChanging == true ? Self.recoveryPatience : Self.patience) else {
                    // Its postmaster, or the children of one that is gone.
                    let postmaster = file.flatMap { processes.all.contains($0.process) ? [$0.process] : nil }
                    throw EmbeddedServerError.held(folder: folder.path, processes: postmaster ?? processes.inside)
                }
                usleep(100_000)
                continue
            }
            clearStaleFiles(processes)
            do {
                try launch()
            } catch let failure where failure.isPassing && waited < Self.patience {
                logger.debug("Embedded PostgreSQL did not start, trying again")
                usleep(500_000)
                continue
            }
            logger.info("Embedded PostgreSQL started")
            return
        }
    }

    /// Stops the server when one runs: fast shutdown, waits for the end. Called under `start.lock`.
    func stop(logger: Logger) throws {
        // pg_ctl signals whatever process has the id in postmaster.pid; make sure that it is a server first.
        guard let file = PostmasterFile(of: folder),
            isHeld(by: ServerProcesses.find(in: folder), file) || isAnswering()
        else {
            logger.warning("Embedded PostgreSQL had already ended")
            return
        }
        let outcome = try run("pg_ctl", ["stop", "-D", folder.cluster, "-m", "fast", "-w", "-t", "300", "-s"])
        reap(file.process)
        guard outcome.succeeded || ServerProcesses.find(in: folder).inside.isEmpty else {
            throw EmbeddedServerError.stopFailed(folder: folder.path, output: outcome.text)
        }
        logger.info("Embedded PostgreSQL stopped")
    }

    private func isAnswering() -> Bool {
        (try? query("select 1", database: "postgres")) == "1"
    }

    private func isHeld(by processes: ServerProcesses, _ file: PostmasterFile?) -> Bool {
        if let file { reap(file.process) }
        return !processes.inside.isEmpty || file.map { processes.unknown.contains($0.process) } ?? false
    }

    /// Runs `pg_ctl start`, which puts the server into a session of its own: a Ctrl-C in the terminal reaches only us,
    /// and the server stops when we have drained. pg_ctl gives it /dev/null and the log for stdio.
    private func launch() throws {
        let logStart = FileStatus(folder.log)?.size ?? 0
        let chosen = settings.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let options = ServerSettings.options(chosen + ServerSettings.fixed(for: folder))
        let arguments = ["start", "-w", "-t", "300", "-s", "-D", folder.cluster, "-l", folder.log, "-o", options]
        let outcome = try run("pg_ctl", arguments)
        guard outcome.succeeded else {
            throw EmbeddedServerError.startFailed(
                folder: folder.path, output: outcome.text, log: logTail(from: logStart))
        }
    }

    /// Removes lock files that name no process, or one that is now a different program; PostgreSQL itself removes those of the dead.
    ///
    /// Only when no process of PostgreSQL is left in the folder: `postmaster.pid` also keeps a second server away from
    /// the children of a killed one, and two at once destroy the data. A server enters the folder before it writes its file.
    private func clearStaleFiles(_ processes: ServerProcesses) {
        guard processes.all.isEmpty, ServerProcesses.areSeen else { return }
        // Each by itself: a power cut may have emptied one of them.
        for path in [folder.cluster + "/postmaster.pid", folder.socket + ".lock"] {
            let process = PostmasterFile(at: path)?.process
            if process.map({ kill($0, 0) == 0 }) ?? true { unlink(path) }
        }
    }

    /// As the first process of a container we inherit the server, and must wait for its end, else it stays as a zombie
    /// that looks alive.
    private func reap(_ process: Int32) {
        guard getpid() == 1 else { return }
        waitpid(process, nil, WNOHANG)
    }

    /// The last 20 lines that the server logged since the attempt began.
    private func logTail(from offset: Int) -> String {
        guard let bytes = FileManager.default.contents(atPath: folder.log), bytes.count > offset else { return "" }
        let lines = bytes.dropFirst(offset).split(separator: UInt8(ascii: "\n")).suffix(20)
        return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
}

extension Error {
    /// Whether the start failed because a killed server's children were still there; messages are English by LC_ALL=C.
    fileprivate var isPassing: Bool {
        guard case .startFailed(_, _, let log)? = self as? EmbeddedServerError else { return false }
        return log.contains("shared memory block") || log.contains("lock file")
    }
}
