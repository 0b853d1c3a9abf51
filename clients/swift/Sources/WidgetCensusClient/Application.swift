import Foundation

/// The app as its events describe it, and the folders of its files.
struct Application: Hashable, Sendable {
    var id: String
    var version: String
    var build: String
    var platform: String
    var osVersion: String
    var osBuild: String?
    /// An extension only appends to the queue; it doesn't use the network.
    var isExtension: Bool
    /// Shared by the app and its extensions.
    var sharedFolder: String
    /// The app's own.
    var ownFolder: String

    /// Where a release without the group keeps what is in the group now; nil for a release without it, and for extensions, which
    /// have another container.
    var folderBeforeGroup: String? {
        hasGroup && !isExtension ? (ownFolder as NSString).deletingLastPathComponent : nil
    }

    /// Whether the app is entitled to its group.
    var hasGroup: Bool { !ownFolder.hasPrefix(sharedFolder) }

    var release: Release { Release(appVersion: version, appBuild: build, system: "\(osVersion) \(osBuild ?? "")") }
}
