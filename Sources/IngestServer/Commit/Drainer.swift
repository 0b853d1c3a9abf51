internal import CensusCore
internal import CensusStore
internal import Logging
internal import ServiceLifecycle
internal import Services
internal import Spool

/// Moves batches from the spool to the store, the oldest first, as soon as the store answers again.
///
/// A batch is removed from the spool after its commit. If the process is killed in between, the next process delivers it again,
/// which changes nothing.
actor Drainer: Service {
    private static let interval: Duration = .seconds(1)
    /// For the commit of one group.
    private static let patience: Duration = .seconds(10)

    private let store: Store
    private let failover: Failover
    private let logger: Logger
    /// Batches up to this one were delivered or set aside.
    private var position: Int64 = 0
    /// Batches in the store that are still in the spool, because its disk refused to delete them.
    private var delivered: [Int64] = []
    private var state: RetryState
    /// The reason that was last logged. A lasting fault is logged once.
    private var complaint: String?

    private var spool: BatchSpool { failover.spool }

    init(
        store: Store, failover: Failover, logger: Logger, sweepInterval: Duration = .seconds(60),
        firstRest: Duration = .seconds(60)
    ) {
        state = RetryState(sweepInterval: sweepInterval, firstRest: firstRest)
        self.store = store
        self.failover = failover
        self.logger = logger
    }

    nonisolated func run() async throws {
        // It stops after the server. Whatever is left waits on the disk.
        await ServiceLoop(every: Drainer.interval).run { [self] in await drain() }
    }

    /// Moves everything to the store, or as much as it can.
    func drain() async {
        failover.reportDamage()
        await spool.probe()
        if failover.isOn {
            // A short query first: a long one that hangs would not notice that the store is back.
            guard await storeAnswers() else { return }
        }
        do throws(SpoolError) {
            // Retry once per drain. A batch that is set aside again waits for the next drain, so that this one ends.
            try await sweep(retrying: true)
            while !Task.isCancelled, try await step() { try await sweep(retrying: false) }
        } catch {
            complain("the spool cannot be read or cleared", "\(error)")
            // The spool has a fault, but the store answers.
            failover.end()
        }
    }

    /// - Returns: whether to call it again at once.
    private func step() async throws(SpoolError) -> Bool {
        let page = try await spool.oldest(after: position)
        guard !page.isEmpty else {
            // There is nothing to deliver, and the store has answered, so it is back.
            failover.end()
            try await clear()
            return false
        }
        var readable: [(id: Int64, rows: BatchRows)] = []
        for spooled in page {
            switch spooled.content {
            case .success(let rows): readable.append((spooled.id, rows))
            case .failure(let error): try await setAside(spooled.id, error.reason(program: spooled.program))
            }
        }
        return try await deliver(readable)
    }

    /// - Returns: whether to call it again at once; false if the store must be tried again later.
    private func deliver(_ group: [(id: Int64, rows: BatchRows)]) async throws(SpoolError) -> Bool {
        var pieces = Halving(group)
        while let piece = pieces.next() {
            do throws(StoreError) {
                let batches = piece.map(\.rows)
                let outcome = try await store.within(Drainer.patience) { store in
                    try await store.apps.require(of: batches)
                    return try await store.log.append(batches, within: Drainer.patience)
                }
                failover.end()
                failover.countDrained(outcome, batches: piece.count)
                delivered += piece.map(\.id)
                complaint = nil
                await removeDelivered()
            } catch {
                // The store is unavailable, or the process is being stopped, which cancels the statement.
                guard error.fault != .away else { return false }
                failover.end()
                guard error.fault == .data else {
                    complain("the store rejects spooled batches; they are retried", "\(error)")
                    return false
                }
                if pieces.split(piece) { continue }
                for spooled in piece { try await setAside(spooled.id, error.description) }
            }
            position = piece.last?.id ?? position
        }
        return true
    }

    /// Removes delivered batches from the spool. If its disk refuses, the rest is delivered all the same.
    private func removeDelivered() async {
        guard !delivered.isEmpty else { return }
        do throws(SpoolError) {
            try await spool.remove(delivered)
            delivered = []
        } catch {
            complain("the spool's disk refuses to delete batches that the store has", "\(error)")
        }
    }

    /// Cleans up when nothing is left to deliver.
    private func clear() async throws(SpoolError) {
        await removeDelivered()
        guard delivered.isEmpty else { return }
        if spool.level.setAside == 0 { state.nothingIsSetAside() }
        if spool.level.isDirty { try await spool.compact() }
        failover.finish()
    }

    private func setAside(_ id: Int64, _ reason: String) async throws(SpoolError) {
        try await spool.setAside(id, reason)
        guard state.isNews(reason, settingAside: id, at: .now) else { return }
        logger.error(
            "a batch in the spool was set aside; it is retried within an hour",
            metadata: ["batch": "\(id)", "reason": "\(reason)"])
    }

    /// Deletes set-aside batches of devices that another node or a command has erased, and retries the others if it is time.
    ///
    /// Reads the list of apps at every drain, because somebody might wait for the batches of an app that was just restored.
    private func sweep(retrying: Bool) async throws(SpoolError) {
        guard spool.level.setAside > 0, !failover.isOn else { return }
        if state.sweeps(at: .now) { try await dropForgotten() }
        if retrying { try await retry() }
    }

    private func retry() async throws(SpoolError) {
        let store = store
        let known = try? await store.within(Drainer.patience) { store in
            Dictionary(try await store.apps.all().map { ($0.number, Text($0.id)) }) { one, _ in one }
        }
        guard let known, state.retries(knowing: known, at: .now), try await spool.retrySetAside() > 0 else { return }
        position = 0
    }

    private func dropForgotten() async throws(SpoolError) {
        let devices = try await spool.devicesSetAside()
        let store = store
        let forgotten = try? await store.within(Drainer.patience) { try await $0.forgetting.forgotten(among: devices) }
        if let forgotten, !forgotten.isEmpty { try await spool.erase(forgotten) }
    }

    private func storeAnswers() async -> Bool {
        do throws(StoreError) {
            try await store.within(.seconds(1)) { try await $0.ping() }
            return true
        } catch {
            return error.fault != .away
        }
    }

    private func complain(_ message: Logger.Message, _ reason: String) {
        guard complaint != reason else { return }
        complaint = reason
        logger.error(message, metadata: ["reason": "\(reason)"])
    }
}

extension BatchRows.Unreadable {
    fileprivate func reason(program: String) -> String {
        switch self {
        case .format(let number):
            "its format is \(number), which this version does not know; run version \(program) with this spool"
        case .damaged: "its bytes are damaged"
        }
    }
}
