import Foundation

/// The folder of this package.
enum ClientPackage {
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    /// The repository of the service; nil in a mirror, which has only this package.
    static let repository: URL? = {
        let folder = root.appending(path: "../..").standardizedFileURL
        return FileManager.default.fileExists(atPath: folder.appending(path: "clients/swift").path) ? folder : nil
    }()

    /// Tests that start processes of their own, or compile Apple's side against stand-ins, run only there.
    static var isOnLinux: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    static func sources() throws -> [URL] {
        let folder = root.appending(path: "Sources/WidgetCensusClient")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        return (files ?? []).filter { $0.pathExtension == "swift" }
    }
}
