import Foundation

/// Where this file's repository is.
enum Repository {
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    static func clientSources() throws -> [URL] {
        let folder = root.appending(path: "Sources/WidgetCensusClient")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        return (files ?? []).filter { $0.pathExtension == "swift" }
    }
}
