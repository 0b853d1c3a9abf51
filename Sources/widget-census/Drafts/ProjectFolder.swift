internal import CensusCore
internal import Foundation

/// The files of a project that a draft can be read from.
struct ProjectFolder {
    /// A file, by its path relative to the folder.
    struct File {
        var path: String
        private let url: URL

        fileprivate init(path: String, url: URL) {
            self.path = path
            self.url = url
        }

        /// Empty if it can't be read or is too large to be written by hand.
        var bytes: [UInt8] {
            guard let data = try? Data(contentsOf: url), data.count <= ProjectFolder.greatestFile else { return [] }
            return Array(data)
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// Without the file's name; empty for the folder itself.
        var folder: String { path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "" }
        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    /// A project file of a large app has several MiB.
    private static let greatestFile = 64 << 20
    /// Folders of what is downloaded or built.
    private static let skipped: Set<String> = [
        "Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules", "build", "vendor",
    ]
    private static let endings: Set<String> = [
        "swift", "pbxproj", "plist", "xcconfig", "xml", "gradle", "kts", "kt", "properties", "toml",
    ]

    let files: [File]

    /// - Parameter path: a folder, or one file.
    /// - Throws: ``UsageError`` if it can't be read.
    init(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw UsageError("there is no \(path)")
        }
        let given = URL(fileURLWithPath: path)
        guard isFolder.boolValue else {
            files = [File(path: given.lastPathComponent, url: given)]
            return
        }
        // An Xcode project is a folder; its sources are beside it.
        let isProject = ["xcodeproj", "xcworkspace"].contains(given.pathExtension)
        let root = isProject ? given.deletingLastPathComponent() : given
        files = ProjectFolder.files(of: root, prefix: "").sorted { $0.path < $1.path }
    }

    private static func files(of folder: URL, prefix: String) -> [File] {
        // Symbolic links aren't followed: they can lead in circles.
        let keys: [URLResourceKey] = [.isDirectoryKey, .isRegularFileKey]
        let entries =
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: keys)) ?? []
        return entries.flatMap { entry -> [File] in
            let name = entry.lastPathComponent
            let values = try? entry.resourceValues(forKeys: Set(keys))
            if values?.isDirectory == true {
                let isSkipped = name.hasPrefix(".") || skipped.contains(name) || name.hasSuffix("Tests")
                return isSkipped ? [] : files(of: entry, prefix: prefix + name + "/")
            }
            guard values?.isRegularFile == true, endings.contains(entry.pathExtension) else { return [] }
            return [File(path: prefix + name, url: entry)]
        }
    }

    func files(withEnding ending: String) -> [File] { files.filter { $0.path.hasSuffix(ending) } }

    /// Projects are made on disks that ignore the case of names.
    func file(at path: String) -> File? {
        files.first { $0.path == path } ?? files.first { $0.path.lowercased() == path.lowercased() }
    }
}
