#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a server wrote into `postmaster.pid` about itself; the file outlives a server that was killed.
struct PostmasterFile {
    let process: Int32
    /// Whether it last said that it is starting or stopping, so that waiting makes sense.
    let isChanging: Bool

    /// The file of a folder's cluster.
    init?(of folder: DataFolder) { self.init(at: folder.cluster + "/postmaster.pid") }

    /// Nil when there is no file, or one without a process id (the server has just begun to write it, or a power cut has
    /// emptied it).
    init?(at path: String) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // A server in single-user mode writes its id negated.
        guard let process = lines.first.flatMap({ Int32($0) })?.magnitude, process > 0 else { return nil }
        self.process = Int32(process)
        // Line 8: "starting", "stopping", "ready   " or "standby "; not there at first.
        let status = lines.count > 7 ? lines[7] : "starting"
        isChanging = status.hasPrefix("starting") || status.hasPrefix("stopping")
    }
}
