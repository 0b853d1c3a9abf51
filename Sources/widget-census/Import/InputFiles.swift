internal import Foundation

/// The lines of several files, one file after another.
final class InputFiles {
    enum Next {
        case line(LineReader.Line)
        case endOfFile
    }

    /// The one that ``next()`` read from; - for standard input.
    private(set) var file = ""
    /// Their size together; nil if it is unknown.
    let bytes: Int?
    private var left: ArraySlice<String>
    private var reader: LineReader?
    private var bytesOfOthers = 0

    /// - Parameter paths: of files, or of folders, whose files are read in the order of their names.
    /// - Throws: ``UsageError`` if a folder can't be read.
    init(_ paths: [String]) throws {
        let files = try paths.flatMap(InputFiles.files)
        left = files[...]
        bytes = files.contains("-") ? nil : files.reduce(0) { $0 + InputFiles.size(of: $1) }
    }

    var bytesRead: Int { bytesOfOthers + (reader?.bytesRead ?? 0) }

    /// - Returns: nil after the last file.
    /// - Throws: ``UsageError``.
    func next() throws -> Next? {
        if reader == nil {
            guard let path = left.popFirst() else { return nil }
            file = path
            reader = LineReader(try path == "-" ? .standardInput : InputFiles.opened(path), named: path)
        }
        guard let reader else { return nil }
        if let line = try reader.next() { return .line(line) }
        bytesOfOthers += reader.bytesRead
        self.reader = nil
        return .endOfFile
    }

    private static func files(at path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
        else {
            return [path]
        }
        let files: [String]
        do {
            files = try FileManager.default.subpathsOfDirectory(atPath: path)
        } catch {
            throw UsageError(unreadable: path, error)
        }
        let found = files.sorted().filter { file in !file.split(separator: "/").contains { $0.hasPrefix(".") } }
            .map { "\(path.hasSuffix("/") ? String(path.dropLast()) : path)/\($0)" }
            .filter { FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && !isFolder.boolValue }
        guard !found.isEmpty else { throw UsageError("\(path) has no files") }
        return found
    }

    private static func opened(_ path: String) throws -> FileHandle {
        do {
            return try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        } catch {
            throw UsageError(unreadable: path, error)
        }
    }

    private static func size(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
