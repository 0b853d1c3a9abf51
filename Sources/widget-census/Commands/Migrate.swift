internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Logging
internal import Nightly

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database's schema to what this program knows.",
        examples: [
            "DATABASE_URL=postgresql://owner@db/census widget-census migrate",
            "DATABASE_URL=postgresql://owner@db/census widget-census migrate --distributed",
        ],
        discussion: """
            Safe to run twice and by several processes at once. The private PostgreSQL is migrated without asking.

            With --distributed the tables of devices are distributed over the workers of a Citus cluster, with what they
            hold: see docs/guides/scale.md. Stop the services first. There is no way back but a dump.
            """)

    @OptionGroup var common: CommonOptions

    @Flag(help: "Distribute the tables of devices over the workers of a Citus cluster.")
    var distributed = false

    func run() async throws {
        let settings = try common.settings()
        await Interruption.shared.watch()
        let logger = settings.logger(default: .notice)
        try await Census.with(settings, logger: logger, migrates: true, onCluster: distributed) { census in
            try await census.warnOfUnsafeSettings()
            let tables = distributed ? try await Migrator(store: census.store, logger: logger).distribute() : nil
            try await PartitionService(store: census.store, logger: logger).keepAll(progress: DayProgress().show)
            Terminal.endProgress()
            print("the schema is at version \(Migrator.currentVersion)")
            if let tables, let spread = try await census.store.deployment.distribution() {
                print(
                    tables.isEmpty
                        ? "all tables of devices were distributed before"
                        : "distributed: \(tables.joined(separator: ", "))")
                print("\(spread.workers.counted("worker")), \(spread.shards.counted("shard"))")
            }
        }
    }
}
