internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation

extension Manifests {
    struct Draft: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "draft",
            abstract: "Write a manifest from a project's files, or from what devices have.",
            examples: [
                "widget-census manifests draft --from ~/WeatherApp > manifest.json",
                "widget-census manifests draft --from ~/WeatherApp --app-version 20.12",
                "widget-census manifests draft --app com.example.weather > manifest.json",
            ],
            discussion: """
                A draft is a guess, so read it before you use it. Standard error says where each value comes from, and what is
                missing.

                --from reads an Xcode project or Swift sources (widget configurations), or an Android project (receivers in
                AndroidManifest.xml). It runs neither Xcode nor Gradle, and needs no database. Where the code has several
                branches, the draft has what any of them says.

                --app alone reads the widgets that devices have. The draft lacks what no device has.

                EXIT STATUS
                  0  complete, as far as this program can tell
                  1  standard error lists what is missing
                  2  invalid usage, no widgets found, or no app id or version
                """)

        @OptionGroup var common: CommonOptions
        @Option(.path, "The folder of an Xcode or Android project, or a Swift file.", name: "path") var from: String?
        @Option(.app, "The app. With --from: its id, if the project doesn't say.", name: "app id") var app: String?
        @Option(.version, "The version that the manifest is for.", name: "version") var appVersion: String?

        func validate() throws {
            guard from != nil || appOfDevices != nil else {
                throw ValidationError("give --from for a project's files, or --app for what devices have")
            }
        }

        func run() async throws {
            var draft = try await self.draft()
            if from != nil, let app { draft.app = .init(text: app, origin: "as given") }
            if let appVersion { draft.version = .init(text: appVersion, origin: "as given") }
            for line in draft.explanation { Terminal.say(line) }
            let json = try draft.json()
            do throws(ManifestError) {
                _ = try ManifestReader.read(Array(json.utf8))
            } catch {
                throw BrokenManifest(path: "the draft", problems: error.problems)
            }
            Terminal.write(json)
            if !draft.gaps.isEmpty { throw ExitCode(1) }
        }

        /// A project names its app itself.
        private var appOfDevices: String? { app ?? Settings.defaultApp }

        private func draft() async throws -> ManifestDraft {
            if let from { return try ManifestDraft(project: from) }
            guard let app = appOfDevices else { throw UsageError("--app is missing") }
            return try await common.census(onlyReads: true) { census in
                let app = try await census.store.apps.app(app)
                let held = try await census.store.installedBase.held(app: app)
                guard !held.kinds.isEmpty else { throw UsageError("no device of \(app.id) has a widget yet") }
                return ManifestDraft(held, app: app)
            }
        }
    }
}

extension ManifestDraft {
    /// - Parameter path: a folder or a file.
    /// - Throws: ``UsageError`` if there are no widgets, or those of two platforms.
    init(project path: String) throws {
        let folder = try ProjectFolder(path)
        var (apple, android) = (ManifestDraft(), ManifestDraft())
        let isApple = apple.readSwift(folder.files(withEnding: ".swift"))
        let isAndroid = android.readAndroid(folder)
        guard !isApple || !isAndroid else {
            throw UsageError(
                "\(path) has an Apple project and an Android project, which are two apps: give the folder of one of them"
            )
        }
        if isApple { apple.readXcode(folder) }
        guard isApple || isAndroid else {
            throw UsageError(
                "\(path) has no widgets: neither a Swift file with a widget configuration, nor an AndroidManifest.xml with "
                    + "an app widget provider")
        }
        self = isApple ? apple : android
        for gap in folder.gaps { lacks(gap) }
    }
}
