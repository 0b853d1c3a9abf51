package import CensusCore
package import CensusStore
package import Logging
internal import Synchronization

/// Drops observations that are older than the retention, without losing any device's ability to be counted.
///
/// Before they are dropped they are folded into the device's base, onto which late data of the kept days is folded. One day
/// more is kept than the door accepts, so that an event that was just accepted is never too old.
package struct RetentionSweep: Sendable {
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
        guard let (_, expired) = try await expired(now: now) else { return Kept() }
        var kept = Kept()
        for day in expired {
            switch try await store.upkeep.dropEmptyPartition(day) {
            case .dropped: kept.dropped += 1
            case .holdsMore: break
            case .putOff: return tell(kept, of: expired.count)
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
        guard let (keptFrom, expired) = try await expired(now: now) else { return Kept() }
        var kept = Kept()
        var rest = expired[...]
        repeat {
            let days = rest.prefix(daysAtATime)
            rest = rest.dropFirst(days.count)
            let end = rest.isEmpty ? keptFrom : rest[rest.startIndex]
            try await advanceBases(before: ReportingZone.utc.start(of: end), progress: progress)
            for day in days {
                switch try await store.upkeep.dropPartition(day, before: ReportingZone.utc.start(of: end)) {
                case .dropped: kept.dropped += 1
                case .holdsMore:
                    // Something was imported in the meantime: it must be reconciled first.
                    logger.notice("a day is not reconciled and was not dropped", metadata: ["day": "\(day)"])
                    return kept
                case .putOff: return tell(kept, of: expired.count)
                }
            }
        } while !rest.isEmpty
        try await store.upkeep.sweep(keptFrom: keptFrom)
        if !expired.isEmpty {
            logger.info("dropped partitions", metadata: ["count": "\(expired.count)", "kept_from": "\(keptFrom)"])
        }
        return kept
    }

    /// The first day that is kept, and the days before it that have a partition; nil when there is nothing to do.
    private func expired(now: Timestamp) async throws(StoreError) -> (keptFrom: Day, days: [Day])? {
        let retention = try await store.upkeep.retention()
        let partitions = try await store.upkeep.partitions()
        guard let today = try await newestDay(of: partitions, now: now) else { return nil }
        let keptFrom = today - retention.days - 1
        let expired = partitions.filter { $0 < keptFrom }
        guard !expired.isEmpty || retention.keptFrom.map({ $0 < keptFrom }) ?? true else { return nil }
        return (keptFrom, expired)
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
        let (finished, left) = try await store.forgetting.finish()
        if finished > 0 { logger.notice("devices were finally forgotten", metadata: ["devices": "\(finished)"]) }
        if left > 0 {
            logger.warning(
                "devices are not forgotten yet: somebody has been storing events for too long",
                metadata: ["devices": "\(left)"])
        }
    }

    /// Today by the clocks of both server and devices: a server whose clock jumped ahead must not empty the log.
    private func newestDay(of partitions: [Day], now: Timestamp) async throws(StoreError) -> Day? {
        let today = ReportingZone.utc.day(of: now)
        return try await store.upkeep.newest(of: partitions.filter { $0 <= today })
    }

    private func advanceBases(
        before end: Timestamp, progress: @escaping @Sendable (_ devices: Int) -> Void
    ) async throws(StoreError) {
        let total = Mutex((devices: 0, unreadable: 0))
        try await DeviceRange.sideBySide(workers) { part throws(StoreError) in
            var previous = part.after ?? .first
            while true {
                let due = try await store.upkeep.dueBases(
                    after: previous, through: part.through, before: end, limit: stepSize * stepsAtATime)
                guard let last = due.last else { return }
                previous = last.device
                for start in stride(from: 0, to: due.count, by: stepSize) {
                    let step = due[start..<min(start + stepSize, due.count)]
                    let unreadable = try await store.upkeep.advanceBases(of: step, before: end)
                    progress(
                        total.withLock { total in
                            total.devices += step.count
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
}
