internal import CensusCore
internal import CensusStore
internal import Logging
internal import ServiceLifecycle
internal import Services
internal import Spool

/// Brings to the store what the spool holds, the oldest first, as soon as it answers again.
///
/// A parcel leaves the spool after its commit. Whoever is killed in between brings it again, which changes nothing.
actor Drainer: Service {
    private static let interval: Duration = .seconds(1)
    /// For one group.
    private static let patience: Duration = .seconds(10)
    /// How long what is set aside waits at most until it is tried again.
    private static let longestRest: Duration = .seconds(3_600)

    /// How often what is set aside is compared with who was forgotten, and with which apps there are.
    private let sweepInterval: Duration
    /// How long it waits at first until it is tried again.
    private let firstRest: Duration
    private let store: Store
    private let takeover: Takeover
    private let logger: Logger
    /// What is up to here was brought, or set aside.
    private var position: Int64 = 0
    /// Brought, and still in the spool, whose disk may not take a deletion.
    private var delivered: [Int64] = []
    private var sweptAt: ContinuousClock.Instant?
    /// When what is set aside is tried again; the rest before grows each time, up to an hour.
    private var retriesAt: ContinuousClock.Instant?
    private var rest: Duration
    /// The apps that there were when something was set aside.
    private var apps: [Int32: Text]?
    /// What was logged of each batch that is set aside: it is told once, however often it is tried.
    private var reasons: [Int64: String] = [:]
    /// What was last logged: a fault that stays is told once.
    private var complaint: String?

    private var spool: ParcelSpool { takeover.spool }

    init(
        store: Store, takeover: Takeover, logger: Logger, sweepInterval: Duration = .seconds(60),
        firstRest: Duration = .seconds(60)
    ) {
        self.sweepInterval = sweepInterval
        self.firstRest = firstRest
        self.rest = firstRest
        self.store = store
        self.takeover = takeover
        self.logger = logger
    }

    nonisolated func run() async throws {
        // Its turn to stop comes after the server's. What is left then waits on the disk.
        await ServiceLoop(every: Drainer.interval).run { [self] in await drain() }
    }

    /// Brings all there is, or what it can.
    func drain() async {
        takeover.reportMendings()
        await spool.probe()
        if takeover.isOn {
            // Asked first, and soon given up: whoever hangs here does not see the store come back.
            guard await storeAnswers() else { return }
        }
        do throws(SpoolError) {
            // Once in a drain: what is set aside again waits for the next one, however short the rest, so that this one ends.
            try await sweep(retrying: true)
            while !Task.isCancelled, try await step() { try await sweep(retrying: false) }
        } catch {
            complain("the spool cannot be read or cleared", "\(error)")
            // Whatever is wrong with the spool, the store has answered.
            takeover.end()
        }
    }

    /// - Returns: whether to go on at once.
    private func step() async throws(SpoolError) -> Bool {
        let page = try await spool.oldest(after: position)
        guard !page.isEmpty else {
            // With something to bring, that it is committed is the proof; without, that it answered.
            takeover.end()
            try await clear()
            return false
        }
        var readable: [(id: Int64, parcel: Parcel)] = []
        for spooled in page {
            switch spooled.content {
            case .success(let parcel): readable.append((spooled.id, parcel))
            case .failure(let error): try await setAside(spooled.id, error.reason(program: spooled.program))
            }
        }
        return try await deliver(readable)
    }

    /// - Returns: whether to go on at once; false when the store has to be tried again later.
    private func deliver(_ group: [(id: Int64, parcel: Parcel)]) async throws(SpoolError) -> Bool {
        var pieces = Halving(group)
        while let piece = pieces.next() {
            do throws(StoreError) {
                let parcels = piece.map(\.parcel)
                let outcome = try await store.within(Drainer.patience) { store in
                    try await store.apps.require(of: parcels)
                    return try await store.log.append(parcels, deadline: Drainer.patience)
                }
                takeover.end()
                takeover.countDrained(outcome, batches: piece.count)
                delivered += piece.map(\.id)
                complaint = nil
                await removeDelivered()
            } catch {
                // Also when we are being stopped, which stops the statement.
                guard error.fault != .away else { return false }
                takeover.end()
                guard error.fault == .data else {
                    complain("the store does not take what was spooled: it is tried again", "\(error)")
                    return false
                }
                if pieces.split(piece) { continue }
                for spooled in piece { try await setAside(spooled.id, error.description) }
            }
            position = piece.last?.id ?? position
        }
        return true
    }

    /// A disk that takes no deletion does not keep the rest from the store.
    private func removeDelivered() async {
        guard !delivered.isEmpty else { return }
        do throws(SpoolError) {
            try await spool.remove(delivered)
            delivered = []
        } catch {
            complain("the spool's disk does not let go of what the store has", "\(error)")
        }
    }

    /// Nothing waits any more.
    private func clear() async throws(SpoolError) {
        await removeDelivered()
        guard delivered.isEmpty else { return }
        if spool.level.setAside == 0 { (retriesAt, rest, reasons) = (nil, firstRest, [:]) }
        if spool.level.isDirty { try await spool.compact() }
        takeover.finish()
    }

    private func setAside(_ id: Int64, _ reason: String) async throws(SpoolError) {
        try await spool.setAside(id, reason)
        if retriesAt == nil { retriesAt = .now + rest }
        guard reasons.updateValue(reason, forKey: id) != reason else { return }
        logger.error(
            "a batch in the spool was set aside; it is tried again within the hour",
            metadata: ["batch": "\(id)", "reason": "\(reason)"])
    }

    /// Deletes what is set aside of devices that were forgotten on another node, or by command, and may try the rest again.
    private func sweep(retrying: Bool) async throws(SpoolError) {
        guard spool.level.setAside > 0, !takeover.isOn, sweptAt.map({ $0 + sweepInterval < .now }) ?? true
        else { return }
        sweptAt = .now
        try await dropForgotten()
        if retrying { try await retry() }
    }

    /// What is set aside may be stored later: when a restore is complete, an app is there again, or a fault is mended.
    ///
    /// At once when the apps are others than they were, else after a rest.
    private func retry() async throws(SpoolError) {
        let store = store
        let known = try? await store.within(Drainer.patience) { store in
            Dictionary(try await store.apps.all().map { ($0.number, Text($0.id)) }) { one, _ in one }
        }
        guard let known else { return }
        defer { apps = known }
        let areOthers = apps.map { $0 != known } ?? false
        guard areOthers || retriesAt.map({ $0 <= .now }) ?? true else { return }
        rest = areOthers ? firstRest : min(rest * 2, Drainer.longestRest)
        retriesAt = nil
        guard try await spool.retrySetAside() > 0 else { return }
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

extension Parcel.Unreadable {
    fileprivate func reason(program: String) -> String {
        switch self {
        case .format(let number):
            "its format is \(number), which this version does not know: run version \(program) with this spool"
        case .damaged: "its bytes are damaged"
        }
    }
}
