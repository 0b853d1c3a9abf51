internal import CensusCore
package import CensusStore
package import Logging
internal import Synchronization

/// Folds the observations committed since the last time, in steps of bounded size, until the queue is empty.
package struct Reconciler: Sendable {
    /// Devices per step. A step is one transaction.
    package var stepSize = 500
    /// How many sweeps run at once, each over its own range of the devices. A sweep splits in two once it need not rest and its
    /// step was full, as after a rush.
    package var workers = 1
    /// Whether to wait for what other sessions work on. A later sweep finds it, too, if they fail.
    package var waits = true
    /// How long to rest after a step, as a multiple of the step's time, to leave the machine to other work. 0 means no rest.
    package var rest: @Sendable () -> Double = { 0 }

    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Sweeps over the queue once: folds each device that is queued when the sweep reaches it.
    ///
    /// - Parameter progress: called after every step with the total so far.
    /// - Returns: the total of all steps; zero if the queue was empty.
    package func drain(
        progress: @escaping @Sendable (ReconciledBatch) -> Void = { _ in }
    ) async throws(StoreError) -> ReconciledBatch {
        let total = RunningTotal()
        let note = { @Sendable step in progress(total.adding(step)) }
        try await sweepAll(done: note)
        if waits { try await finish(total.busy, done: note) }
        // Queue devices that only the passage of time changes last: one that was heard from again is no longer due.
        while true {
            let due = try await store.devices.enterDue(by: .now, limit: stepSize)
            if due.entered > 0 { continue }
            guard waits, due.busy > 0 else { break }
            try? await Task.sleep(for: Reconciler.pause)
        }
        return total.adding(ReconciledBatch())
    }

    /// Between two looks at what other sessions work on.
    private static let pause: Duration = .milliseconds(50)

    /// Waits until entries of the queue are gone that other sessions were working on, and takes those that a session gave up.
    ///
    /// Waits for no lock: its turn might never come while others take the device again and again, and a session that waits with
    /// locks of its own holds up more. The entries go in any case.
    private func finish(
        _ busy: [QueueEntry], done: @Sendable (ReconciledBatch) -> Void
    ) async throws(StoreError) {
        var left = try await store.devices.left(of: busy)
        while !left.isEmpty {
            let step = try await store.devices.reconcile(.these(Set(left.prefix(stepSize).map(\.device)).sorted()))
            done(step)
            if step.devices == 0 { try? await Task.sleep(for: Reconciler.pause) }
            left = try await store.devices.left(of: left)
        }
    }

    /// Sweeps over all devices. When a sweep ends while another one has a lot left, that one is split again: devices that were
    /// heard from after a sweep had passed them are all at its beginning.
    ///
    /// - Throws: the first error, once all sweeps have ended.
    private func sweepAll(done: @escaping @Sendable (ReconciledBatch) -> Void) async throws(StoreError) {
        let running = RunningSweeps()
        let outcome = await withTaskGroup(of: Result<DeviceRange?, StoreError>.self) { group in
            var outcome = Result<Void, StoreError>.success(())
            var ranges = [DeviceRange.all]
            while true {
                running.count.add(ranges.count, ordering: .relaxed)
                for range in ranges {
                    group.addTask {
                        do throws(StoreError) {
                            return .success(
                                try await sweep(range, done: done) {
                                    running.count.load(ordering: .relaxed) < workers
                                })
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                guard let ended = await group.next() else { return outcome }
                running.count.subtract(1, ordering: .relaxed)
                switch ended {
                case .success(let left): ranges = left?.parts(2) ?? []
                case .failure(let error):
                    ranges = []
                    if case .success = outcome { outcome = .failure(error) }
                }
            }
        }
        try outcome.get()
    }

    /// - Parameter maySplit: whether another sweep can take half of the rest.
    /// - Returns: the rest of the range, to be split; nil if nothing is left.
    private func sweep(
        _ part: DeviceRange, done: @Sendable (ReconciledBatch) -> Void, maySplit: @Sendable () -> Bool
    ) async throws(StoreError) -> DeviceRange? {
        var previous = part.after
        var size = stepSize
        var stepBack = Rest()
        while true {
            let begun = ContinuousClock.now
            let step = try await store.devices.reconcile(
                .next(after: previous, through: part.through, limit: size))
            guard step.last != nil else { return nil }
            let took = ContinuousClock.now - begun
            previous = step.last
            let isFull = step.isCut || step.devices + Set(step.busy.map(\.device)).count == size
            // After a cut step, keep steps small for a while, so that they don't read the same devices twice each time.
            size = step.isCut ? max(step.devices, 1) : min(size + size / 4 + 1, stepSize)
            if step.setAside > 0 {
                logger.error(
                    "devices could not be reconciled and were set aside; see census.set_aside",
                    metadata: ["devices": "\(step.setAside)"])
            }
            if step.implausible > 0 {
                logger.notice(
                    "devices claim more than any phone can; their counts are left unchanged",
                    metadata: ["devices": "\(step.implausible)"])
            }
            done(step)
            stepBack.begin(after: took)
            while !Task.isCancelled, let piece = stepBack.next(rest()) { try? await Task.sleep(for: piece) }
            if isFull, stepBack.isNeedless, maySplit() { return DeviceRange(after: previous, through: part.through) }
        }
    }
}

/// The total of all sweeps so far.
private final class RunningTotal: Sendable {
    private let total = Mutex(ReconciledBatch())

    var busy: [QueueEntry] { total.withLock(\.busy) }

    func adding(_ step: ReconciledBatch) -> ReconciledBatch {
        total.withLock { total in
            total += step
            return total
        }
    }
}

private final class RunningSweeps: Sendable {
    let count = Atomic(0)
}

/// A reconciler's rests after its steps, in short pieces, because a rush can end at any time.
struct Rest {
    static let longestPiece: Duration = .milliseconds(10)
    /// A step that took longer was waiting, not working.
    static let longestStep: Duration = .seconds(2)
    /// How many shares the mean is of. At full load the server sometimes answers many batches at once, and for a moment few
    /// wait. That must not end the rest, or begin a step without one; the end of the rush must.
    private static let remembered = 8

    private var step: Duration = .zero
    private var taken: Duration = .zero
    /// The newest, also those of the rests before.
    private var shares: [Double] = []

    /// Whether nobody has waited at the server for a while.
    var isNeedless: Bool { shares.allSatisfy { $0 == 0 } }

    /// - Parameter step: how long the step took.
    mutating func begin(after step: Duration) { (self.step, taken) = (min(step, Rest.longestStep), .zero) }

    /// - Parameter newest: how long to rest now, as a multiple of the step's time.
    /// - Returns: how long to rest before calling this again; nil if the rest is over.
    mutating func next(_ newest: Double) -> Duration? {
        shares = shares.suffix(Rest.remembered - 1) + [newest]
        let mean = shares.reduce(0, +) / Double(shares.count)
        let piece = min(step * mean - taken, Rest.longestPiece)
        guard piece > .zero else { return nil }
        taken += piece
        return piece
    }
}
