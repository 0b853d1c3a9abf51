internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation

struct PreflightCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preflight",
        abstract: "Say how many devices would lose a widget by a coming release.",
        discussion: """
            EXAMPLES
              widget-census preflight --manifest manifest.json
              widget-census preflight --manifest manifest.json --allow-loss 500 --allow-loss 0.1%
              widget-census preflight --manifest manifest.json --format github
              widget-census preflight ack 9f2c1ab34d07 --app com.example.weather --manifest manifest.json \\
                  --max-loss 12000 --until 2026-12-31 --by anna --reason "announced in October"
              widget-census preflight acks --app com.example.weather

            It compares a manifest (see `manifests --help`) with what devices hold, whatever version they run, and changes
            nothing. Options of the comparison: `preflight check --help`. Rules: docs/preflight.md.

            Exit status: 0 passed, 1 more devices may lose a widget than --allow-loss lets, 2 wrong usage or no manifest,
            3 could not decide: the store is away, too few devices report, or there is no data. --allow-unknown turns a
            3 into a 0.
            """,
        subcommands: [Check.self, Ack.self, Acks.self],
        defaultSubcommand: Check.self)

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Compare a manifest with what devices hold.")

        @OptionGroup var common: CommonOptions
        @Option(help: ArgumentHelp("The manifest of the coming version; - reads standard input.", valueName: "file"))
        var manifest: String
        @Option(help: ArgumentHelp("The app that the manifest must be of.", valueName: "app id")) var app: String?
        @Option(
            parsing: .unconditionalSingleValue,
            help: ArgumentHelp(
                "Devices that may lose a widget (500), or a share of the active ones (0.1%); of both the stricter counts.",
                valueName: "loss"))
        var allowLoss: [AllowedLoss] = []
        @Flag(help: "Pass when it could not be decided.") var allowUnknown = false
        @Option(help: "text, json, junit, github or sarif.") var format: PreflightFormat = .text

        func run() async throws {
            let file = try ManifestFile(manifest)
            let today = ReportingZone.utc.day(of: .now)
            let verdict = try await verdict(on: file.manifest, today)
            let report = PreflightReport(verdict: verdict, file: manifest, actor: NSUserName(), today: today)
            Terminal.write(report.text(as: format))
            if verdict.exitStatus != 0 { throw ExitCode(verdict.exitStatus) }
        }

        private func verdict(on manifest: Manifest, _ today: Day) async throws -> PreflightVerdict {
            if let app, !app.hasBytes(of: manifest.appID) {
                throw UsageError("the manifest is of \(manifest.appID), not of \(app)")
            }
            let allowance = PreflightAllowance(allowLoss)
            do {
                return try await common.census(onlyReads: true) { [allowUnknown] census in
                    try await census.store.installedBase.preflight(
                        manifest, app: census.store.apps.app(manifest.appID), allowance: allowance,
                        allowsUnknown: allowUnknown, today: today)
                }
            } catch  where ExitStatus(error) == .storeAway {
                return PreflightVerdict(undecided: manifest, because: "\(error)", allowsUnknown: allowUnknown)
            }
        }
    }

    struct Ack: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Accept a loss that preflight found, up to a number of devices and a day.",
            discussion: """
                It is kept for ever. The last one of a finding counts: to take one back, accept 0 devices. With --manifest it
                must be a finding of that manifest, and the kind is kept with it.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(help: "The finding's twelve digits.") var fingerprint: String
        @Option(help: ArgumentHelp("The app.", valueName: "app id")) var app: String
        @Option(help: ArgumentHelp("The manifest that the finding is of.", valueName: "file")) var manifest: String?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Devices that may lose a widget by it (0 to 1000000000).", valueName: "devices"))
        var maxLoss: Int
        @Option(help: ArgumentHelp("The last day on which it holds, at most a year ahead.", valueName: "YYYY-MM-DD"))
        var until: Day
        @Option(help: ArgumentHelp("Who accepts it.", valueName: "name")) var by: String
        @Option(help: "Why.") var reason: String

        func validate() throws {
            guard (0...1_000_000_000).contains(maxLoss) else {
                throw ValidationError("--max-loss is a number of devices, 0 to 1000000000")
            }
            let today = ReportingZone.utc.day(of: .now)
            guard (today...today + 366).contains(until) else {
                throw ValidationError("--until is a day from today to a year ahead, \(today) to \(today + 366)")
            }
            try ActorOption.check("--by", by)
            try ActorOption.check("--reason", reason)
        }

        func run() async throws {
            let manifest = try manifest.map { try ManifestFile($0).manifest }
            if let manifest, !manifest.appID.hasBytes(of: app) {
                throw UsageError("the manifest is of \(manifest.appID), not of \(app)")
            }
            let change = try await common.census { census in
                let app = try await census.store.apps.app(app)
                var change: AcknowledgedChange?
                if let manifest { change = try await self.change(in: manifest, of: app, census.store) }
                try await census.store.acknowledgements.add(
                    fingerprint, maximumLoss: maxLoss, until: until, by: by, reason: reason, change: change, app: app)
                return change
            }
            let finding = change.map { "\($0.rule) of \($0.kind)" } ?? fingerprint
            print("acknowledged \(finding): up to \(maxLoss.grouped) devices, until \(until)")
            if manifest == nil {
                Terminal.say(
                    "without --manifest the kind is not known: once it is released, the watch for losses reports this loss"
                )
            }
        }

        private func change(in manifest: Manifest, of app: App, _ store: Store) async throws -> AcknowledgedChange {
            let verdict = try await store.installedBase.preflight(
                manifest, app: app, allowance: PreflightAllowance(), today: ReportingZone.utc.day(of: .now))
            guard let finding = verdict.findings.first(where: { $0.fingerprint == fingerprint }) else {
                let there = verdict.findings.map {
                    "\n  \($0.fingerprint) \($0.change.rule.rawValue) \($0.change.kind)"
                }
                throw UsageError(
                    "preflight finds no \(fingerprint) for this manifest"
                        + (there.isEmpty ? ", and nothing else" : "; it finds" + there.joined()))
            }
            return AcknowledgedChange(
                rule: finding.change.rule.rawValue, surface: finding.change.kind.surface.rawValue,
                kind: finding.change.kind.kind.text, appVersion: manifest.appVersion)
        }
    }

    struct Acks: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List every loss that was accepted.")

        @OptionGroup var common: CommonOptions
        @Option(help: ArgumentHelp("The app.", valueName: "app id")) var app: String
        @Option(help: "table, csv or json.") var format: ReportFormat = .table

        func run() async throws {
            let records = try await common.census(onlyReads: true) { census in
                try await census.store.acknowledgements.all(app: census.store.apps.app(app))
            }
            let table = ReportTable(records, today: ReportingZone.utc.day(of: .now))
            format.write(table)
            if records.isEmpty { Terminal.say("no rows: nothing was accepted by `widget-census preflight ack`") }
        }
    }
}

/// One value of `--allow-loss`: a number of devices or a share, or both with a comma between.
struct AllowedLoss: ExpressibleByArgument {
    var devices: Int?
    var share: Double?

    init?(argument: String) {
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            if part.hasSuffix("%"), let percent = Double(part.dropLast()), (0...100).contains(percent) {
                share = min(share ?? 1, percent / 100)
            } else if part.allSatisfy(\.isNumber), let number = Int(part), number <= 1_000_000_000 {
                devices = min(devices ?? number, number)
            } else {
                return nil
            }
        }
    }
}

extension PreflightAllowance {
    fileprivate init(_ allowed: [AllowedLoss]) {
        self.init(devices: allowed.compactMap(\.devices).min(), share: allowed.compactMap(\.share).min())
    }
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
                    return last[given.fingerprint] != record ? "replaced" : given.until < today ? "expired" : "holds"
                },
                .number("max_loss", \.acknowledgement.maximumLoss), .text("until", \.acknowledgement.until.description),
                .text("by", \.acknowledgement.by), .text("reason", \.acknowledgement.reason),
                .text("at", \.acknowledgement.at.description), .text("rule", \.change?.rule),
                .text("surface", \.change?.surface), .text("kind", \.change?.kind),
                .text("app_version", \.change?.appVersion),
            ])
    }
}
