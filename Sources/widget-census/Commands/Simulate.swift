internal import ArgumentParser
internal import CensusCore
internal import FleetSimulator
internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A fleet of devices that reports as real ones do, to a file or to a server.",
        discussion: """
            EXAMPLES
              widget-census simulate --output fleet.ndjson          then: widget-census import fleet.ndjson
              widget-census simulate --devices 500 --days 30 --seed 7 --output -
              widget-census simulate --days 1 --to http://127.0.0.1:8080 < write.key

            The same seed and end give the same fleet. With --to the key is read from standard input.
            """)

    @Option(help: ArgumentHelp("The app that the devices run.", valueName: "app id"))
    var app = "com.example.weather"

    @Option(help: "Devices.") var devices = 60
    @Option(help: "Days of history, up to now.") var days = 14
    @Option(help: "Chooses the fleet.") var seed: UInt64 = 1

    @Option(help: ArgumentHelp("When the history ends; now by default.", valueName: "RFC 3339 time"))
    var end: Timestamp?

    @Option(help: ArgumentHelp("Write batches for `import`; - for standard output.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Post to a server instead.", valueName: "url"))
    var to: String?

    func validate() throws {
        guard (output == nil) != (to == nil) else { throw ValidationError("give either --output or --to") }
        guard devices >= 1, days >= 1 else { throw ValidationError("--devices and --days are at least 1") }
    }

    func run() async throws {
        let fleet = Fleet(
            Fleet.Plan(appID: app, devices: devices, days: days, seed: seed, end: end ?? .now))
        let deliveries = fleet.deliveries()
        if let output { try write(deliveries, to: output) }
        if let to { try await post(deliveries, to: to) }
    }

    private func write(_ deliveries: [Delivery], to path: String) throws {
        var handle = FileHandle.standardOutput
        if path != "-" {
            guard FileManager.default.createFile(atPath: path, contents: nil),
                let file = FileHandle(forWritingAtPath: path)
            else { throw UsageError("\(path) cannot be written") }
            handle = file
        }
        for delivery in deliveries { try handle.write(contentsOf: Data(delivery.ndjsonLine)) }
        if path != "-" { Terminal.say("\(deliveries.count) batches in \(path)") }
    }

    private func post(_ deliveries: [Delivery], to address: String) async throws {
        guard let url = URL(string: address)?.appendingPathComponent("v1/events") else {
            throw UsageError("\(address) is no URL")
        }
        guard let key = readLine()?.filter({ !$0.isWhitespace }), !key.isEmpty else {
            throw UsageError("give a write key on standard input")
        }
        var answers: [Int: Int] = [:]
        for (position, delivery) in deliveries.enumerated() {
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBody = Data(delivery.body)
            request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            let (_, response) = try await URLSession.shared.data(for: request)
            answers[(response as? HTTPURLResponse)?.statusCode ?? 0, default: 0] += 1
            Terminal.progress("posted \(position + 1) of \(deliveries.count)")
        }
        Terminal.endProgress()
        let counts = answers.sorted { $0.key < $1.key }.map { "\($0.value) answered \($0.key)" }
        print("posted \(deliveries.count) batches: " + counts.joined(separator: ", "))
        if answers.keys.contains(where: { $0 != 202 }) { throw ExitCode(ExitStatus.no.rawValue) }
    }
}
