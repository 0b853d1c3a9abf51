internal import CensusCore
internal import CensusStore

/// Gauges read from the store, at most every 2 s, however many clients scrape and however slow the store is.
actor StoreGauges {
    struct Reading: Sendable {
        var isUp: Bool
        /// Nil when unknown.
        var queue: QueueLength?
        /// Whether commits survive a crash of the server; nil when unknown.
        var isDurable: Bool?
        /// Devices that can't be folded; nil when unknown.
        var devicesSetAside: Int?
        var devicesImplausible: Int?
        /// Apps whose days the last night could not close, by fault; nil when unknown.
        var appsNotClosed: [NightFault: Int]?
        /// When a night last ended without a failure; nil before the first, and when unknown.
        var lastNight: Timestamp?
        /// Incidents of mass loss that nobody has acknowledged or closed; nil when unknown.
        var openLosses: Int?
        /// Deliveries that wait, and webhooks whose last delivery failed; nil when unknown.
        var webhooks: (waiting: Int, failing: Int)?
    }

    private static let interval: Duration = .seconds(2)
    private static let patience: Duration = .seconds(1)

    private let store: Store
    private var last: (reading: Task<Reading, Never>, begun: ContinuousClock.Instant)?

    init(store: Store) { self.store = store }

    func reading() async -> Reading {
        if let last, last.begun + StoreGauges.interval > .now { return await last.reading.value }
        let reading = Task { [store] in await StoreGauges.read(store) }
        last = (reading, .now)
        return await reading.value
    }

    private static func read(_ store: Store) async -> Reading {
        do throws(StoreError) {
            return try await store.within(patience) { store in
                let queue = try await store.devices.queueLength(atMost: StoreStatus.countLimit)
                let setAside = try await store.devices.countSetAside()
                let notClosed = try await store.ledger.appsNotClosed()
                let lastNight = try await store.nights.lastWhole()
                let openLosses = try await store.losses.countOpen()
                let webhooks = try await store.webhooks.health()
                let isDurable = try await store.deployment.unsafeSettings().isEmpty
                return Reading(
                    isUp: true, queue: queue, isDurable: isDurable, devicesSetAside: setAside.others,
                    devicesImplausible: setAside.implausible,
                    appsNotClosed: notClosed, lastNight: lastNight, openLosses: openLosses, webhooks: webhooks)
            }
        } catch {
            // A store without our tables answers, too; /readyz says what is wrong.
            return Reading(isUp: error.fault != .away)
        }
    }
}
