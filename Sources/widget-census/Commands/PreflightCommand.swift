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
            guard drop == nil || app != nil || server != nil else {
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
                    verdict: verdict, drop: drop.map { .init(kind: $0, family: family) }, file: manifest ?? "-",
                    location: manifest.map { ManifestFile.location(of: $0) } ?? "dropping \(drop ?? "")",
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
            _ server: URL, _ keyFile: String, _ subject: [URLQueryItem], _ body: [UInt8]?
        ) async throws -> Judgement {
            let key = String(decoding: try ManifestFile.bytes(of: keyFile), as: UTF8.self).filter { !$0.isWhitespace }
            guard !key.isEmpty else { throw UsageError("\(keyFile) has no key") }
            return try await ServiceClient.with(server, key: key) { client in
                let answer = try await client.post("/v1/preflight?\(query(subject, format))", body)
                if let problem = answer.problem {
                    // Only these can be different the next time.
                    guard [408, 429].contains(answer.status) || answer.status >= 500 else {
                        throw UsageError("\(server) answered \(problem)")
                    }
                    throw Unreachable(server: server, reason: problem)
                }
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

        private func query(_ subject: [URLQueryItem], _ format: PreflightFormat) -> String {
            var query = URLComponents()
            query.queryItems =
                subject + [
                    URLQueryItem(name: "format", value: format.rawValue),
                    URLQueryItem(name: "allow_unknown", value: "\(allowUnknown)"),
                    URLQueryItem(name: "by", value: NSUserName()),
                ]
            if let text = allowance.text { query.queryItems?.append(URLQueryItem(name: "allow_loss", value: text)) }
            // A plus would be read as a space.
            return (query.percentEncodedQuery ?? "").replacingOccurrences(of: "+", with: "%2B")
        }

        private func query(of file: ManifestFile) -> [URLQueryItem] {
            file.path == "-" ? [] : [URLQueryItem(name: "file", value: ManifestFile.location(of: file.path))]
        }

        private var dropQuery: [URLQueryItem] {
            [("drop", drop), ("family", family), ("app", app)].compactMap { name, value in
                value.map { URLQueryItem(name: name, value: $0) }
            }
        }

        private func require(_ app: String, of manifest: Manifest) throws {
            guard app.hasBytes(of: manifest.appID) else {
                throw UsageError("the manifest is for \(manifest.appID), not for \(app)")
            }
        }

        private func verdictOnDrop(_ today: Day) async throws -> PreflightVerdict {
            guard let app, let kind = drop else { throw UsageError("--drop needs --app") }
            return try await common.census(onlyReads: true) { [allowance, allowUnknown, family] census in
                let app = try await census.store.apps.app(app)
                try await census.store.kinds.require(kind, of: app)
                return try await census.store.installedBase.preflight(
                    .dropping(kind: Text(kind), family: family.map { Text($0) }), app: app, allowance: allowance,
                    allowsUnknown: allowUnknown, today: today)
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

    struct Ack: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "acknowledge", aliases: ["ack"],
            abstract: "Acknowledge a loss that preflight found, up to a number of devices and until a day.",
            examples: [
                "widget-census preflight acknowledge 9f2c1ab34d07 --app com.example.weather \\\n"
                    + "  --manifest manifest.json --max-loss 12000 --until 2026-12-31 \\\n"
                    + "  --by anna --because \"announced in October\"",
                "widget-census preflight acknowledge 9f2c1ab34d07 --app com.example.weather \\\n"
                    + "  --max-loss 0 --by anna --because \"the release is off\"",
            ],
            discussion: """
                Acknowledgements are kept forever. The last one for a finding counts; to withdraw one, acknowledge 0 devices. The
                finding must be one of the manifest's, or of the drop's. After the release, the watch for losses expects as many.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(.fingerprint, "The finding's fingerprint: twelve hexadecimal digits.") var fingerprint: String
        @Option(.app, "The app.", name: "app id") var app: String
        @Option(.path, "The manifest that the finding is about.", name: "file") var manifest: String?
        @Option(.kind, "Instead of a manifest: the kind that the release drops.", name: "kind") var drop: String?
        @Option(.family, "With --drop: the family that the release drops.", name: "family") var family: String?
        @Option(.version, "With --drop: the version to be released.", name: "version") var release: String?
        @Option(.devices, "Devices that may lose a widget.", name: "devices") var maxLoss: Int
        @Option(
            help: ArgumentHelp(
                "The last day on which it is valid, at most a year ahead; needed unless --max-loss is 0.",
                valueName: "YYYY-MM-DD")) var until: Day?
        @Option(.words, "Who acknowledges it.", name: "name") var by: String
        @Option(.reason, named: [.customLong("because"), .customLong("reason")], "Why.", name: "text") var reason:
            String

        func validate() throws {
            let days = AcknowledgementRegistry.days(from: lastDay.today)
            guard until != nil || maxLoss == 0 else {
                throw ValidationError("--until is missing: the last day on which the acknowledgement is valid")
            }
            guard days.contains(lastDay.day) else {
                throw ValidationError(
                    "--until must be a day within a year from today, \(days.lowerBound) to \(days.upperBound)")
            }
            guard release != "VERSION" else {
                throw ValidationError("--release must be the version to be released, in place of the word VERSION")
            }
            guard manifest == nil || drop == nil, manifest != nil || drop != nil || maxLoss == 0 else {
                throw ValidationError(
                    "give either --manifest or --drop, as preflight printed: the finding and its loss are checked")
            }
            guard (drop == nil) == (release == nil) else {
                throw ValidationError("--drop and --release need each other")
            }
            guard drop != nil || family == nil else { throw ValidationError("--family needs --drop") }
        }

        /// A withdrawal has today's.
        private var lastDay: (today: Day, day: Day) {
            let today = ReportingZone.utc.day(of: .now)
            return (today, until ?? today)
        }

        func run() async throws {
            let coming = try coming()
            let until = lastDay.day
            let change = try await common.census { census in
                let app = try await census.store.apps.app(app)
                var change: AcknowledgedChange?
                if let coming { change = try await self.change(in: coming, of: app, census.store) }
                if maxLoss == 0, try await census.store.acknowledgements.version(of: fingerprint, app: app) == 0 {
                    let list: ShellCommand = "widget-census preflight acknowledgements --app \(app.id)"
                    throw StoreError(.request, "\(app.id) has no acknowledgement of \(fingerprint); see: \(list)")
                }
                try await census.store.acknowledgements.add(
                    fingerprint, maximumLoss: maxLoss, until: until, by: by, reason: reason, change: change, app: app)
                return change
            }
            let finding = change.map { "\($0.rule) of \($0.kind)" } ?? fingerprint
            guard maxLoss > 0 else {
                print("withdrew the acknowledgement of \(finding)")
                return
            }
            print("acknowledged \(finding): up to \(maxLoss.counted("device")), until \(until)")
        }

        /// - Returns: nil if only the fingerprint is given.
        private func coming() throws -> (release: ComingRelease, version: String)? {
            if let drop {
                return (.dropping(kind: Text(drop), family: family.map { Text($0) }), release ?? "")
            }
            guard let manifest = try manifest.map({ try ManifestFile($0).manifest }) else { return nil }
            guard manifest.appID.hasBytes(of: app) else {
                throw UsageError("the manifest is for \(manifest.appID), not for \(app)")
            }
            return (.manifest(manifest), manifest.appVersion)
        }

        private func change(
            in coming: (release: ComingRelease, version: String), of app: App, _ store: Store
        ) async throws -> AcknowledgedChange {
            if case .dropping(let kind, _) = coming.release { try await store.kinds.require(kind.text, of: app) }
            let verdict = try await store.installedBase.preflight(
                coming.release, app: app, allowance: PreflightAllowance(), today: ReportingZone.utc.day(of: .now))
            guard let finding = verdict.findings.first(where: { $0.fingerprint == fingerprint }) else {
                let there = verdict.findings.map {
                    "\n  \($0.fingerprint) \($0.change.rule.rawValue) \($0.change.kind)"
                }
                throw UsageError(
                    "preflight finds no \(fingerprint) for this \(drop == nil ? "manifest" : "drop")"
                        + (there.isEmpty ? ", nor anything else" : "; it finds" + there.joined()))
            }
            let loss = finding.loss.devicesPossible
            guard finding.isCovered(by: maxLoss) else {
                throw UsageError(
                    "at most \(loss.counted("device")) would lose it now, so preflight would still fail: give --max-loss "
                        + "\(loss) or more, or 0 to withdraw an acknowledgement")
            }
            if drop != nil,
                let objection = try await store.installedBase.objection(to: finding, in: coming.version, app: app)
            {
                throw UsageError("\(objection); give the --release that does")
            }
            return finding.acknowledged(in: coming.version)
        }
    }

    struct Acks: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "acknowledgements", aliases: ["acks"],
            abstract: "List all acknowledged losses.",
            examples: ["widget-census preflight acknowledgements --app com.example.weather"])

        @OptionGroup var common: CommonOptions
        @Option(.app, "The app.", name: "app id") var app: String
        @OptionGroup var output: TableOptions

        func run() async throws {
            let records = try await common.census(onlyReads: true) { census in
                try await census.store.acknowledgements.all(app: census.store.apps.app(app))
            }
            let table = ReportTable(records, today: ReportingZone.utc.day(of: .now))
            output.write(table)
            if records.isEmpty {
                Terminal.say("no rows: no loss was acknowledged with `widget-census preflight acknowledge`")
            }
        }
    }
}

extension PreflightFormat: ExpressibleByArgument {}

extension Accepted<PreflightAllowance> {
    fileprivate static let allowedLoss = Accepted(PreflightAllowance.inWords) { PreflightAllowance($0) }
}

extension ReportTable {
    fileprivate init(_ records: [AcknowledgementRecord], today: Day) {
        let last = Dictionary(records.map { ($0.acknowledgement.fingerprint, $0) }) { $1 }
        self.init(
            records,
            [
                .text("fingerprint", \.acknowledgement.fingerprint),
                .text("state") { record in
                    let given = record.acknowledgement
                    guard last[given.fingerprint] == record else { return "replaced" }
                    return given.maximumLoss == 0 ? "withdrawn" : given.until < today ? "expired" : "holds"
                },
                .number("max_loss", \.acknowledgement.maximumLoss), .time("until", \.acknowledgement.until),
                .text("by", \.acknowledgement.by), .text("reason", \.acknowledgement.reason),
                .time("at", \.acknowledgement.at), .text("rule", \.change?.rule),
                .text("surface", \.change?.surface), .text("kind", \.change?.kind),
                .text("app_version", \.change?.appVersion),
            ],
            spare: ["at", "by", "surface", "app_version", "rule"])
    }
}
