internal import ArgumentParser
internal import CensusCore
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
        let onlyReads = days == nil && !drop
        let (retention, partitions, expired, kept) = try await common.census(onlyReads: onlyReads) { census in
            if let days {
                let before = try await census.store.upkeep.retention()
                try await census.store.upkeep.setRetention(days: days)
                if drop, days < before.days {
                    Terminal.say("waiting \(Retention.known.inWords), until running services take nothing older")
                    try await Task.sleep(for: Retention.known)
                }
            }
            var kept = RetentionSweep.Kept()
            var sweep = RetentionSweep(store: census.store, logger: census.logger)
            if drop {
                // People who ask for room should not wait for every device to have its turn.
                sweep.turns = 1
                let empty = try await sweep.dropEmpty()
                kept = try await sweep.keep()
                kept.dropped += empty.dropped
            }
            let upkeep = census.store.upkeep
            return (try await upkeep.retention(), try await upkeep.partitions(), try await sweep.expired(), kept)
        }
        if days != nil { Terminal.say("running services follow it within seconds") }
        print("observations are kept for \(retention.days.counted("day"))")
        print(retention.keptFrom.map { "every one since \($0)" } ?? "none was dropped yet")
        if let last = partitions.last { print("\(partitions.count) partitions, through \(last)") }
        if let first = expired.first, let last = expired.last {
            print(
                "\(expired.count) of them, \(first) to \(last), are older: the next nights drop them, or `keep --drop`")
        }
        if drop { print("\(kept.dropped) partitions were dropped") }
        if kept.putOff > 0 {
            print(
                "\(kept.putOff) were not, since somebody, a backup perhaps, holds census.observation: try again later")
        }
    }
}
