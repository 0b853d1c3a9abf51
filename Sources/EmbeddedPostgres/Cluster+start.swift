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
    /// How long to wait for a folder that other processes hold, and to retry a start that failed for a temporary reason.
    private static let patience = Duration.seconds(10)
    /// How long a server can take to start or stop: recovery after a crash replays up to 1 GB of log.
    private static let recoveryPatience = Duration.seconds(300)

    /// Starts the server, or uses the one that answers on our socket. Call it under `start.lock`.
    func start(logger: Logger) throws {
        let begin = ContinuousClock.now
        while true {
            let waited = ContinuousClock.now - begin
            let file = PostmasterFile(of: folder)
            if let file, isAnswering() {
                logger.info("using the private PostgreSQL that already runs", metadata: ["process": "\(file.process)"])
                return
            }
            let processes = ServerProcesses.find(in: folder)
            let isOccupied = isHeld(by: processes, file)
            if isOccupied {
                // The children of a killed postmaster take a moment to notice.
                guard waited < (file?.isChanging == true ? Self.recoveryPatience : Self.patience) else {
                    // Name its postmaster, or the children of one that is gone.
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
                logger.debug("the private PostgreSQL did not start; trying again")
                usleep(500_000)
                continue
            }
            logger.info("private PostgreSQL started")
            return
        }
    }

    /// Stops the server if one runs, by a fast shutdown, and waits for its end. Call it under `start.lock`.
    func stop(logger: Logger) throws {
        // pg_ctl signals any process with the id in postmaster.pid, so make sure first that it is a server.
        guard let file = PostmasterFile(of: folder),
            isHeld(by: ServerProcesses.find(in: folder), file) || isAnswering()
        else {
            logger.warning("the private PostgreSQL had already ended")
            return
        }
        let outcome = try run("pg_ctl", ["stop", "-D", folder.cluster, "-m", "fast", "-w", "-t", "300", "-s"])
        reap(file.process)
        guard outcome.succeeded || ServerProcesses.find(in: folder).inside.isEmpty else {
            throw EmbeddedServerError.stopFailed(folder: folder.path, output: outcome.text)
        }
        logger.info("private PostgreSQL stopped")
    }

    private func isAnswering() -> Bool {
        (try? query("select 1", database: "postgres")) == "1"
    }

    private func isHeld(by processes: ServerProcesses, _ file: PostmasterFile?) -> Bool {
        if let file { reap(file.process) }
        return !processes.inside.isEmpty || file.map { processes.unknown.contains($0.process) } ?? false
    }

    /// Runs `pg_ctl start`, which puts the server into its own session: a Ctrl-C in the terminal reaches only this process,
    /// and the server stops after it has drained. pg_ctl gives the server /dev/null and the log for stdio.
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

    /// Removes lock files that name no process, or a different program by now; PostgreSQL itself removes those of dead
    /// processes.
    ///
    /// It does so only when no process of PostgreSQL is left in the folder. `postmaster.pid` also keeps a second server away
    /// from the children of a killed one, and two at once destroy the data. A server enters the folder before it writes its
    /// file.
    private func clearStaleFiles(_ processes: ServerProcesses) {
        guard processes.all.isEmpty, ServerProcesses.areSeen else { return }
        // Check each one: a power cut might have emptied one of them.
        for path in [folder.cluster + "/postmaster.pid", folder.socket + ".lock"] {
            let process = PostmasterFile(at: path)?.process
            if process.map({ kill($0, 0) == 0 }) ?? true { unlink(path) }
        }
    }

    /// Collects the server's exit status if this is the first process of a container, which inherits the server. Otherwise the
    /// server stays a zombie that looks alive.
    private func reap(_ process: Int32) {
        guard getpid() == 1 else { return }
        waitpid(process, nil, WNOHANG)
    }

    /// Returns the last 20 lines that the server logged since the attempt began.
    private func logTail(from offset: Int) -> String {
        guard let bytes = FileManager.default.contents(atPath: folder.log), bytes.count > offset else { return "" }
        let lines = bytes.dropFirst(offset).split(separator: UInt8(ascii: "\n")).suffix(20)
        return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
}

extension Error {
    /// Whether the start failed because a killed server's children were still there; LC_ALL=C makes messages English.
    fileprivate var isPassing: Bool {
        guard case .startFailed(_, _, let log)? = self as? EmbeddedServerError else { return false }
        return log.contains("shared memory block") || log.contains("lock file")
    }
}
