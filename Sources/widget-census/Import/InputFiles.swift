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
        let sizes = files.map(InputFiles.size)
        bytes = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
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
            // With the slash, it also lists the folder that a symbolic link names.
            files = try FileManager.default.subpathsOfDirectory(atPath: path.hasSuffix("/") ? path : path + "/")
        } catch {
            throw UsageError(unreadable: path, error)
        }
        let found = files.sorted().filter { file in !file.split(separator: "/").contains { $0.hasPrefix(".") } }
            .map { "\(path.hasSuffix("/") ? String(path.dropLast()) : path)/\($0)" }
            .filter { size(of: $0) != nil }
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

    /// - Returns: nil for what is no regular file, such as a pipe, and if there is none.
    private static func size(of path: String) -> Int? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}
