internal import ArgumentParser
internal import CensusCore
internal import CensusStore

struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell one device's history: what was heard, what it changed, and by which rule.",
        discussion: """
            EXAMPLES
              widget-census explain --app com.example.weather --device 6F1D2C9A-53B1-4E0F-9C7E-0D6A8F1B2C3D
              widget-census explain --app com.example.weather --pseudonym 0e2f5c7a-8d1b-4f60-a3c9-5b7e9d1f2a4c
              widget-census explain --app com.example.weather --device - --format json < id.txt

            \(DeviceOptions.discussion) Every committed event counts, reconciled or not.

            certain and possible are written before→after. The rules are told in docs/reconciliation.md.
            """)

    @OptionGroup var common: CommonOptions

    @OptionGroup var device: DeviceOptions

    @Option(help: "table or json.")
    var format: ExplanationFormat = .table

    func run() async throws {
        let explanation = try await common.census(onlyReads: true) { census in
            let app = try await census.store.apps.app(device.app)
            let name = try device.name(of: app, in: census)
            let observations = try await census.store.devices.observations(of: name)
            let base = try await census.store.devices.base(of: name, fold: app.fold)
            guard base != nil || !observations.isEmpty else {
                throw UsageError(
                    "nothing was heard of that device under \(app.id). Is it the id as the app sends it, and "
                        + "CENSUS_SECRET the one under which it was hashed?")
            }
            return app.fold.explain(
                observations, onto: base?.state ?? DeviceState(), foldedThrough: base?.foldedThrough)
        }
        switch format {
        case .table: Terminal.write(ExplanationTable(explanation).text(width: Terminal.width))
        case .json: Terminal.write(try ExplanationRecord(explanation).json() + "\n")
        }
    }
}

enum ExplanationFormat: String, CaseIterable, ExpressibleByArgument {
    case table, json
}
