internal import Foundation

/// The application of an Xcode project, with its bundle id and version.
struct XcodeProject {
    private static let application = "com.apple.product-type.application"
    private static let appExtension = "com.apple.product-type.app-extension"

    /// The project file, relative to the folder that is read.
    let path: String
    private let folder: ProjectFolder
    private let objects: [String: PropertyList]
    private let projectSettings: [BuildSettings]
    private let target: PropertyList
    let targetName: String
    /// Whether it embeds extensions, as an app with widgets does.
    let hasExtensions: Bool

    /// Nil without an application.
    init?(_ file: ProjectFolder.File, in folder: ProjectFolder) {
        guard let list = PropertyList(file.text), let objects = list["objects"]?.table,
            let project = list["rootObject"]?.text.flatMap({ objects[$0] })
        else { return nil }
        let targets = (project["targets"]?.list ?? []).compactMap { $0.text.flatMap { objects[$0] } }
        let applications = targets.filter { $0["productType"]?.text == XcodeProject.application }
        func extensions(_ target: PropertyList) -> Int {
            (target["dependencies"]?.list ?? []).count { dependency in
                let embedded = dependency.text.flatMap { objects[$0] }?["target"]?.text.flatMap { objects[$0] }
                return embedded?["productType"]?.text?.hasPrefix(XcodeProject.appExtension) == true
            }
        }
        // The first one, unless another one embeds more: a test host or an example embeds none.
        guard
            let target = applications.enumerated().max(by: {
                (extensions($0.element), -$0.offset) < (extensions($1.element), -$1.offset)
            })?.element
        else { return nil }
        self.path = file.path
        self.folder = folder
        self.objects = objects
        self.target = target
        self.targetName = target["name"]?.text ?? "?"
        self.hasExtensions = extensions(target) > 0
        let root = file.folder.split(separator: "/").dropLast().joined(separator: "/")
        func settings(_ owner: PropertyList) -> [BuildSettings] {
            XcodeProject.settings(of: owner, objects, root, folder)
        }
        self.projectSettings = settings(target) + settings(project)
    }

    var bundleID: String? { value("PRODUCT_BUNDLE_IDENTIFIER") ?? plistValue("CFBundleIdentifier") }
    var version: String? { value("MARKETING_VERSION") ?? plistValue("CFBundleShortVersionString") }

    private func value(_ name: String) -> String? { BuildSettings.value(name, in: projectSettings, target: targetName) }

    /// From the target's Info.plist.
    private func plistValue(_ key: String) -> String? {
        guard let plist = value("INFOPLIST_FILE") else { return nil }
        let root = path.split(separator: "/").dropLast(2).joined(separator: "/")
        let relative = plist.replacing("$(SRCROOT)/", with: "").replacing("${SRCROOT}/", with: "")
        guard let file = folder.file(at: ProjectFolder.path(relative, in: root)),
            let text = XMLElement.plistValue(key, in: file.bytes)
        else { return nil }
        return BuildSettings.expanded(text, in: projectSettings, target: targetName)
    }

    /// The settings of an owner's release configuration, then those of its configuration file.
    private static func settings(
        of owner: PropertyList, _ objects: [String: PropertyList], _ root: String, _ folder: ProjectFolder
    ) -> [BuildSettings] {
        let list = owner["buildConfigurationList"]?.text.flatMap { objects[$0] }
        let all = (list?["buildConfigurations"]?.list ?? []).compactMap { $0.text.flatMap { objects[$0] } }
        let name = list?["defaultConfigurationName"]?.text ?? "Release"
        guard let chosen = all.first(where: { $0["name"]?.text == name }) ?? all.last else { return [] }
        let own = BuildSettings(values: (chosen["buildSettings"]?.table ?? [:]).compactMapValues(\.text))
        let reference = chosen["baseConfigurationReference"]?.text.flatMap { objects[$0] }
        let anchored = chosen["baseConfigurationReferenceRelativePath"]?.text
        guard let path = anchored ?? reference?["path"]?.text else { return [own] }
        // A reference's path is relative to its group, so go by the end of the path.
        let wanted = ProjectFolder.path(path, in: root)
        let file = folder.file(at: wanted) ?? folder.files(withEnding: "/" + path).first ?? folder.file(at: path)
        return [own] + (file.map { BuildSettings.read($0, in: folder, depth: 0) } ?? [])
    }
}

/// Build settings of one origin.
struct BuildSettings {
    var values: [String: String]

    /// The settings of a configuration file; those that it includes come last.
    static func read(_ file: ProjectFolder.File, in folder: ProjectFolder, depth: Int) -> [BuildSettings] {
        guard depth < 16 else { return [] }
        var values: [String: String] = [:]
        var included: [BuildSettings] = []
        for line in file.text.split(whereSeparator: \.isNewline) {
            let line = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
            if let path = line.firstMatch(of: /^\s*#include\??\s*"([^"]+)"/)?.1 {
                let target = ProjectFolder.path(String(path), in: file.folder)
                guard let next = folder.file(at: target) ?? folder.files(withEnding: "/" + path).first else { continue }
                included += read(next, in: folder, depth: depth + 1)
            } else if let match = line.firstMatch(of: /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/) {
                values[String(match.1)] = String(match.2)
            }
        }
        return [BuildSettings(values: values)] + included
    }

    /// The first origin's value, with all variables replaced.
    static func value(_ name: String, in settings: [BuildSettings], target: String, depth: Int = 0) -> String? {
        for (position, origin) in settings.enumerated() {
            guard let value = origin.values[name] else { continue }
            guard value.contains("$(inherited)") else {
                return expanded(value, in: settings, target: target, depth: depth)
            }
            let rest = Array(settings[(position + 1)...])
            let inherited = BuildSettings.value(name, in: rest, target: target, depth: depth + 1) ?? ""
            return expanded(
                value.replacing("$(inherited)", with: inherited), in: settings, target: target, depth: depth)
        }
        return ["TARGET_NAME", "PRODUCT_NAME"].contains(name) ? target : name == "CONFIGURATION" ? "Release" : nil
    }

    /// Replaces variables. As in Xcode, one that is not set is empty.
    ///
    /// - Returns: nil if what is left is no id or version: empty, or with an empty part.
    static func expanded(_ text: String, in settings: [BuildSettings], target: String, depth: Int = 0) -> String? {
        guard depth < 16 else { return nil }
        var text = text.filter { $0 != "\"" }
        while let match = text.firstMatch(
            of: /\$(?:[\({]([A-Za-z0-9_]+)(?::[A-Za-z0-9_=.-]+)*[\)}]|([A-Za-z_][A-Za-z0-9_]*))/)
        {
            let name = String(match.1 ?? match.2 ?? "")
            let value = value(name, in: settings, target: target, depth: depth + 1) ?? ""
            text.replaceSubrange(match.range, with: value)
        }
        let hasEmptyPart = text.hasPrefix(".") || text.hasSuffix(".") || text.contains("..")
        return text.isEmpty || text.contains("$") || depth == 0 && hasEmptyPart ? nil : text
    }
}

extension ProjectFolder {
    /// A path relative to a folder, without `.` and `..`.
    static func path(_ path: String, in folder: String) -> String {
        var parts: [Substring] = []
        for part in (folder + "/" + path).split(separator: "/") where part != "." {
            if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}
