internal import CensusStore
internal import Logging
internal import Spool
internal import Synchronization

/// The spool, and whether it stands in for the store.
///
/// Once the store was found away nobody waits for it: until it answers again batches go to the disk at once.
final class Takeover: Sendable {
    private enum Complaint: Hashable {
        case full
        case failing
    }

    private struct State {
        var isOn = false
        /// When it took over; nil once the store has had all of it.
        var since: ContinuousClock.Instant?
        var drained = 0
        /// What was logged of this spell.
        var complaints: Set<Complaint> = []
    }

    let spool: ParcelSpool
    private let metrics: DoorMetrics
    private let logger: Logger
    private let state = Mutex(State())

    init(spool: ParcelSpool, metrics: DoorMetrics, logger: Logger) {
        self.spool = spool
        self.metrics = metrics
        self.logger = logger
        tellMendings()
        let held = spool.level.batches
        guard held > 0 else { return }
        state.withLock { $0.since = .now }
        logger.notice("the spool holds batches from before", metadata: ["batches": "\(held)"])
    }

    /// Whether the store was away when somebody last tried it.
    var isOn: Bool { state.withLock { $0.isOn } }

    /// The store was found away.
    func begin(_ error: StoreError) {
        state.withLock { $0.isOn = true }
        announce("\(error)")
    }

    /// The store has answered.
    func end() { state.withLock { $0.isOn = false } }

    /// - Returns: for each parcel whether it is on the disk now.
    func keep(_ parcels: [Parcel]) async -> [Bool] {
        let taken: [Bool]
        do throws(SpoolError) {
            taken = try await spool.add(parcels)
        } catch {
            metrics.countSpoolFailures(parcels.count)
            complain(.failing, "the spool's disk takes nothing: batches get 503", "\(error)")
            return parcels.map { _ in false }
        }
        let count = taken.count { $0 }
        metrics.countSpooled(count)
        metrics.countSpoolFailures(taken.count - count)
        if count > 0 { announce("requests waited too long for their turn") }
        if count < taken.count {
            complain(.full, "the spool is full: batches get 503", "its limit is \(spool.level.limit) bytes")
        } else {
            state.withLock { _ = $0.complaints.remove(.failing) }
        }
        return taken
    }

    func countDrained(_ outcome: AppendOutcome, batches: Int) {
        metrics.countDrained(outcome, batches: batches)
        state.withLock { $0.drained += batches }
    }

    /// Says what was damaged in the spool's files, and what became of it.
    func tellMendings() {
        for mending in spool.takeMendings() {
            metrics.countSpoolLosses(mending.lost)
            let metadata: Logger.Metadata = [
                "reason": "\(mending.reason)", "file": "\(mending.file)", "brought": "\(mending.brought)",
                "damaged": "\(mending.damaged)", "missing": "\(mending.missing)",
            ]
            if mending.isTornLog, mending.lost == 0 {
                // A power cut does that to what nobody was told was kept.
                logger.notice(
                    "the spool's log was cut off; what could be read in it waits for the store", metadata: metadata)
            } else {
                logger.error(
                    "the spool's file was damaged: it was put aside, and what could be read in it waits for the store",
                    metadata: metadata)
            }
        }
    }

    /// The store has all that was spooled, unless something came meanwhile, was set aside or is lost.
    func finish() {
        guard !isOn, spool.level.batches == 0 else { return }
        let spell = state.withLock { state in
            defer {
                state.since = nil
                state.drained = 0
                state.complaints = []
            }
            return state.since.map { (since: $0, drained: state.drained) }
        }
        guard let spell else { return }
        let seconds = (ContinuousClock.now - spell.since).components.seconds
        var metadata: Logger.Metadata = ["batches": "\(spell.drained)", "seconds": "\(seconds)"]
        let level = spool.level
        guard level.setAside > 0 || level.lost > 0 else {
            logger.notice("the spool has drained: the store has all of it", metadata: metadata)
            return
        }
        if level.setAside > 0 { metadata["set_aside"] = "\(level.setAside)" }
        if level.lost > 0 { metadata["lost"] = "\(level.lost)" }
        logger.warning(
            "the spool has drained, but for batches that are set aside or lost: the store does not have those",
            metadata: metadata)
    }

    private func announce(_ reason: String) {
        let begins = state.withLock { state in
            defer { state.since = state.since ?? .now }
            return state.since == nil
        }
        guard begins else { return }
        logger.notice("the spool takes over from the store", metadata: ["reason": "\(reason)"])
    }

    /// Once a spell, however many are turned away.
    private func complain(_ complaint: Complaint, _ message: Logger.Message, _ reason: String) {
        guard state.withLock({ $0.complaints.insert(complaint).inserted }) else { return }
        logger.error(message, metadata: ["reason": "\(reason)"])
    }
}
