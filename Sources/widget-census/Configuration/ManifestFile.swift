internal import CensusCore
internal import Foundation

/// A manifest on disk or on standard input.
struct ManifestFile {
    /// As it was named; - is standard input.
    var path: String
    var bytes: [UInt8]
    var manifest: Manifest

    /// - Throws: ``UsageError`` with every problem, a line each.
    init(_ path: String) throws {
        self.path = path
        self.bytes = try ManifestFile.bytes(of: path)
        do throws(ManifestError) {
            self.manifest = try ManifestReader.read(bytes)
        } catch {
            let name = path == "-" ? "standard input" : path
            let problems = error.problems.map { "\n  \($0)" }.joined()
            throw UsageError("\(name) is not a manifest (docs/manifest.schema.json):\(problems)")
        }
    }

    /// At most one byte more than a manifest may have: the reader refuses it then.
    private static func bytes(of path: String) throws -> [UInt8] {
        do {
            let handle =
                path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            var bytes: [UInt8] = []
            while bytes.count <= ManifestReader.bytes,
                let piece = try handle.read(upToCount: ManifestReader.bytes + 1 - bytes.count), !piece.isEmpty
            {
                bytes += piece
            }
            return bytes
        } catch {
            throw UsageError(unreadable: path, error)
        }
    }
}
