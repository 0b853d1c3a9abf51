internal import ArgumentParser
internal import CensusCore
internal import Fleet
internal import Foundation

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate a fleet of devices that report as real ones do, and write the truth about them.",
        examples: [
            "widget-census apps add com.example.weather",
            "widget-census simulate --output fleet.ndjson",
            "widget-census import fleet.ndjson",
            "widget-census simulate --devices 20000 --days 60 --output fleet.ndjson",
            "widget-census simulate --reinstalls 0.6 --ghosts 14.3,26.1 --output -",
            "widget-census simulate --differences before --unnamed 0.5 --output -",
            "widget-census simulate --taps 0.9 --output -",
            "widget-census simulate --drop com.example.weather.radar --drop-share 0.5 \\\n"
                + "  --phased --released 8 --output -",
            "widget-census simulate --zone Europe/Prague --output fleet.ndjson",
            "widget-census simulate --days 1 --to http://127.0.0.1:8080 < write.key",
        ],
        discussion: """
            The truth goes to fleet.truth.csv, next to fleet.ndjson. It says how many devices really had each kind at the end of
            each day: what they had at their last report, plus the changes they reported since. Days are in UTC, or in --zone,
            which changes nothing else. The same options and --end give the same fleet. With --to, the key is read from
            standard input.

            You can vary how the app reports. Where the system reports no changes (iOS before 26), the app compares lists when it
            is opened and sends what it thinks was installed and removed; --differences says when it does. With --unnamed 0.5,
            the events of half the devices omit family and instance, as the contract allows; reports always name them. With
            --taps 0.9, nearly every owner opens the app once a day by tapping a widget.
            """)

    @Option(.app, "The app that the devices run.", name: "app id") var app = "com.example.weather"
    @Option(.fleet, "Number of devices.") var devices = 60
    @Option(.history, "Days of history, ending now.") var days = 14
    @Option(.seed, "The seed for random numbers; it chooses the fleet.") var seed: UInt64 = 1

    @Option(help: ArgumentHelp("When the history ends; now by default.", valueName: "RFC 3339 time"))
    var end: Timestamp?

    @Option(
        .reinstalls, "Reinstalls per device and month, the same for all; by default a few owners reinstall often.",
        name: "number")
    var reinstalls: Double?

    @Option(.share, "The share of devices that run Android.", name: "share") var android = 0.15

    @Option(
        help: ArgumentHelp(
            "iOS versions, separated by commas, that list a deleted app's widgets until the device boots; or none.",
            valueName: "versions"))
    var ghosts = VersionList(versions: Quirks().ghosts.intersection(OperatingSystem.ofFleets))

    @Option(.fleetKind, "A kind that the app's last release drops.", name: "kind") var drop: String?
    @Option(
        .share, "The share of devices updating to that release that lose the kind; all by default.",
        name: "share")
    var dropShare: Double?

    @Flag(
        help: """
            Release in steps, one a day, to 1, 2, 5, 10, 20, 50 and 100% of devices, instead of to all at once.
            """)
    var phased = false

    @Option(.age, "How many days before the end the last release came out.", name: "days") var released = 3

    @Option(
        help: ArgumentHelp(
            "When the app sends the changes it computed from two lists: never, or 150 ms before or after the report.",
            valueName: "when"))
    var differences = Differences.after

    @Option(.share, "The share of devices whose events name no family and, on Android, no instance.", name: "share")
    var unnamed = 0.0

    @Option(
        .share, "The probability that an owner taps a real widget on a given day, which opens the app.",
        name: "share")
    var taps = 0.12

    @Option(.path, "Write batches for `import` to this file; - for standard output.", name: "file") var output: String?
    @Option(.server, "Post batches to this server instead.", name: "url") var to: URL?
    @Option(.path, "Write the truth to this file; next to --output by default.", name: "file") var truth: String?

    @Option(
        help: ArgumentHelp(
            "The time zone of the truth's days, the same as the app's: UTC or an IANA name such as Europe/Prague.",
            valueName: "zone"))
    var zone = ReportingZone.utc

    func validate() throws {
        guard (output == nil) != (to == nil) else { throw ValidationError("give either --output or --to") }
        guard dropShare == nil || drop != nil else { throw ValidationError("--drop-share needs --drop") }
        if let unknown = ghosts.versions.subtracting(OperatingSystem.ofFleets).first {
            let known = VersionList(versions: Set(OperatingSystem.ofFleets))
            throw ValidationError("--ghosts: no phone of the fleet runs iOS \(unknown), only \(known)")
        }
    }

    func run() async throws {
        let fleet = WeatherFleet(
            WeatherFleet.Plan(
                appID: app, devices: devices, days: days, seed: seed, end: end ?? .now, reinstallsAMonth: reinstalls,
                androidShare: android, quirks: Quirks(ghosts: ghosts.versions), droppedKind: drop,
                dropShare: dropShare ?? 1,
                releases: WeatherFleet.Releases(age: .days(Int64(released)), isPhased: phased),
                differences: differences,
                unnamedShare: unnamed, tapsADay: taps, zone: zone))
        // Opened before hours of work, so that a file that can't be written is an error at once.
        let truthPath = truth ?? Simulate.truthPath(beside: output)
        let truthFile = try truthPath.map { try Simulate.file(at: $0) }
        var table = TruthTable(fleet.plan)
        if let output { try write(fleet, to: output, truth: &table) }
        var refused = false
        if let to { refused = try await post(fleet, to: to, truth: &table) }
        if let truthFile, let truthPath {
            try truthFile.write(contentsOf: Data(table.csv.utf8))
            Terminal.say("wrote the truth to \(truthPath)")
        }
        if refused { throw ExitCode(ExitStatus.no.rawValue) }
    }

    /// `fleet.ndjson` → `fleet.truth.csv`; nil if the batches don't go to a file.
    static func truthPath(beside output: String?) -> String? {
        guard let output, output != "-", !output.hasPrefix("/dev/") else { return nil }
        let name = output.hasSuffix(".ndjson") ? String(output.dropLast(".ndjson".count)) : output
        return name + ".truth.csv"
    }

    private static func file(at path: String) throws -> FileHandle {
        // FileManager.createFile would replace whatever is at the path with a new file, even /dev/null.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw UsageError("\(path) cannot be written") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Writes device by device, because a fleet can be larger than memory and `import` accepts batches in any order.
    private func write(_ fleet: WeatherFleet, to path: String, truth table: inout TruthTable) throws {
        let file = path == "-" ? nil : try Simulate.file(at: path)
        let hand = { (bytes: [UInt8]) in
            if let file { try file.write(contentsOf: Data(bytes)) } else { AnswerStream.shared.write(bytes) }
        }
        var progress = SimulationProgress(total: devices, unit: "devices")
        var buffer: [UInt8] = []
        for index in 0..<devices {
            let story = fleet.story(ofDevice: index)
            for delivery in story.deliveries { delivery.appendLine(to: &buffer) }
            for truth in story.truths.values { table.add(truth) }
            progress.advance(events: story.events, batches: story.deliveries.count)
            if buffer.count > 1 << 20 {
                try hand(buffer)
                buffer.removeAll(keepingCapacity: true)
                // The reader has left, as `head` does, or the disk is full. exit(with:) reports it.
                if path == "-", AnswerStream.shared.failure != nil { return }
            }
        }
        try hand(buffer)
        Terminal.endProgress()
        if path != "-" {
            let written = "\(progress.batches.counted("batch")) with \(progress.events.counted("event"))"
            Terminal.say("wrote \(written) to \(path)")
        }
    }

    /// - Returns: whether any batch was refused.
    private func post(_ fleet: WeatherFleet, to server: URL, truth table: inout TruthTable) async throws -> Bool {
        guard let key = readLine()?.filter({ !$0.isWhitespace }), !key.isEmpty else {
            throw UsageError("give a write key on standard input")
        }
        if truth != nil {
            for index in 0..<devices {
                for truth in fleet.story(ofDevice: index).truths.values { table.add(truth) }
            }
        }
        let deliveries = fleet.deliveries()
        var progress = SimulationProgress(total: deliveries.count, unit: "batches")
        var answers: [Int: Int] = [:]
        var problem: String?
        try await ServiceClient.with(server, key: key) { client in
            for delivery in deliveries {
                let answer = try await client.post("/v1/events", delivery.body)
                answers[answer.status, default: 0] += 1
                problem = problem ?? answer.problem
                progress.advance(batches: 1)
            }
        }
        Terminal.endProgress()
        let counts = answers.sorted { $0.key < $1.key }.map { "\($0.value) answered \($0.key)" }
        print("posted \(deliveries.count.counted("batch")): " + counts.joined(separator: ", "))
        if let problem { Terminal.say("the first that was not accepted: \(problem)") }
        return answers.keys.contains { $0 != 202 }
    }
}

// Values that a fleet's options accept.

extension Accepted<Int> {
    fileprivate static let fleet = whole(1...10_000_000, of: "devices")
    fileprivate static let history = whole(1...3_650, of: "days")
    fileprivate static let age = whole(0...3_650, of: "days")
}

extension Accepted<UInt64> {
    fileprivate static let seed = whole(0 ... .max)
}

extension Accepted<Double> {
    fileprivate static let reinstalls = number(0...30, "a number per month", "0 to 30")
}

extension Accepted<String> {
    fileprivate static let fleetKind = Accepted(
        "one of the app's kinds: \(WeatherFleet.kinds.joined(separator: ", "))"
    ) {
        kind in
        WeatherFleet.kinds.contains(where: kind.hasBytes) ? kind : nil
    }
}
