#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension EmbeddedServer {
    /// Ends whatever server runs in a folder, at once and without regard to its users or its data: for the end of a
    /// test process, where nothing can be awaited and the folder is deleted anyway.
    ///
    /// - Returns: whether the folder is free of servers after at most five seconds; true when there was none.
    @discardableResult
    package static func endServer(in dataDirectory: String) -> Bool {
        guard let folder = try? DataFolder(dataDirectory) else { return true }
        for _ in 0..<100 {
            let processes = ServerProcesses.find(in: folder).inside
            if processes.isEmpty { return true }
            // SIGQUIT is PostgreSQL's immediate shutdown; the postmaster passes it on to its children.
            if let process = PostmasterFile(of: folder)?.process, processes.contains(process) {
                kill(process, SIGQUIT)
            }
            usleep(50_000)
        }
        return false
    }
}
