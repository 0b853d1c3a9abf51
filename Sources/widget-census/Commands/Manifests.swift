internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation

struct Manifests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifests",
        abstract: "Record which widget kinds each version of an app ships.",
        examples: [
            "widget-census manifests draft --from ~/WeatherApp > manifest.json",
            "widget-census manifests add manifest.json", "generate-manifest | widget-census manifests add -",
            "widget-census manifests list --app com.example.weather",
        ],
        discussion: """
            A manifest is a JSON file (docs/reference/manifest.schema.json):

              {"app": {"id": "com.example.weather", "version": "20.12"},
               "kinds": [{"kind": "weather", "families": ["systemSmall"],
                          "intent": "CityIntent"},
                         {"kind": "forecast", "replaces": "old.forecast"}]}

            A manifest is kept forever and never changes: adding it again does nothing, and a different one for the same
            version is refused. `preflight` compares a coming release with the manifests of the versions still in use.
            """,
        subcommands: [Draft.self, Add.self, List.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add the manifest of one version.", examples: ["widget-census manifests add manifest.json"])

        @OptionGroup var common: CommonOptions
        @Argument(.path, "The file; - for standard input.") var file: String
        @OptionGroup var actor: ActorOption

        func run() async throws {
            let file = try ManifestFile(file)
            let manifest = file.manifest
            let addition = try await common.census { census in
                try await census.store.manifests.add(
                    manifest, source: file.bytes, by: actor.name, app: census.store.apps.app(manifest.appID))
            }
            let name = "\(manifest.appID) \(manifest.appVersion)"
            switch addition {
            case .added: print("added \(name): \(manifest.kinds.count) \(manifest.kinds.count == 1 ? "kind" : "kinds")")
            case .known: print("\(name) was already added, with the same content")
            case .differs(let differences):
                throw UsageError(
                    "\(name) already has a different manifest, and manifests never change: give the new one another version"
                        + differences.map { "\n  \($0)" }.joined())
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List an app's manifests, one line per kind.",
            examples: ["widget-census manifests list --app com.example.weather"])

        @OptionGroup var common: CommonOptions
        @Option(.app, "The app.", name: "app id") var app: String
        @OptionGroup var output: TableOptions

        func run() async throws {
            let records = try await common.census(onlyReads: true) { census in
                try await census.store.manifests.all(app: census.store.apps.app(app))
            }
            output.write(ReportTable(records))
            if records.isEmpty { Terminal.say("no rows: add a manifest with `widget-census manifests add FILE`") }
        }
    }
}

extension ReportTable {
    /// One row per kind of each manifest, and one row for a manifest without kinds.
    fileprivate init(_ records: [ManifestRecord]) {
        self.init(
            columns: [
                .init("app_version"), .init("surface"), .init("kind"), .init("families"), .init("intent"),
                .init("migrates_from"), .init("replaces"), .init("added_by"), .init("added_at", isTime: true),
            ],
            rows: records.flatMap { record -> [[String?]] in
                let added: [String?] = [record.addedBy, record.addedAt.description]
                let version = record.manifest.appVersion
                guard !record.manifest.kinds.isEmpty else {
                    return [[version] + Array(repeating: nil, count: 6) + added]
                }
                return record.manifest.kinds.map { kind in
                    let families = kind.families.map { $0.isEmpty ? "none" : $0.map(\.text).joined(separator: " ") }
                    let former = kind.migratesFrom.map(\.text).joined(separator: " ")
                    return [
                        version, kind.surface.rawValue, kind.name, families,
                        kind.intent == .static ? "none" : kind.intent.name,
                        former.isEmpty ? nil : former, kind.replaces,
                    ] + added
                }
            }, spare: ["added_by", "added_at", "migrates_from"])
    }
}
