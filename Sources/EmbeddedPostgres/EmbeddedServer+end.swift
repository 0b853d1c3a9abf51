#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension EmbeddedServer {
    /// Ends any server in a folder at once, without regard to its users or its data. For the end of a test process, which can't
    /// await anything and deletes the folder anyway.
    ///
    /// - Returns: whether the folder has no server after at most five seconds; true if there was none.
    @discardableResult
    package static func endServer(in dataDirectory: String) -> Bool {
        guard let folder = try? DataFolder(dataDirectory) else { return true }
        for _ in 0..<100 {
            let processes = ServerProcesses.find(in: folder).inside
            if processes.isEmpty { return true }
            // SIGQUIT is PostgreSQL's immediate shutdown, which the postmaster passes on to its children.
            if let process = PostmasterFile(of: folder)?.process, processes.contains(process) {
                kill(process, SIGQUIT)
            }
            usleep(50_000)
        }
        return false
    }
}
