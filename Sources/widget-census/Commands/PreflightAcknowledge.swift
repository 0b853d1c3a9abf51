internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation
internal import Pages

extension PreflightCommand {
    struct Ack: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "acknowledge", aliases: ["ack"],
            abstract: "Acknowledge a loss that preflight found, up to a number of devices and until a day.",
            examples: [
                "widget-census preflight acknowledge 9f2c1ab34d07 --app com.example.weather \\\n"
                    + "  --manifest manifest.json --max-loss 12000 --until 2026-12-31 \\\n"
                    + "  --by anna --because \"announced in October\"",
                "widget-census preflight acknowledge 9f2c1ab34d07 --manifest manifest.json \\\n"
                    + "  --max-loss 12000 --until 2026-12-31 --because \"announced in October\" \\\n"
                    + "  --server https://census.example.com --key-file manage.key",
                "widget-census preflight acknowledge 9f2c1ab34d07 --app com.example.weather \\\n"
                    + "  --max-loss 0 --by anna --because \"the release is off\"",
            ],
            discussion: """
                Acknowledgements are kept forever. The last one for a finding counts; to withdraw one, acknowledge 0 devices. The
                finding must be one of the manifest's, or of the drop's. After the release, the watch for losses expects as many.
                With --server it needs a manage key but no database, and the key's holder signs it.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(.fingerprint, "The finding's fingerprint: twelve hexadecimal digits.") var fingerprint: String
        @Option(.app, "The app; not needed with --server.", name: "app id") var app: String?
        @Option(.path, "The manifest that the finding is about.", name: "file") var manifest: String?
        @Option(.kind, "Instead of a manifest: the kind that the release drops.", name: "kind") var drop: String?
        @Option(.family, "With --drop: the family that the release drops.", name: "family") var family: String?
        @Option(.version, "With --drop: the version to be released.", name: "version") var release: String?
        @Option(.devices, "Devices that may lose a widget.", name: "devices") var maxLoss: Int
        @Option(
            help: ArgumentHelp(
                "The last day on which it is valid, at most a year ahead; needed unless --max-loss is 0.",
                valueName: "YYYY-MM-DD")) var until: Day?
        @Option(.words, "Who acknowledges it; with --server, the key's holder does.", name: "name") var by: String?
        @Option(.reason, named: [.customLong("because"), .customLong("reason")], "Why.", name: "text") var reason:
            String
        @Option(.server, "Tell the service there instead of the database.", name: "url") var server: URL?
        @Option(.path, "With --server: a file with a manage key.", name: "file") var keyFile: String?

        func validate() throws {
            let days = AcknowledgementRegistry.days(from: lastDay.today)
            guard until != nil || maxLoss == 0 else {
                throw ValidationError("--until is missing: the last day on which the acknowledgement is valid")
            }
            guard days.contains(lastDay.day) else {
                throw ValidationError(
                    "--until must be a day within a year from today, \(days.lowerBound) to \(days.upperBound)")
            }
            guard release != PreflightReport.versionPlaceholder else {
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
            guard (server == nil) == (keyFile == nil) else {
                throw ValidationError("--server and --key-file need each other")
            }
            guard server == nil || by == nil else {
                throw ValidationError("--by doesn't go with --server, because the key's holder signs; leave it out")
            }
            guard server != nil || by != nil else { throw ValidationError("--by is missing: who acknowledges it") }
            guard server != nil || app != nil else { throw ValidationError("--app is missing: the app") }
        }

        /// A withdrawal has today's.
        private var lastDay: (today: Day, day: Day) {
            let today = ReportingZone.utc.day(of: .now)
            return (today, until ?? today)
        }

        func run() async throws {
            let file = try manifest.map { try ManifestFile($0) }
            if let file, let app, !file.manifest.appID.hasBytes(of: app) {
                throw UsageError("the manifest is for \(file.manifest.appID), not for \(app)")
            }
            if let server, let keyFile {
                print(try await told(server, keyFile, file))
            } else {
                print(AcknowledgedLoss(try await recorded(file), step(file), fingerprint: fingerprint).sentence)
            }
        }

        private func step(_ file: ManifestFile?) -> AcknowledgementStep {
            let dropping = ComingRelease(dropping: drop, family: family)
            return AcknowledgementStep(
                .fingerprint(fingerprint), of: file.map { .manifest($0.manifest) } ?? dropping,
                version: file?.manifest.appVersion ?? release ?? "", maximumLoss: maxLoss, until: lastDay.day,
                by: by ?? "", because: reason)
        }

        /// - Returns: nil if the finding is not known.
        private func recorded(_ file: ManifestFile?) async throws -> AcknowledgedChange? {
            let step = step(file)
            let outcome = try await common.census { census in
                try await census.store.installedBase.take(step, app: census.store.apps.app(app ?? ""))
            }
            switch outcome {
            case .recorded(let change), .unchanged(let change): return change
            case .hindered(let hindrance): throw UsageError(hindrance.told(of: fingerprint, app: app ?? ""))
            }
        }

        private func told(_ server: URL, _ keyFile: String, _ file: ManifestFile?) async throws -> String {
            try await ServiceClient.with(server, keyFile: keyFile) { client in
                let query = ServiceClient.query([
                    ("fingerprint", fingerprint), ("max_loss", "\(maxLoss)"), ("until", until.map { "\($0)" }),
                    ("because", reason), ("drop", drop), ("family", family), ("release", release), ("app", app),
                ])
                // What is withdrawn was checked when it was given.
                let answer = try await client.ask("/v1/acknowledgements?\(query)", maxLoss == 0 ? nil : file?.bytes)
                return try JSONDecoder().decode(AcknowledgedLoss.self, from: Data(answer.body)).sentence
            }
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
            if records.contains(where: { $0.acknowledgement.state(on: ReportingZone.utc.day(of: .now)) == .holds }) {
                Terminal.say("`holds` means up to max_loss: preflight compares it with the loss of the day")
            }
            if records.isEmpty {
                Terminal.say("no rows: no loss was acknowledged with `widget-census preflight acknowledge`")
            }
        }
    }
}

extension AcknowledgementHindrance {
    /// With what to do about it.
    fileprivate func told(of fingerprint: String, app: String) -> String {
        switch self {
        case .unknownFinding: return "\(fingerprint): \(sentence)"
        case .tooFew(let finding):
            return
                "\(sentence): give --max-loss \(finding.loss.devicesPossible) or more, or 0 to withdraw an acknowledgement"
        case .wrongRelease: return "\(sentence); name the version that drops it, in the manifest or with --release"
        case .notAcknowledged:
            let list: ShellCommand = "widget-census preflight acknowledgements --app \(app)"
            return "\(app) has no acknowledgement of \(fingerprint); see: \(list)"
        }
    }
}

extension ReportTable {
    fileprivate init(_ records: [AcknowledgementRecord], today: Day) {
        self.init(
            records,
            [
                .text("fingerprint", \.acknowledgement.fingerprint),
                .text("state") { $0.state(among: records, today: today) },
                .number("max_loss", \.acknowledgement.maximumLoss), .time("until", \.acknowledgement.until),
                .text("by", \.acknowledgement.by), .text("reason", \.acknowledgement.reason),
                .time("at", \.acknowledgement.at), .text("rule", \.change?.rule),
                .text("surface", \.change?.surface), .text("kind", \.change?.kind),
                .text("app_version", \.change?.appVersion),
            ],
            spare: ["at", "by", "surface", "app_version", "rule"])
    }
}

extension AcknowledgementRecord {
    /// The watch for losses goes by the last one for each release, unless all of them were withdrawn later.
    ///
    /// - Parameter records: in the order in which they were given.
    fileprivate func state(among records: [AcknowledgementRecord], today: Day) -> String {
        let later = records.drop { $0 != self }.dropFirst().filter {
            $0.acknowledgement.fingerprint == acknowledgement.fingerprint
        }
        if later.contains(where: { $0.acknowledgement.state(on: today) == .withdrawn }) {
            return PreflightAcknowledgement.State.withdrawn.rawValue
        }
        let isReplaced = later.contains { ($0.change?.appVersion).hasBytes(of: change?.appVersion) }
        return isReplaced ? "replaced" : acknowledgement.state(on: today).rawValue
    }
}
