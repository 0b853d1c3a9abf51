internal import CensusCore
package import CensusStore
package import Logging
internal import Synchronization

/// Folds the observations committed since the last time, in steps of bounded size, until the queue is empty.
package struct Reconciler: Sendable {
    /// Devices per step. A step is one transaction.
    package var stepSize = 500
    /// How many sweeps run at once, each over its own part of the devices.
    package var workers = 1
    /// Whether a sweep splits in two once it need not rest and its step was full, as after a rush.
    package var splits = false
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
        try await DeviceRange.all.sideBySide(workers) { part throws(StoreError) in
            guard let left = try await sweep(part, splits: splits, done: note) else { return }
            try await left.sideBySide(2) { part throws(StoreError) in
                _ = try await sweep(part, splits: false, done: note)
            }
        }
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

    /// - Returns: the rest of the range, to be split; nil if nothing is left.
    private func sweep(
        _ part: DeviceRange, splits: Bool, done: @Sendable (ReconciledBatch) -> Void
    ) async throws(StoreError) -> DeviceRange? {
        var previous = part.after
        var size = stepSize
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
            var stepBack = Rest(after: took)
            while !Task.isCancelled, let piece = stepBack.next(rest()) { try? await Task.sleep(for: piece) }
            if splits, isFull, rest() == 0 { return DeviceRange(after: previous, through: part.through) }
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

/// A reconciler's rest after a step, in short pieces, because a rush can end at any time.
struct Rest {
    static let longestPiece: Duration = .milliseconds(100)
    /// A step that took longer was waiting, not working.
    static let longestStep: Duration = .seconds(2)

    private let step: Duration
    private var taken: Duration = .zero
    /// A running mean of the shares. At full load the server sometimes answers many batches at once, and for a moment few
    /// wait. That must not end the rest; the end of the rush must.
    private var share: Double?
    /// The weight of the newest share in the mean.
    private static let weight = 0.15

    /// - Parameter step: how long the step took.
    init(after step: Duration) { self.step = min(step, Rest.longestStep) }

    /// - Parameter newest: how long to rest now, as a multiple of the step's time.
    /// - Returns: how long to rest before calling this again; nil if the rest is over.
    mutating func next(_ newest: Double) -> Duration? {
        let mean = share.map { $0 + (newest - $0) * Rest.weight } ?? newest
        share = mean
        let piece = min(step * mean - taken, Rest.longestPiece)
        guard piece > .zero else { return nil }
        taken += piece
        return piece
    }
}
