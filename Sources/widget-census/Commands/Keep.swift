internal import ArgumentParser
internal import CensusStore

struct Keep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show or change for how long observations are kept.",
        discussion: """
            EXAMPLES
              widget-census keep             for how long, and from which day on there are any
              widget-census keep --days 30   the next night drops what is older; restart running services

            What is dropped was counted, and stays so: reports go back as far as days were closed. An event older than this
            is refused as too_old.
            """)

    @OptionGroup var common: CommonOptions

    @Option(help: "Days for which observations are kept (1 to 3650; 90 at first).")
    var days: Int?

    func run() async throws {
        let (retention, partitions) = try await common.census { census in
            if let days { try await census.store.setRetention(days: days) }
            return (try await census.store.retention(), try await census.store.partitions())
        }
        print("observations are kept for \(retention.days) days")
        print(retention.keptFrom.map { "every one since \($0)" } ?? "none was dropped yet")
        if let last = partitions.last { print("\(partitions.count) partitions, through \(last)") }
    }
}
