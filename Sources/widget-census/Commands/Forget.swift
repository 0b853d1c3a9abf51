internal import ArgumentParser
internal import CensusCore
internal import CensusStore

struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Erase a device: delete its events and state, and drop whatever it still sends.",
        examples: [
            "widget-census forget --app com.example.weather --device 6F1D2C9A-53B1-4E0F",
            "widget-census forget --app com.example.weather --device - < id.txt",
            "widget-census forget --app com.example.weather \\\n"
                + "  --pseudonym 0e2f5c7a-8d1b-4f60-a3c9-5b7e9d1f2a4c",
        ],
        discussion: """
            \(DeviceOptions.discussion) An erasure can't be undone.

            Past days keep their counts, which identify nobody; from today on there is one device less. A silent holder leaves
            its count only when its year of silence ends. A hash of the pseudonym is kept until the retention ends, so that
            late events are accepted and dropped. Until then, the device's events in spools and in imported files are dropped,
            too. You must clear backups and files for `import` yourself.
            """)

    @OptionGroup var common: CommonOptions

    @OptionGroup var device: DeviceOptions

    func run() async throws {
        let erasure = try await common.census { census in
            let app = try await census.store.apps.app(device.app)
            return try await census.store.forgetting.forget(try await device.name(of: app, in: census), of: app)
        }
        guard erasure.wasCounted || erasure.events > 0 else {
            print("nothing is stored about that device; check its id. Events with it are dropped from now on")
            return
        }
        print("erased, with \(erasure.events.counted("event"))")
    }
}
