internal import ArgumentParser
internal import CensusStore
internal import Logging
internal import Nightly

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the database's schema to what this program knows.",
        examples: ["DATABASE_URL=postgresql://owner@db/census widget-census migrate"],
        discussion: """
            Safe to run twice and by several processes at once. The private PostgreSQL is migrated without asking.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let settings = try common.settings()
        await Interruption.shared.watch()
        let logger = settings.logger(default: .notice)
        try await Census.with(settings, logger: logger, migrates: true) { census in
            try await census.warnOfUnsafeSettings()
            try await PartitionService(store: census.store, logger: logger).keepAll()
            print("the schema is at version \(Migrator.currentVersion)")
        }
    }
}
