internal import ArgumentParser
internal import CensusCore
internal import CensusStore

struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forget a device: delete its events and its state, and drop what still comes of it.",
        discussion: """
            EXAMPLES
              widget-census forget --app com.example.weather --device 6F1D2C9A-53B1-4E0F-9C7E-0D6A8F1B2C3D
              widget-census forget --app com.example.weather --pseudonym 0e2f5c7a-8d1b-4f60-a3c9-5b7e9d1f2a4c
              widget-census forget --app com.example.weather --device - < id.txt

            --device is the id as the app sends it (- reads it from standard input: it stays out of the shell's history);
            --pseudonym is what the tables call the device. There is no way back.

            Days that are over stay as they were counted, without identity; from today on it is one device less. A hash of
            the pseudonym stays until the retention ends, so that events that come late are accepted and dropped. Backups,
            and files for `import`, are yours to clear: what is imported of the device is dropped for so long, too; so is what
            nodes hold in their spools, as it drains.
            """)

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("The app.", valueName: "app id"))
    var app: String

    @Option(help: ArgumentHelp("The device's id as sent; - reads it from standard input.", valueName: "id"))
    var device: String?

    @Option(help: ArgumentHelp("The device's id in the tables.", valueName: "uuid"))
    var pseudonym: Pseudonym?

    func validate() throws {
        guard (device == nil) != (pseudonym == nil) else { throw ValidationError("give --device or --pseudonym") }
        if device?.isEmpty == true { throw ValidationError("--device is empty") }
    }

    func run() async throws {
        let erasure = try await common.census { census in
            let app = try await census.store.apps.app(app)
            let name: Pseudonym
            if let pseudonym {
                name = pseudonym
            } else {
                let id = device == "-" ? readLine() ?? "" : device ?? ""
                guard !id.isEmpty else { throw UsageError("no device was named on standard input") }
                // The door takes no such id, so nothing could be forgotten by it.
                if let fault = RawID.fault(of: id) { throw UsageError("the device's id \(fault)") }
                name = try census.requireSecret().device(id, app: app.id)
            }
            return try await census.store.forgetting.forget(name, of: app)
        }
        guard erasure.wasCounted || erasure.events > 0 else {
            print("nothing was known of that device; what still comes of it will be dropped")
            return
        }
        print("forgotten, with \(erasure.events.grouped) events")
    }
}
