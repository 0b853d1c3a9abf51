internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Logging
internal import Nightly

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Upgrade the database's schema to this program's version.",
        examples: [
            "DATABASE_URL=postgresql://owner@db/census widget-census migrate",
            "DATABASE_URL=postgresql://owner@db/census widget-census migrate --distributed",
        ],
        discussion: """
            It is safe to run it twice, and from several processes at once. A private PostgreSQL is migrated automatically.

            --distributed distributes the device tables, with their rows, over the workers of a Citus cluster
            (docs/guides/scale.md). Stop the services first. The only way back is a dump.
            """)

    @OptionGroup var common: CommonOptions

    @Flag(help: "Distribute the device tables over the workers of a Citus cluster.")
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
                        ? "all device tables were already distributed"
                        : "distributed: \(tables.joined(separator: ", "))")
                print("\(spread.workers.counted("worker")), \(spread.shards.counted("shard"))")
            }
        }
    }
}
