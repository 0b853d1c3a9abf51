internal import CensusCore
internal import Foundation

/// A manifest on disk or on standard input.
struct ManifestFile {
    /// As given; - is standard input.
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

    /// The path that code hosts need: relative to the repository (`GITHUB_WORKSPACE`) if known, else to the working directory.
    /// A file outside of both keeps its path as given.
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

    /// The bytes of a file, up to one byte over a manifest's limit, so that the reader refuses a larger one.
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

/// The problems of a file that should be a manifest, one per line.
struct BrokenManifest: ExplainedError {
    /// As given; - is standard input.
    var path: String
    var problems: [ManifestProblem]

    var description: String {
        let name = path == "-" ? "standard input" : path
        return "\(name) is not a manifest (docs/reference/manifest.schema.json):"
            + problems.map { "\n  \($0)" }.joined()
    }
}
