internal import CensusCore
package import CensusStore
package import Logging
internal import ServiceLifecycle
internal import Services

/// Keeps a partition for every day for which events can still arrive, and for some days ahead.
package struct PartitionService: Service {
    private static let interval: Duration = .hours(1)

    private let store: Store
    private let keeper: PartitionKeeper
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.keeper = PartitionKeeper(store: store, logger: logger)
        self.logger = logger
    }

    /// Creates the partitions that today's events need.
    package func keepNear() async throws(StoreError) {
        let today = ReportingZone.utc.day(of: .now)
        try await keeper.keep(from: today - 1, through: today + PartitionKeeper.daysAhead)
    }

    /// Creates all partitions that the retention allows, from the first day that is kept whole. Older days were
    /// dropped, and hardly any of their events arrive again.
    ///
    /// - Parameter progress: see ``PartitionKeeper/keep(from:through:progress:)``.
    @discardableResult
    package func keepAll(
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(StoreError) -> PartitionKeeper.Outcome {
        let today = ReportingZone.utc.day(of: .now)
        let retention = try await store.upkeep.retention()
        let first = max(today - retention.days, retention.keptFrom ?? today - retention.days)
        return try await keeper.keep(
            from: min(first, today), through: today + PartitionKeeper.daysAhead, progress: progress)
    }

    package func run() async throws {
        await ServiceLoop(every: PartitionService.interval).run {
            do throws(StoreError) {
                try await keepAll()
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning(
                    "partitions could not be created; trying again in an hour", metadata: ["reason": "\(error)"])
            }
        }
    }
}
