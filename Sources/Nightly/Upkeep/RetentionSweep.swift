package import CensusCore
package import CensusStore
package import Logging
internal import Synchronization

/// Drops observations that are older than the retention, without losing any device's ability to be counted.
///
/// Before they are dropped they are folded into the device's base, onto which late data of the kept days is folded. One day
/// more is kept than the server accepts, so that an event that was just accepted is never too old. Devices take turns: see
/// ``RetentionPlan``.
package struct RetentionSweep: Sendable {
    /// In how many nights every device has its turn; days are dropped that much later, less one. 1: each sweep folds all devices,
    /// and drops all that is older than the retention.
    package var turns = 7

    /// Devices a step; a step is one transaction, and holds a lock of each device.
    package var stepSize = 1_000

    /// Steps whose devices are looked up together: that takes a plan over all partitions.
    package var stepsAtATime = 10

    /// Sweeps side by side, each over its own part of the devices.
    package var workers = 2

    /// Days folded and dropped together: a statement locks each partition that it reads.
    package var daysAtATime = 60

    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// What a run did.
    package struct Kept: Hashable, Sendable {
        package var dropped = 0
        /// Left for the next run because another session, such as a backup, holds the table.
        package var putOff = 0

        package init(dropped: Int = 0, putOff: Int = 0) {
            self.dropped = dropped
            self.putOff = putOff
        }
    }

    /// Drops expired days that hold nothing, as after a retention was lowered early: they need no fold, and every statement
    /// that reads all partitions locks fewer.
    package func dropEmpty(now: Timestamp = .now) async throws(StoreError) -> Kept {
        guard let (_, days) = try await plan(now: now) else { return Kept() }
        var kept = Kept()
        for day in days {
            switch try await store.upkeep.dropEmptyPartition(day) {
            case .dropped: kept.dropped += 1
            case .holdsMore: break
            case .putOff: return tell(kept, of: days.count)
            }
        }
        return kept
    }

    /// - Parameters:
    ///   - now: the server's clock, which is not trusted unless some device's clock agrees.
    ///   - progress: called after every step with the devices so far.
    package func keep(
        now: Timestamp = .now, progress: @escaping @Sendable (_ devices: Int) -> Void = { _ in }
    ) async throws(StoreError) -> Kept {
        try await finishForgetting()
        try await store.webhooks.sweep()
        guard let (plan, days) = try await plan(now: now) else { return Kept() }
        var (left, end) = try await drop(days[...], by: plan, progress: progress)
        if end == .holdsMore, !plan.isForAll {
            // Something was imported for devices that have had their turn.
            (left, end) = try await drop(left, by: RetentionPlan(all: plan.keptFrom), progress: progress)
        }
        let kept = Kept(dropped: days.count - left.count)
        switch end {
        case .dropped: break
        case .holdsMore:
            // It must be reconciled first.
            let day = left.first.map { "\($0)" } ?? ""
            logger.notice("a day is not reconciled and was not dropped", metadata: ["day": "\(day)"])
            return kept
        case .putOff: return tell(kept, of: days.count)
        }
        try await store.upkeep.sweep(keptFrom: plan.keptFrom)
        if !days.isEmpty {
            logger.info(
                "dropped partitions", metadata: ["count": "\(days.count)", "kept_from": "\(plan.keptFrom)"])
        }
        return kept
    }

    /// Folds what the plan says, and drops days up to the first one that can't be dropped.
    ///
    /// - Returns: the days that are left, and what happened to the first of them.
    private func drop(
        _ days: ArraySlice<Day>, by plan: RetentionPlan, progress: @escaping @Sendable (_ devices: Int) -> Void
    ) async throws(StoreError) -> (left: ArraySlice<Day>, end: PartitionDrop) {
        var left = days
        repeat {
            let next = left.dropFirst(daysAtATime).first
            try await advanceBases(of: plan.ranges, before: next ?? plan.keptFrom, progress: progress)
            while let day = left.first, day != next {
                let end = try await store.upkeep.dropPartition(day, before: next ?? plan.coveredBefore)
                guard end == .dropped else { return (left, end) }
                left.removeFirst()
            }
        } while !left.isEmpty
        return (left, .dropped)
    }

    /// Days that are older than the retention, which the next sweeps drop.
    package func expired(now: Timestamp = .now) async throws(StoreError) -> [Day] {
        let partitions = try await store.upkeep.partitions()
        let keptFrom = try await firstKept(of: partitions, by: try await store.upkeep.retention(), now: now)
        return keptFrom.map { keptFrom in partitions.filter { $0 < keptFrom } } ?? []
    }

    /// What is to be folded, and the days that can be dropped then; nil when there is nothing to do.
    private func plan(now: Timestamp) async throws(StoreError) -> (plan: RetentionPlan, days: [Day])? {
        let retention = try await store.upkeep.retention()
        let partitions = try await store.upkeep.partitions()
        guard let keptFrom = try await firstKept(of: partitions, by: retention, now: now) else { return nil }
        var plan = RetentionPlan(keptFrom: keptFrom, finished: retention.keptFrom, turns: turns)
        var days = partitions.filter { $0 < plan.coveredBefore }
        if days.count > daysAtATime {
            plan = RetentionPlan(all: keptFrom)
            days = partitions.filter { $0 < plan.coveredBefore }
        }
        guard !days.isEmpty || retention.keptFrom.map({ $0 < keptFrom }) ?? true else { return nil }
        return (plan, days)
    }

    private func tell(_ kept: Kept, of expired: Int) -> Kept {
        var kept = kept
        kept.putOff = expired - kept.dropped
        logger.notice(
            "days could not be dropped while somebody holds the table, as a backup does; the next night does it",
            metadata: ["days": "\(kept.putOff)"])
        return kept
    }

    /// A process that was forgetting a device may have been killed before it was done.
    private func finishForgetting() async throws(StoreError) {
        let finished = try await store.forgetting.finish()
        if finished.done > 0 {
            logger.notice("devices were finally forgotten", metadata: ["devices": "\(finished.done)"])
        }
        if finished.left > 0 {
            let reason = finished.failure.map { "\($0)" } ?? "somebody has been storing events for too long"
            logger.warning(
                "devices are not forgotten yet; the next night tries again",
                metadata: ["devices": "\(finished.left)", "reason": "\(reason)"])
        }
    }

    /// The first day that is not older than the retention; nil where no device was ever heard from.
    ///
    /// Today is by the clocks of both server and devices: a server whose clock jumped ahead must not empty the log.
    private func firstKept(
        of partitions: [Day], by retention: Retention, now: Timestamp
    ) async throws(StoreError) -> Day? {
        let today = ReportingZone.utc.day(of: now)
        let newest = try await store.upkeep.newest(of: partitions.filter { $0 <= today })
        return newest.map { $0 - retention.days - 1 }
    }

    private func advanceBases(
        of ranges: [DeviceRange], before day: Day, progress: @escaping @Sendable (_ devices: Int) -> Void
    ) async throws(StoreError) {
        let end = ReportingZone.utc.start(of: day)
        let total = Mutex((devices: 0, unreadable: 0))
        for range in ranges {
            try await range.sideBySide(workers) { part throws(StoreError) in
                try await advanceBases(of: part, before: end) { devices, unreadable in
                    progress(
                        total.withLock { total in
                            total.devices += devices
                            total.unreadable += unreadable
                            return total.devices
                        })
                }
            }
        }
        let unreadable = total.withLock(\.unreadable)
        if unreadable > 0 {
            logger.error(
                "devices were set aside: an observation that is about to be dropped, or their base, can't be read; they keep theirs",
                metadata: ["devices": "\(unreadable)"])
        }
    }

    /// - Parameter done: called after every step with its devices, and how many of them were set aside.
    private func advanceBases(
        of part: DeviceRange, before end: Timestamp, done: (_ devices: Int, _ unreadable: Int) -> Void
    ) async throws(StoreError) {
        var previous = part.after ?? .first
        while true {
            let due = try await store.upkeep.dueBases(
                after: previous, through: part.through, before: end, limit: stepSize * stepsAtATime)
            guard let last = due.last else { return }
            previous = last.device
            for start in stride(from: 0, to: due.count, by: stepSize) {
                let step = due[start..<min(start + stepSize, due.count)]
                done(step.count, try await store.upkeep.advanceBases(of: step, before: end))
            }
        }
    }
}
