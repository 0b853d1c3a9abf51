extension ManifestDraft {
    /// Finds the bundle id and the version in the folder's Xcode projects.
    mutating func readXcode(_ folder: ProjectFolder) {
        let projects = folder.files(withEnding: ".xcodeproj/project.pbxproj").compactMap {
            XcodeProject($0, in: folder)
        }
        // The one nearest to the folder, with an app that embeds extensions if there is one.
        guard
            let project = projects.min(by: {
                ($0.hasExtensions ? 0 : 1, $0.depth) < ($1.hasExtensions ? 0 : 1, $1.depth)
            })
        else { return }
        let origin = "the target \(project.targetName) of \(project.path)"
        app = project.bundleID.map { Value(text: $0, origin: "the bundle id of \(origin)") }
        version = project.version.map { Value(text: $0, origin: "the version of \(origin)") }
    }
}

extension XcodeProject {
    fileprivate var depth: Int { path.split(separator: "/").count }
}
