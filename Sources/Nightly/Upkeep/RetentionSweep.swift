package import CensusCore
package import CensusStore
package import Logging
internal import Synchronization

/// Drops observations that are older than the retention. Their devices still count.
///
/// Before it drops them it folds them into the device's base, onto which late data of the kept days is folded later. It keeps
/// one day more than the server accepts, so that an event that was just accepted is never too old. Devices take turns: see
/// ``RetentionPlan``.
package struct RetentionSweep: Sendable {
    /// The number of nights in which every device has its turn. Days are dropped that many nights later, less one. With 1, each
    /// sweep folds all devices and drops everything older than the retention.
    package var turns = 7

    /// Devices per step. A step is one transaction, and locks each of its devices.
    package var stepSize = 1_000

    /// Steps whose devices are looked up together, because the lookup needs a query plan over all partitions.
    package var stepsAtATime = 10

    /// How many sweeps run at once, each over its own part of the devices.
    package var workers = 2

    /// How many days to fold and drop together, because a statement locks each partition that it reads.
    package var daysAtATime = 60

    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The result of a run.
    package struct Kept: Hashable, Sendable {
        package var dropped = 0
        /// Days left for the next run because another session, such as a backup, locks the table.
        package var putOff = 0

        package init(dropped: Int = 0, putOff: Int = 0) {
            self.dropped = dropped
            self.putOff = putOff
        }
    }

    /// Drops expired days without observations, as after an early lowering of the retention. They need no fold, and afterwards
    /// statements that read all partitions take fewer locks.
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
    ///   - now: the server's clock, which counts only if some device's clock agrees.
    ///   - progress: called after every step with the number of devices so far.
    package func keep(
        now: Timestamp = .now, progress: @escaping @Sendable (_ devices: Int) -> Void = { _ in }
    ) async throws(StoreError) -> Kept {
        try await finishForgetting()
        try await store.webhooks.sweep()
        guard let (plan, days) = try await plan(now: now) else { return Kept() }
        var (left, end) = try await drop(days[...], by: plan, progress: progress)
        if end == .holdsMore, !plan.isForAll {
            // Observations were imported for devices that have had their turn.
            (left, end) = try await drop(left, by: RetentionPlan(all: plan.keptFrom), progress: progress)
        }
        let kept = Kept(dropped: days.count - left.count)
        switch end {
        case .dropped: break
        case .holdsMore:
            // The day must be reconciled first.
            let day = left.first.map { "\($0)" } ?? ""
            logger.notice("a day was not dropped because it is not fully reconciled", metadata: ["day": "\(day)"])
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

    /// Folds the plan's devices, and drops days up to the first one that can't be dropped.
    ///
    /// - Returns: the days that are left, and the outcome of the last attempt.
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

    /// Returns the days older than the retention, which the next sweeps drop.
    package func expired(now: Timestamp = .now) async throws(StoreError) -> [Day] {
        let partitions = try await store.upkeep.partitions()
        let keptFrom = try await firstKept(of: partitions, by: try await store.upkeep.retention(), now: now)
        return keptFrom.map { keptFrom in partitions.filter { $0 < keptFrom } } ?? []
    }

    /// Returns what to fold, and the days that can be dropped then; nil if there is nothing to do.
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
            "days could not be dropped because another session, such as a backup, locks the table; the next night tries again",
            metadata: ["days": "\(kept.putOff)"])
        return kept
    }

    /// Completes erasures whose process was killed before it was done.
    private func finishForgetting() async throws(StoreError) {
        let finished = try await store.forgetting.finish()
        if finished.done > 0 {
            logger.notice("interrupted erasures were completed", metadata: ["devices": "\(finished.done)"])
        }
        if finished.left > 0 {
            let reason = finished.failure.map { "\($0)" } ?? "another session has been storing events for too long"
            logger.warning(
                "devices could not be erased yet; the next night tries again",
                metadata: ["devices": "\(finished.left)", "reason": "\(reason)"])
        }
    }

    /// Returns the first day that is not older than the retention; nil if no device was ever heard from.
    ///
    /// Today is determined by the clocks of both server and devices, because a server whose clock jumped ahead must not empty
    /// the log.
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
                "devices were set aside because their base, or an observation due to be dropped, can't be read; both are kept",
                metadata: ["devices": "\(unreadable)"])
        }
    }

    /// - Parameter done: called after every step with the number of its devices, and of those set aside.
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
