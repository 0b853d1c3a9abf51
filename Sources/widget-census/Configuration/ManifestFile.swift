internal import CensusCore
internal import Foundation

/// A manifest on disk or on standard input.
struct ManifestFile {
    /// As it was named; - is standard input.
    var path: String
    var bytes: [UInt8]
    var manifest: Manifest

    /// - Throws: ``BrokenManifest``, or ``UsageError`` if it can't be read.
    init(_ path: String) throws { try self.init(path, ManifestFile.bytes(of: path)) }

    /// - Throws: ``BrokenManifest``.
    init(_ path: String, _ bytes: [UInt8]) throws(BrokenManifest) {
        self.path = path
        self.bytes = bytes
        do throws(ManifestError) {
            self.manifest = try ManifestReader.read(bytes)
        } catch {
            throw BrokenManifest(path: path, problems: error.problems)
        }
    }

    /// The path as code hosts want it: relative to the repository where that is known (`GITHUB_WORKSPACE`), else to the working directory;
    /// as it was named where it lies elsewhere.
    static func location(
        of path: String, workspace: String? = ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"],
        directory: String = FileManager.default.currentDirectoryPath
    ) -> String {
        guard path != "-" else { return "manifest.json" }
        let file = URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: directory, isDirectory: true))
        let whole = file.standardizedFileURL.path
        for root in [workspace, directory].compactMap({ $0 }) {
            let root = URL(fileURLWithPath: root, isDirectory: true).standardizedFileURL.path
            let folder = root.hasSuffix("/") ? root : root + "/"
            if whole.hasPrefix(folder) { return String(whole.dropFirst(folder.count)) }
        }
        return path
    }

    /// At most one byte more than a manifest may have: the reader refuses it then.
    static func bytes(of path: String) throws -> [UInt8] {
        do {
            let handle =
                path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            var bytes: [UInt8] = []
            while bytes.count <= ManifestReader.bytes,
                let piece = try handle.read(upToCount: ManifestReader.bytes + 1 - bytes.count), !piece.isEmpty
            {
                bytes += piece
            }
            return Array(bytes.withoutByteOrderMark)
        } catch {
            throw UsageError(unreadable: path, error)
        }
    }
}

/// What is wrong with a file that should be a manifest, a line for each problem.
struct BrokenManifest: ExplainedError {
    /// As it was named; - is standard input.
    var path: String
    var problems: [ManifestProblem]

    var description: String {
        let name = path == "-" ? "standard input" : path
        return "\(name) is not a manifest (docs/reference/manifest.schema.json):" + problems.map { "\n  \($0)" }.joined()
    }
}
