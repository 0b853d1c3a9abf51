package import CensusCore
package import CensusStore
package import Logging

/// Drops observations that are older than the retention, never a device's ability to be counted.
///
/// What is dropped is folded before into the device's base, onto which late data of the days that are kept are folded. A day
/// more is kept than the door accepts: an event that was accepted a moment ago is never older than what is dropped.
package struct RetentionKeeper: Sendable {
    /// Devices a step; a step is one transaction.
    package var stepSize = 2_000

    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// - Parameters:
    ///   - now: the server's clock, which is not believed where no device's says as much.
    ///   - progress: called after every step with the devices so far.
    /// - Returns: how many partitions were dropped.
    package func keep(
        now: Timestamp = .now, progress: @escaping @Sendable (_ devices: Int) -> Void = { _ in }
    ) async throws(StoreError) -> Int {
        try await finishForgetting()
        let retention = try await store.retention()
        let partitions = try await store.partitions()
        guard let today = try await newestDay(of: partitions, now: now) else { return 0 }
        let keptFrom = today - retention.days - 1
        let expired = partitions.filter { $0 < keptFrom }
        guard !expired.isEmpty || retention.keptFrom.map({ $0 < keptFrom }) ?? true else { return 0 }
        let end = ReportingZone.utc.start(of: keptFrom)
        try await advanceBases(through: end, progress: progress)
        for day in expired where !(try await store.dropPartition(day, before: end)) {
            // Something was imported meanwhile: it has to be reconciled first.
            logger.notice("a day is not reconciled and was not dropped", metadata: ["day": "\(day)"])
            return 0
        }
        try await store.sweep(keptFrom: keptFrom)
        if !expired.isEmpty {
            logger.info("dropped partitions", metadata: ["count": "\(expired.count)", "kept_from": "\(keptFrom)"])
        }
        return expired.count
    }

    /// Whoever forgot a device may have been killed before all of it was gone.
    private func finishForgetting() async throws(StoreError) {
        let (finished, left) = try await store.finishForgetting()
        if finished > 0 { logger.notice("devices were forgotten at last", metadata: ["devices": "\(finished)"]) }
        if left > 0 {
            logger.warning(
                "devices are not forgotten yet: somebody has been storing events for too long",
                metadata: ["devices": "\(left)"])
        }
    }

    /// Today by the clocks of server and devices: a server's clock that jumped ahead must not empty the log.
    private func newestDay(of partitions: [Day], now: Timestamp) async throws(StoreError) -> Day? {
        let today = ReportingZone.utc.day(of: now)
        for day in partitions.reversed() where day <= today {
            if try await store.hasObservations(on: day) { return day }
        }
        return nil
    }

    private func advanceBases(
        through end: Timestamp, progress: @Sendable (_ devices: Int) -> Void
    ) async throws(StoreError) {
        var (devices, unreadable) = (0, 0)
        var previous = Pseudonym.first
        while let step = try await store.advanceBases(after: previous, through: end, limit: stepSize) {
            previous = step.last
            devices += step.devices
            unreadable += step.unreadable
            progress(devices)
        }
        if unreadable > 0 {
            logger.error(
                "of some devices an observation could not be read before it was dropped",
                metadata: ["devices": "\(unreadable)"])
        }
    }
}
