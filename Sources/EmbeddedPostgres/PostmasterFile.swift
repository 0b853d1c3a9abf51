#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The contents of `postmaster.pid`, which a server writes about itself. The file stays after the server is killed.
struct PostmasterFile {
    let process: Int32
    /// Whether the server last wrote that it is starting or stopping, so that waiting makes sense.
    let isChanging: Bool

    /// Reads the file of a folder's cluster.
    init?(of folder: DataFolder) { self.init(at: folder.cluster + "/postmaster.pid") }

    /// Nil if there is no file, or one without a process id: the server has just begun to write it, or a power cut emptied it.
    init?(at path: String) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // A server in single-user mode writes its id as a negative number.
        guard let process = lines.first.flatMap({ Int32($0) })?.magnitude, process > 0 else { return nil }
        self.process = Int32(process)
        // Line 8 is "starting", "stopping", "ready   " or "standby "; at first it is missing.
        let status = lines.count > 7 ? lines[7] : "starting"
        isChanging = status.hasPrefix("starting") || status.hasPrefix("stopping")
    }
}
