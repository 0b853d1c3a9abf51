internal import CensusStore
internal import Logging
internal import Spool
internal import Synchronization

/// The spool, and whether batches go to it instead of the store.
///
/// Once the store is found unavailable, no request waits for it: batches go straight to the disk until it answers again.
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
        logger.notice("the spool has batches from an earlier run", metadata: ["batches": "\(held)"])
    }

    /// Whether the store was unavailable at the last try.
    var isOn: Bool { state.withLock { $0.isOn } }

    /// The store was found unavailable.
    func begin(_ error: StoreError) { log(state.withLock { $0.storeWasAway("\(error)", at: .now) }) }

    /// The store has answered.
    func end() { state.withLock { $0.storeAnswered() } }

    /// - Returns: for each batch, whether it is on the disk now.
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

    /// The drainer has nothing left to deliver.
    func finish() { log(state.withLock { $0.hasDrained(spool.level, at: .now) }) }

    /// Logs and counts damage to the spool's files.
    func reportDamage() {
        for damage in spool.takeDamage() {
            metrics.countSpoolLosses(damage.lost)
            logger.error(
                "the spool's file was damaged and moved aside; the batches that could be read wait for the store",
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
                logger.error(
                    "the spool's disk accepts no writes, so batches get 503", metadata: ["reason": "\(reason)"])
            case .isFull(let limit):
                logger.error(
                    "the spool is full, so batches get 503", metadata: ["reason": "its limit is \(limit) bytes"])
            case .hasDrained(let batches, let seconds, 0, 0):
                logger.notice(
                    "the spool has drained: the store has every batch",
                    metadata: ["batches": "\(batches)", "seconds": "\(seconds)"])
            case .hasDrained(let batches, let seconds, let setAside, let lost):
                var metadata: Logger.Metadata = ["batches": "\(batches)", "seconds": "\(seconds)"]
                if setAside > 0 { metadata["set_aside"] = "\(setAside)" }
                if lost > 0 { metadata["lost"] = "\(lost)" }
                logger.warning(
                    "the spool has drained, except for batches that are set aside or lost; the store doesn't have those",
                    metadata: metadata)
            }
        }
    }
}
