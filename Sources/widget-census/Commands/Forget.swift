internal import ArgumentParser
internal import CensusCore
internal import CensusStore

struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forget a device: delete its events and its state, and drop what still arrives from it.",
        examples: [
            "widget-census forget --app com.example.weather --device 6F1D2C9A-53B1-4E0F",
            "widget-census forget --app com.example.weather --device - < id.txt",
            "widget-census forget --app com.example.weather \\\n"
                + "  --pseudonym 0e2f5c7a-8d1b-4f60-a3c9-5b7e9d1f2a4c",
        ],
        discussion: """
            \(DeviceOptions.discussion) There is no way back.

            Days that are over stay as they were counted, without identity; from today on it is one device less. A hash of
            the pseudonym stays until the retention ends, so that events that come late are accepted and dropped. Backups,
            and files for `import`, are yours to clear: until then, what is imported of the device is dropped, too; so is
            what nodes hold in their spools, as it drains.
            """)

    @OptionGroup var common: CommonOptions

    @OptionGroup var device: DeviceOptions

    func run() async throws {
        let erasure = try await common.census { census in
            let app = try await census.store.apps.app(device.app)
            return try await census.store.forgetting.forget(try await device.name(of: app, in: census), of: app)
        }
        guard erasure.wasCounted || erasure.events > 0 else {
            print("nothing was known about that device; what still arrives from it will be dropped")
            return
        }
        print("forgotten, with \(erasure.events.counted("event"))")
    }
}
