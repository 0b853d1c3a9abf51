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

        /// Empty if it can't be read.
        var bytes: [UInt8] { (try? Data(contentsOf: url)).map(Array.init) ?? [] }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// Without the file's name; empty for the folder itself.
        var folder: String { path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "" }
        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    /// Nobody writes larger ones by hand; an Xcode project's file has several MiB.
    private static func greatestSize(of path: String) -> Int { (path.hasSuffix(".swift") ? 2 : 64) << 20 }
    /// Folders of what is downloaded or built.
    private static let skipped: Set<String> = [
        "Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules", "build", "vendor",
    ]
    private static let endings: Set<String> = [
        "swift", "pbxproj", "plist", "xcconfig", "xml", "gradle", "kts", "kt", "properties", "toml",
    ]

    private(set) var files: [File] = []
    /// What could not be read, one sentence each.
    private(set) var gaps: [String] = []

    /// - Parameter path: a folder, or one file.
    /// - Throws: ``UsageError`` if it can't be read.
    init(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw UsageError("there is no \(path)")
        }
        let given = URL(fileURLWithPath: path)
        guard isFolder.boolValue else {
            add(File(path: given.lastPathComponent, url: given), given)
            return
        }
        // An Xcode project is a folder; its sources are beside it.
        let isProject = ["xcodeproj", "xcworkspace"].contains(given.pathExtension)
        let root = isProject ? given.deletingLastPathComponent() : given
        addFiles(of: root, prefix: "")
        files.sort { $0.path < $1.path }
    }

    private mutating func addFiles(of folder: URL, prefix: String) {
        // Symbolic links aren't followed: they can lead in circles.
        let keys: [URLResourceKey] = [.isDirectoryKey, .isRegularFileKey]
        guard let entries = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: keys)
        else { return gaps.append("\(prefix.isEmpty ? "the folder" : prefix): it can't be read") }
        for entry in entries {
            let name = entry.lastPathComponent
            let values = try? entry.resourceValues(forKeys: Set(keys))
            if values?.isDirectory == true {
                let isSkipped =
                    name.hasPrefix(".") || ProjectFolder.skipped.contains(name) || name.hasSuffix("Tests")
                if !isSkipped { addFiles(of: entry, prefix: prefix + name + "/") }
            } else if values?.isRegularFile == true, ProjectFolder.endings.contains(entry.pathExtension) {
                add(File(path: prefix + name, url: entry), entry)
            }
        }
    }

    private mutating func add(_ file: File, _ url: URL) {
        let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
        if !FileManager.default.isReadableFile(atPath: url.path) {
            gaps.append("\(file.path): it can't be read")
        } else if size > ProjectFolder.greatestSize(of: file.path) {
            gaps.append("\(file.path): it has \(size >> 20) MiB, too much to be written by hand, so it was not read")
        } else {
            files.append(file)
        }
    }

    func files(withEnding ending: String) -> [File] { files.filter { $0.path.hasSuffix(ending) } }

    /// Projects are made on disks that ignore the case of names.
    func file(at path: String) -> File? {
        files.first { $0.path == path } ?? files.first { $0.path.lowercased() == path.lowercased() }
    }
}
