internal import CensusStore
internal import Logging
internal import Spool
internal import Synchronization

/// The spool, and whether it stands in for the store.
///
/// Once the store is found away, no request waits for it: until it answers again, batches go straight to the disk.
final class Failover: Sendable {
    let spool: BatchSpool
    private let metrics: IngestMetrics
    private let logger: Logger
    private let state: Mutex<FailoverState>

    init(spool: BatchSpool, metrics: IngestMetrics, logger: Logger) {
        let held = spool.level.batches
        self.spool = spool
        self.metrics = metrics
        self.logger = logger
        self.state = Mutex(FailoverState(held: held, at: .now))
        reportDamage()
        guard held > 0 else { return }
        logger.notice("the spool holds batches from before", metadata: ["batches": "\(held)"])
    }

    /// Whether the store was away when it was last tried.
    var isOn: Bool { state.withLock { $0.isOn } }

    /// The store was found away.
    func begin(_ error: StoreError) { log(state.withLock { $0.storeWasAway("\(error)", at: .now) }) }

    /// The store has answered.
    func end() { state.withLock { $0.storeAnswered() } }

    /// - Returns: for each batch whether it is on the disk now.
    func keep(_ batches: [BatchRows]) async -> [Bool] {
        let taken: [Bool]
        do throws(SpoolError) {
            taken = try await spool.add(batches)
        } catch {
            metrics.countSpoolFailures(batches.count)
            log(state.withLock { $0.spoolFailed("\(error)") })
            return batches.map { _ in false }
        }
        let count = taken.count { $0 }
        metrics.countSpooled(count)
        metrics.countSpoolFailures(taken.count - count)
        log(state.withLock { $0.spoolTook(count, of: taken.count, limit: spool.level.limit, at: .now) })
        return taken
    }

    func countDrained(_ outcome: AppendOutcome, batches: Int) {
        metrics.countDrained(outcome, batches: batches)
        state.withLock { $0.storeTook(batches) }
    }

    /// The store has all that was spooled, unless more has come, or some was set aside or lost.
    func finish() { log(state.withLock { $0.hasDrained(spool.level, at: .now) }) }

    /// Logs what was damaged in the spool's files, and what became of it.
    func reportDamage() {
        for damage in spool.takeDamage() {
            metrics.countSpoolLosses(damage.lost)
            logger.error(
                "the spool's file was damaged: it was put aside, and what could be read in it waits for the store",
                metadata: [
                    "reason": "\(damage.reason)", "file": "\(damage.file)", "brought": "\(damage.brought)",
                    "damaged": "\(damage.damaged)", "missing": "\(damage.missing)",
                ])
        }
    }

    private func log(_ lines: [FailoverState.Line]) {
        for line in lines {
            switch line {
            case .takesOver(let reason):
                logger.notice("the spool takes over from the store", metadata: ["reason": "\(reason)"])
            case .takesNothing(let reason):
                logger.error("the spool's disk accepts nothing: batches get 503", metadata: ["reason": "\(reason)"])
            case .isFull(let limit):
                logger.error(
                    "the spool is full: batches get 503", metadata: ["reason": "its limit is \(limit) bytes"])
            case .hasDrained(let batches, let seconds, 0, 0):
                logger.notice(
                    "the spool has drained: the store has all of it",
                    metadata: ["batches": "\(batches)", "seconds": "\(seconds)"])
            case .hasDrained(let batches, let seconds, let setAside, let lost):
                var metadata: Logger.Metadata = ["batches": "\(batches)", "seconds": "\(seconds)"]
                if setAside > 0 { metadata["set_aside"] = "\(setAside)" }
                if lost > 0 { metadata["lost"] = "\(lost)" }
                logger.warning(
                    "the spool has drained, but for batches that are set aside or lost: the store does not have those",
                    metadata: metadata)
            }
        }
    }
}
