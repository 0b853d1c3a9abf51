internal import CensusCore

extension ManifestDraft {
    /// Adds the app widget providers that Android manifests declare, and the application's id and version.
    ///
    /// - Returns: whether there is any.
    mutating func readAndroid(_ folder: ProjectFolder) -> Bool {
        let gradle = GradleValues(folder)
        let modules = folder.files.filter { $0.name == "AndroidManifest.xml" && !$0.isOfTests }.compactMap { file in
            AndroidModule(file, folder, gradle)
        }.filter { !$0.providers.isEmpty }
        for module in modules {
            for provider in module.providers { add(provider, of: module) }
        }
        // Others repeat its providers, for example for cars.
        guard let main = modules.max(by: { $0.providers.count < $1.providers.count }) else { return false }
        if let value = gradle.value("applicationId", of: main.folder) {
            app = Value(text: value.text, origin: "applicationId, \(value.origin)")
        }
        if let value = gradle.value("versionName", of: main.folder) {
            version = Value(text: value.text, origin: "versionName, \(value.origin)")
        }
        return true
    }

    private mutating func add(_ provider: AndroidModule.Provider, of module: AndroidModule) {
        let origin = "\(module.path):\(provider.line)"
        guard let name = module.className(provider.name) else {
            return lacks(
                "\(origin): the class \(provider.name): its package is not known; add the kind by hand, with the full class name"
            )
        }
        var entry = Entry(
            id: .init(surface: .widget, kind: Text(name)), families: nil, intent: .unstated, origin: origin)
        switch provider.info {
        case .found(let path, let isHidden):
            entry.remarks.append("described in \(path)" + (isHidden ? ", which hides it from pickers" : ""))
        case .missing:
            lacks(
                "\(origin): \(provider.resource) is not a description of a widget in this project; check that \(name) is a widget"
            )
        }
        if let enabled = provider.enabled, enabled != "true" { entry.remarks.append("android:enabled is \(enabled)") }
        add(entry)
    }
}

extension ProjectFolder.File {
    /// Whether it is part of tests, or of a debug build.
    fileprivate var isOfTests: Bool {
        let parts = path.split(separator: "/")
        return zip(parts, parts.dropFirst()).contains { parent, part in
            parent == "src" && (part == "debug" || part.lowercased().hasSuffix("test"))
        }
    }
}

/// A module of an Android project, with the app widget providers in one of its manifests.
private struct AndroidModule {
    /// A receiver that is a widget.
    struct Provider {
        enum Info {
            case found(String, isHidden: Bool)
            case missing
        }

        var name: String
        var resource: String
        var info: Info
        var enabled: String?
        var line: Int
    }

    /// Of the manifest.
    let path: String
    /// With the build script.
    let folder: String
    let providers: [Provider]
    private let package: String?
    private let applicationID: String?

    init?(_ file: ProjectFolder.File, _ project: ProjectFolder, _ gradle: GradleValues) {
        guard let manifest = XMLElement(file.bytes), manifest.name == "manifest" else { return nil }
        path = file.path
        // …/module/src/main/AndroidManifest.xml; older projects have it beside the build script.
        let parts = file.folder.split(separator: "/")
        let module = parts.lastIndex(of: "src").map { parts[..<$0] } ?? parts[...]
        let folder = module.joined(separator: "/")
        self.folder = folder
        package = manifest.attributes["package"] ?? gradle.value("namespace", of: folder)?.text
        applicationID = gradle.value("applicationId", of: folder)?.text
        providers = manifest.all("receiver").compactMap { AndroidModule.provider($0, project, folder) }
    }

    private static func provider(_ receiver: XMLElement, _ project: ProjectFolder, _ folder: String) -> Provider? {
        guard let name = receiver.attributes["android:name"], receiver.attributes["tools:node"] != "remove",
            let data = receiver.all("meta-data").first(where: {
                $0.attributes["android:name"] == "android.appwidget.provider"
            })
        else { return nil }
        let resource = data.attributes["android:resource"] ?? "android:resource"
        return Provider(
            name: name, resource: resource, info: info(resource, project, folder),
            enabled: receiver.attributes["android:enabled"], line: receiver.line)
    }

    /// The description of the provider, in the resource folders of the module, or of another one that it shares.
    private static func info(_ resource: String, _ project: ProjectFolder, _ folder: String) -> Provider.Info {
        let name = resource.split(separator: "/").last.map { "\($0).xml" } ?? ""
        let named = project.files.filter {
            $0.name == name && $0.folder.split(separator: "/").last?.hasPrefix("xml") == true
        }
        let own = named.filter { $0.path.hasPrefix(folder.isEmpty ? "" : folder + "/") }
        let found = (own + named).lazy.compactMap { file -> Provider.Info? in
            guard let root = XMLElement(file.bytes), root.name == "appwidget-provider" else { return nil }
            let features = root.attributes["android:widgetFeatures"] ?? ""
            return .found(file.path, isHidden: features.contains("hide_from_picker"))
        }
        return found.first ?? .missing
    }

    /// The full name of a class in the manifest; nil if the package is not known.
    func className(_ name: String) -> String? {
        if name.contains("${applicationId}") {
            return applicationID.map { name.replacing("${applicationId}", with: $0) }
        }
        guard name.hasPrefix(".") || !name.contains(".") else { return name }
        return package.map { name.hasPrefix(".") ? $0 + name : "\($0).\(name)" }
    }
}
