internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation
internal import Logging
internal import Pages

struct PreflightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preflight",
        abstract: "Tell how many devices would lose a widget in a coming release.",
        examples: [
            "widget-census preflight --manifest manifest.json",
            "widget-census preflight --manifest manifest.json --allow-loss 500,0.1%",
            "widget-census preflight --drop old.kind --app com.example.weather",
            "widget-census preflight --manifest manifest.json \\\n"
                + "  --server https://census.example.com --key-file release.key",
            "widget-census preflight --manifest manifest.json --format github",
            "widget-census preflight acknowledge 9f2c1ab34d07 --app com.example.weather \\\n"
                + "  --manifest manifest.json --max-loss 12000 --until 2026-12-31 \\\n"
                + "  --by anna --because \"announced in October\"",
            "widget-census preflight acknowledgements --app com.example.weather",
        ],
        discussion: """
            It compares a manifest (see `manifests --help`) with the widgets that devices have, whatever version they run, and
            changes nothing. With --drop it needs no manifest: it assumes a release that only drops that kind.
            With --server it asks a running service, and needs a release key but no database. `preflight check --help` lists its options, and docs/guides/preflight.md the rules. `kinds show
            KIND` says whether a kind is ready to be dropped (docs/why/decision.md).

            EXIT STATUS
              0  passed
              1  more devices would lose a widget than --allow-loss allows
              2  invalid usage, or not a manifest
              3  undecided, because PostgreSQL is unavailable, too few devices report
                 or there is no data; --allow-unknown turns this into 0
            """,
        subcommands: [Check.self, Ack.self, Acks.self],
        defaultSubcommand: Check.self)

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Compare a manifest with the widgets that devices have.",
            examples: [
                "widget-census preflight check --manifest manifest.json",
                "widget-census preflight check --manifest - --allow-loss 500 < manifest.json",
                "widget-census preflight check --drop old.kind --app com.example.weather",
                "widget-census preflight check --drop old.kind --family systemLarge \\\n"
                    + "  --app com.example.weather",
                "widget-census preflight check --drop old.kind \\\n"
                    + "  --server https://census.example.com --key-file release.key",
            ])

        @OptionGroup var common: CommonOptions
        @Option(.path, "The manifest of the coming version; - for standard input.", name: "file") var manifest: String?
        @Option(.kind, "Without a manifest: the kind that the version drops.", name: "kind") var drop: String?
        @Option(.family, "With --drop: drop only this family of the kind.", name: "family") var family: String?
        @Option(.app, "The app; a manifest must be for it.", name: "app id") var app: String?
        @Option(.server, "Ask the service there instead of the database.", name: "url") var server: URL?
        @Option(.path, "With --server: a file with a release key.", name: "file") var keyFile: String?
        @Option(
            parsing: .unconditionalSingleValue,
            help: ArgumentHelp(
                "Devices that may lose a widget (500), or a share of the active ones (0.1%); with both, the stricter one counts.",
                valueName: "loss"), transform: Accepted.allowedLoss.parse)
        var allowLoss: [PreflightAllowance] = []
        @Flag(help: "Pass if the result is undecided.") var allowUnknown = false
        @Option(help: "text, json, junit, github, sarif or markdown.") var format: PreflightFormat = .text

        func validate() throws {
            guard (manifest == nil) != (drop == nil) else {
                throw ValidationError("give either --manifest or --drop: the coming version, or the kind that it drops")
            }
            guard drop == nil || appOfDrop != nil || server != nil else {
                throw ValidationError("--drop needs --app, or --server with a key of the app")
            }
            guard drop != nil || family == nil else { throw ValidationError("--family needs --drop") }
            guard (server == nil) == (keyFile == nil) else {
                throw ValidationError("--server and --key-file need each other")
            }
            guard drop == nil || format != .sarif else {
                throw ValidationError("--format sarif needs --manifest, because its results are lines of that file")
            }
        }

        func run() async throws {
            let today = ReportingZone.utc.day(of: .now)
            switch try await judged(today) {
            case .printed(let text, let summary, let status):
                Terminal.write(text)
                if let summary { stepSummary?.append(summary) }
                if status != 0 { throw ExitCode(status) }
            case .verdict(let verdict, let places):
                let report = PreflightReport(
                    verdict: verdict, on: dropping, file: manifest ?? "-",
                    location: manifest.map { ManifestFile.location(of: $0) } ?? dropping?.location ?? "",
                    places: places, actor: NSUserName(), version: WidgetCensus.version, today: today)
                Terminal.write(report.text(as: format))
                stepSummary?.append(report.text(as: .markdown))
                if verdict.exitStatus != 0 { throw ExitCode(verdict.exitStatus) }
            }
        }

        private enum Judgement {
            case verdict(PreflightVerdict, ManifestPlaces)
            /// By a service, with the summary for GitHub Actions if that wants one.
            case printed(String, summary: String?, Int32)
        }

        /// Where GitHub Actions wants the summary of this step; nil if it doesn't.
        private var stepSummary: StepSummary? { format == .github ? StepSummary() : nil }

        /// The verdict. It includes any error, so that every output format reports it.
        private func judged(_ today: Day) async throws -> Judgement {
            var places = ManifestPlaces()
            // Only a service can be asked without an app; its key names one.
            var known: Manifest? = Manifest(appID: app ?? "", appVersion: "", kinds: [])
            do {
                guard let manifest else {
                    if let server, let keyFile { return try await ask(server, keyFile, dropQuery, nil) }
                    return .verdict(try await verdictOnDrop(today), places)
                }
                known = nil
                let bytes = try ManifestFile.bytes(of: manifest)
                places = ManifestPlaces(bytes)
                let file = try ManifestFile(manifest, bytes)
                known = file.manifest
                if let app { try require(app, of: file.manifest) }
                if let server, let keyFile { return try await ask(server, keyFile, query(of: file), file.bytes) }
                return .verdict(try await verdict(on: file.manifest, today), places)
            } catch {
                if error is Interrupted { throw error }
                if let known, ExitStatus(error) != .wrongUsage {
                    return .verdict(
                        .init(undecided: known, because: "\(error)", allowsUnknown: allowUnknown), places)
                }
                Terminal.say("widget-census: \(error)".printableLines, .error)
                if let error = error as? BrokenManifest {
                    return .verdict(.init(error.problems, allowsUnknown: allowUnknown), places)
                }
                return .verdict(.init(invalid: known, because: "\(error)", allowsUnknown: allowUnknown), places)
            }
        }

        /// Asks a running service.
        ///
        /// - Throws: ``Unreachable`` if it can't answer now; ``UsageError`` if it rejects the key or the manifest.
        private func ask(
            _ server: URL, _ keyFile: String, _ subject: [(String, String?)], _ body: [UInt8]?
        ) async throws -> Judgement {
            try await ServiceClient.with(server, keyFile: keyFile) { client in
                let answer = try await client.ask("/v1/preflight?\(query(subject, format))", body)
                guard let status = answer["Census-Exit-Status"].flatMap({ Int32($0) }) else {
                    throw UsageError("\(server) is not a Widget Census service that knows preflight")
                }
                var summary: String?
                if stepSummary != nil {
                    let other = try await client.post("/v1/preflight?\(query(subject, .markdown))", body)
                    if other.problem == nil { summary = String(decoding: other.body, as: UTF8.self) }
                }
                return .printed(String(decoding: answer.body, as: UTF8.self), summary: summary, status)
            }
        }

        private func query(_ subject: [(String, String?)], _ format: PreflightFormat) -> String {
            ServiceClient.query(
                subject + [
                    ("format", format.rawValue), ("allow_unknown", "\(allowUnknown)"), ("by", NSUserName()),
                    ("server", server?.absoluteString),
                    ("allow_loss", allowance.text),
                ])
        }

        private func query(of file: ManifestFile) -> [(String, String?)] {
            [("file", file.path == "-" ? nil : ManifestFile.location(of: file.path))]
        }

        private var dropQuery: [(String, String?)] { [("drop", drop), ("family", family), ("app", app)] }

        private func require(_ app: String, of manifest: Manifest) throws {
            guard app.hasBytes(of: manifest.appID) else {
                throw UsageError("the manifest is for \(manifest.appID), not for \(app)")
            }
        }

        /// A manifest, and a service's key, name the app themselves.
        private var appOfDrop: String? { app ?? Settings.defaultApp }

        private var dropping: ComingRelease? { ComingRelease(dropping: drop, family: family) }

        private func verdictOnDrop(_ today: Day) async throws -> PreflightVerdict {
            guard let app = appOfDrop, let kind = drop, let dropping else {
                throw UsageError("--drop needs --app")
            }
            return try await common.census(onlyReads: true) { [allowance, allowUnknown] census in
                let app = try await census.store.apps.app(app)
                try await census.store.kinds.require(kind, of: app)
                return try await census.store.installedBase.preflight(
                    dropping, app: app, allowance: allowance, allowsUnknown: allowUnknown, today: today)
            }
        }

        private var allowance: PreflightAllowance { PreflightAllowance(strictestOf: allowLoss) }

        private func verdict(on manifest: Manifest, _ today: Day) async throws -> PreflightVerdict {
            try await common.census(onlyReads: true) { [allowance, allowUnknown] census in
                try await census.store.installedBase.preflight(
                    .manifest(manifest), app: census.store.apps.app(manifest.appID), allowance: allowance,
                    allowsUnknown: allowUnknown, today: today)
            }
        }
    }
}

extension PreflightFormat: ExpressibleByArgument {}

extension Accepted<PreflightAllowance> {
    fileprivate static let allowedLoss = Accepted(PreflightAllowance.inWords) { PreflightAllowance($0) }
}
