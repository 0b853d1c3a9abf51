internal import ArgumentParser
internal import CensusStore
internal import IngestServer
internal import Nightly

struct Keep: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep",
        abstract: "Show or change how long observations are kept.",
        examples: [
            "widget-census keep                  # for how long, and since when",
            "widget-census keep --days 30        # nights drop what is older",
            "widget-census keep --days 30 --drop # drops what was reconciled at once",
        ],
        discussion: """
            What is dropped was counted, and stays counted: reports go back as far as days were closed. An event older than this
            is refused as too_old, by running services within seconds. Each night folds a seventh of the devices, so a day goes
            up to six nights later; --drop folds all devices now. What was dropped does not come back when days are
            kept for longer. Days take locks: how many there may be depends on PostgreSQL's max_locks_per_transaction, and on
            that of the workers of a cluster.
            """)

    @OptionGroup var common: CommonOptions

    @Option(.retention, "Days for which observations are kept, 90 at first.") var days: Int?

    @Flag(help: "Drop what is older now.")
    var drop = false

    func run() async throws {
        let (retention, partitions, kept) = try await common.census(onlyReads: days == nil && !drop) { census in
            if let days {
                let before = try await census.store.upkeep.retention()
                try await census.store.upkeep.setRetention(days: days)
                if drop, days < before.days {
                    Terminal.say("waiting \(Retention.known.inWords), until running services take nothing older")
                    try await Task.sleep(for: Retention.known)
                }
            }
            var kept = RetentionSweep.Kept()
            if drop {
                var sweep = RetentionSweep(store: census.store, logger: census.logger)
                // People who ask for room should not wait for every device to have its turn.
                sweep.turns = 1
                let empty = try await sweep.dropEmpty()
                kept = try await sweep.keep()
                kept.dropped += empty.dropped
            }
            return (try await census.store.upkeep.retention(), try await census.store.upkeep.partitions(), kept)
        }
        if days != nil { Terminal.say("running services follow it within seconds") }
        print("observations are kept for \(retention.days) days")
        print(retention.keptFrom.map { "every one since \($0)" } ?? "none was dropped yet")
        if let last = partitions.last { print("\(partitions.count) partitions, through \(last)") }
        if drop { print("\(kept.dropped) partitions were dropped") }
        if kept.putOff > 0 {
            print(
                "\(kept.putOff) were not, since somebody, a backup perhaps, holds census.observation: try again later")
        }
    }
}
