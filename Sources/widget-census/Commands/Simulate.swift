internal import ArgumentParser
internal import CensusCore
internal import FleetSimulator
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A fleet of devices with known truth that reports as real ones do.",
        discussion: """
            EXAMPLES
              widget-census simulate --output fleet.ndjson
              widget-census import fleet.ndjson
              widget-census simulate --devices 20000 --days 60 --output fleet.ndjson
              widget-census simulate --reinstalls 0.6 --ghosts 14.3,26.1 --output -
              widget-census simulate --differences before --unnamed 0.5 --output -
              widget-census simulate --taps 0.9 --output -
              widget-census simulate --drop com.example.weather.radar --drop-share 0.5 --phased --released 8 --output -
              widget-census simulate --zone Europe/Prague --output fleet.ndjson
              widget-census simulate --days 1 --to http://127.0.0.1:8080 < write.key

            Beside fleet.ndjson stands fleet.truth.csv: on how many devices each kind really was at the end of each day, \
            by what they held at their last report and told of since. Days are UTC's, or those of --zone, which changes \
            nothing else. The same options and --end give the same fleet. With --to the key is read from standard input.

            Apps differ. Where the system tells of no changes (iOS before 26), the app compares lists when it is opened and \
            sends what it takes for installed and removed: --differences says when. With --unnamed 0.5 the events of half \
            the devices leave out family and instance, as the contract allows; reports name all. With --taps 0.9 nearly \
            every owner opens the app by a tap on a widget once a day.
            """)

    @Option(help: ArgumentHelp("The app that the devices run.", valueName: "app id"))
    var app = "com.example.weather"

    @Option(parsing: .unconditional, help: "Devices, at least 1.") var devices = 60
    @Option(parsing: .unconditional, help: "Days of history, up to now, at least 1.") var days = 14
    @Option(parsing: .unconditional, help: "Chooses the fleet: a whole number from 0.") var seed: UInt64 = 1

    @Option(help: ArgumentHelp("When the history ends; now by default.", valueName: "RFC 3339 time"))
    var end: Timestamp?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Reinstalls a device a month, on all devices alike (0 to 30); by default few, and a few owners who often do.",
            valueName: "share"))
    var reinstalls: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Of the devices, those with Android (0 to 1).", valueName: "share"))
    var android = 0.15

    @Option(
        help: ArgumentHelp(
            "Versions of iOS that list a deleted app's widgets until the device boots, by commas; or: none.",
            valueName: "versions"))
    var ghosts = VersionList(versions: Quirks().ghosts.intersection(OperatingSystem.ofFleets))

    @Option(help: ArgumentHelp("A kind that the app's last release takes away.", valueName: "kind"))
    var drop: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Of the devices that update to it, those from which it takes the kind away (0 to 1); by default all.",
            valueName: "share"))
    var dropShare: Double?

    @Flag(
        help: """
            Offer each release to 1, 2, 5, 10, 20, 50 and then all of 100 devices, a step a day, and not to all at once.
            """)
    var phased = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many days before the end the last release came out.", valueName: "days"))
    var released = 3

    @Option(
        help: ArgumentHelp(
            "When the app sends its own differences of lists: never, 150 ms after the report, or 150 ms before it.",
            valueName: "when"))
    var differences = Differences.after

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Of the devices, those whose events name no family and, on Android, no instance (0 to 1).",
            valueName: "share"))
    var unnamed = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How likely an owner taps a widget on a day, one that is really there, which opens the app (0 to 1).",
            valueName: "share"))
    var taps = 0.12

    @Option(help: ArgumentHelp("Write batches for `import`; - for standard output.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Post to a server instead.", valueName: "url"))
    var to: String?

    @Option(help: ArgumentHelp("Write the truth; beside --output by default.", valueName: "file"))
    var truth: String?

    @Option(
        help: ArgumentHelp(
            "By whose days the truth is told: the app's zone, UTC or an IANA name such as Europe/Prague.",
            valueName: "zone"))
    var zone = ReportingZone.utc

    func validate() throws {
        guard (output == nil) != (to == nil) else { throw ValidationError("give either --output or --to") }
        guard devices >= 1, days >= 1 else { throw ValidationError("--devices and --days are at least 1") }
        guard (0...1).contains(android) else { throw ValidationError("--android is a share, from 0 to 1") }
        guard (0...1).contains(dropShare ?? 1) else { throw ValidationError("--drop-share is a share, from 0 to 1") }
        if let drop, !Fleet.kinds.contains(where: drop.hasBytes) {
            throw ValidationError("--drop: the app has no kind \(drop); it has \(Fleet.kinds.joined(separator: ", "))")
        }
        guard dropShare == nil || drop != nil else { throw ValidationError("--drop-share needs --drop") }
        guard released >= 0 else { throw ValidationError("--released is at least 0") }
        guard (0...1).contains(unnamed) else { throw ValidationError("--unnamed is a share, from 0 to 1") }
        guard (0...1).contains(taps) else { throw ValidationError("--taps is a share, from 0 to 1") }
        guard (0...30).contains(reinstalls ?? 0) else { throw ValidationError("--reinstalls is from 0 to 30 a month") }
        if let unknown = ghosts.versions.subtracting(OperatingSystem.ofFleets).first {
            let known = VersionList(versions: Set(OperatingSystem.ofFleets))
            throw ValidationError("--ghosts: no phone of the fleet runs iOS \(unknown); there are \(known)")
        }
    }

    func run() async throws {
        let fleet = Fleet(
            Fleet.Plan(
                appID: app, devices: devices, days: days, seed: seed, end: end ?? .now, reinstallsAMonth: reinstalls,
                androidShare: android, quirks: Quirks(ghosts: ghosts.versions), droppedKind: drop,
                dropShare: dropShare ?? 1,
                releases: Fleet.Releases(age: .days(Int64(released)), isPhased: phased), differences: differences,
                unnamedShare: unnamed, tapsADay: taps, zone: zone))
        // Before hours of work: a file that can't be written shows at once.
        let truthPath = truth ?? Simulate.truthPath(beside: output)
        let truthFile = try truthPath.map { try Simulate.file(at: $0) }
        var table = TruthTable(fleet.plan)
        if let output { try write(fleet, to: output, truth: &table) }
        var refused = false
        if let to { refused = try await post(fleet, to: to, truth: &table) }
        if let truthFile, let truthPath {
            try truthFile.write(contentsOf: Data(table.csv.utf8))
            Terminal.say("the truth in \(truthPath)")
        }
        if refused { throw ExitCode(ExitStatus.no.rawValue) }
    }

    /// `fleet.ndjson` → `fleet.truth.csv`; nil where the batches go to no file.
    static func truthPath(beside output: String?) -> String? {
        guard let output, output != "-", !output.hasPrefix("/dev/") else { return nil }
        let name = output.hasSuffix(".ndjson") ? String(output.dropLast(".ndjson".count)) : output
        return name + ".truth.csv"
    }

    private static func file(at path: String) throws -> FileHandle {
        // Not FileManager's createFile: it replaces what is there by a new file, even /dev/null.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw UsageError("\(path) cannot be written") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Device by device: a fleet may be larger than memory, and `import` takes batches in any order.
    private func write(_ fleet: Fleet, to path: String, truth table: inout TruthTable) throws {
        let file = path == "-" ? FileHandle.standardOutput : try Simulate.file(at: path)
        var progress = SimulationProgress(total: devices, unit: "devices")
        var buffer: [UInt8] = []
        for index in 0..<devices {
            let story = fleet.story(ofDevice: index)
            for delivery in story.deliveries { delivery.appendLine(to: &buffer) }
            for truth in story.truths.values { table.add(truth) }
            progress.advance(events: story.events, batches: story.deliveries.count)
            if buffer.count > 1 << 20 {
                try file.write(contentsOf: Data(buffer))
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try file.write(contentsOf: Data(buffer))
        Terminal.endProgress()
        if path != "-" { Terminal.say("\(progress.batches) batches, \(progress.events) events in \(path)") }
    }

    /// - Returns: whether any batch was refused.
    private func post(_ fleet: Fleet, to address: String, truth table: inout TruthTable) async throws -> Bool {
        guard let url = URL(string: address)?.appendingPathComponent("v1/events") else {
            throw UsageError("\(address) is no URL")
        }
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
        for delivery in deliveries {
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBody = Data(delivery.body)
            request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            let (_, response) = try await URLSession.shared.data(for: request)
            answers[(response as? HTTPURLResponse)?.statusCode ?? 0, default: 0] += 1
            progress.advance(batches: 1)
        }
        Terminal.endProgress()
        let counts = answers.sorted { $0.key < $1.key }.map { "\($0.value) answered \($0.key)" }
        print("posted \(deliveries.count) batches: " + counts.joined(separator: ", "))
        return answers.keys.contains { $0 != 202 }
    }
}
