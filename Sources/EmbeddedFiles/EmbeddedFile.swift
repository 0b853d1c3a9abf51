internal import CEmbeddedFiles

/// A file of the repository that is embedded in the program: SQL, and pages that the server serves.
package struct EmbeddedFile: Sendable {
    /// Relative to the repository's root, such as `sql/views/kind_state.sql`.
    package let path: String
    package let text: String

    private init(_ file: embedded_file) {
        path = String(cString: file.path)
        text = String(cString: file.text)
    }

    /// The file's name without folders and extension.
    package var name: String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.prefix { $0 != "." })
    }

    /// Sorted by path.
    private static var all: UnsafeBufferPointer<embedded_file> {
        var count = 0
        let files = embedded_files(&count)
        return UnsafeBufferPointer(start: files, count: count)
    }

    /// The files of a folder and its subfolders, sorted by path.
    package static func files(in folder: String) -> [EmbeddedFile] {
        all.filter { String(cString: $0.path).hasPrefix(folder + "/") }.map(EmbeddedFile.init)
    }

    /// The text of a file, which must exist.
    package static func text(of path: String) -> String {
        guard let file = all.first(where: { String(cString: $0.path) == path }) else {
            preconditionFailure("\(path) is not embedded; run scripts/index-files and build again")
        }
        return EmbeddedFile(file).text
    }
}
