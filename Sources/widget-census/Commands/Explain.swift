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

            --device is the id as the app sends it (- reads it from standard input: it stays out of the shell's history);
            --pseudonym is what the tables call the device. Every committed event counts, reconciled or not.

            certain and possible are written before→after. The rules are told in docs/reconciliation.md.
            """)

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("The app.", valueName: "app id"))
    var app: String

    @Option(help: ArgumentHelp("The device's id as sent; - reads it from standard input.", valueName: "id"))
    var device: String?

    @Option(help: ArgumentHelp("The device's id in the tables.", valueName: "uuid"))
    var pseudonym: Pseudonym?

    @Option(help: "table or json.")
    var format: ExplanationFormat = .table

    func validate() throws {
        guard (device == nil) != (pseudonym == nil) else { throw ValidationError("give --device or --pseudonym") }
    }

    func run() async throws {
        let explanation = try await common.census(onlyReads: true) { census in
            let app = try await census.store.apps.app(app)
            let name: Pseudonym
            if let pseudonym {
                name = pseudonym
            } else {
                let id = device == "-" ? (readLine() ?? "").filter { !$0.isWhitespace } : device ?? ""
                name = try census.requireSecret().device(id, app: app.id)
            }
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
        case .table: print(ExplanationTable(explanation).text(width: Terminal.width), terminator: "")
        case .json: print(try ExplanationRecord(explanation).json())
        }
    }
}

enum ExplanationFormat: String, CaseIterable, ExpressibleByArgument {
    case table, json
}
