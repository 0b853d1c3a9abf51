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
            "widget-census keep                  # show how long, and since when",
            "widget-census keep --days 30        # let nights drop older ones",
            "widget-census keep --days 30 --drop # drop older ones now",
        ],
        discussion: """
            Dropped observations have been counted and stay counted: reports go back to the first closed day. Running
            services refuse older events as too_old within seconds.

            Each night folds a seventh of the devices, so a day is dropped up to six nights later; --drop folds all devices and
            drops now. Only reconciled observations are dropped. Keeping days for longer does not bring dropped ones back.

            Each day is a partition and takes a lock, so the number of days that you can keep depends on PostgreSQL's
            max_locks_per_transaction, and on that of a cluster's workers.
            """)

    @OptionGroup var common: CommonOptions

    @Option(.retention, "Days for which to keep observations; 90 unless set.") var days: Int?

    @Flag(help: "Drop older observations now.")
    var drop = false

    func run() async throws {
        let onlyReads = days == nil && !drop
        let (retention, partitions, expired, kept) = try await common.census(onlyReads: onlyReads) { census in
            if let days {
                let before = try await census.store.upkeep.retention()
                try await census.store.upkeep.setRetention(days: days)
                if drop, days < before.days {
                    Terminal.say("waiting \(Retention.known.inWords) until running services refuse older events")
                    try await Task.sleep(for: Retention.known)
                }
            }
            var kept = RetentionSweep.Kept()
            var sweep = RetentionSweep(store: census.store, logger: census.logger)
            if drop {
                // Somebody who needs disk space now shouldn't wait until each device's turn comes.
                sweep.turns = 1
                let empty = try await sweep.dropEmpty()
                kept = try await sweep.keep()
                kept.dropped += empty.dropped
            }
            let upkeep = census.store.upkeep
            return (try await upkeep.retention(), try await upkeep.partitions(), try await sweep.expired(), kept)
        }
        if days != nil { Terminal.say("running services apply it within seconds") }
        print("observations are kept for \(retention.days.counted("day"))")
        print(retention.keptFrom.map { "all since \($0) are there" } ?? "none were dropped yet")
        if let last = partitions.last { print("\(partitions.count) partitions, through \(last)") }
        if let first = expired.first, let last = expired.last {
            print(
                "\(expired.count) of them, \(first) to \(last), are older: "
                    + "the next nights or `keep --drop` will drop them")
        }
        if drop { print("\(kept.dropped) partitions were dropped") }
        if kept.putOff > 0 {
            print(
                "\(kept.putOff) were not, because another session, such as a backup, has locked census.observation: "
                    + "try again later")
        }
    }
}
