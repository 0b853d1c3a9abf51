internal import CensusCore
package import CensusStore
package import Logging
internal import Synchronization

/// Folds what was committed since last time, in steps of bounded size, until the queue is empty.
package struct Reconciler: Sendable {
    /// Devices a step; a step is one transaction.
    package var stepSize = 500
    /// Sweeps side by side, each over its own part of the devices.
    package var workers = 1
    /// Whether a sweep goes on as two once it need not rest and its step was full, as after a rush.
    package var splits = false
    /// How long to rest after a step, as a multiple of the step's time, to leave the machine to others; 0 goes on at once.
    package var rest: @Sendable () -> Double = { 0 }

    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// One sweep over the queue: each device that is queued when the sweep reaches it is folded once.
    ///
    /// - Parameter progress: called after every step with the sum so far.
    /// - Returns: what all steps did; nothing when the queue was empty.
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
        // What time alone changes comes last: a device that was heard from again is no longer due.
        while try await store.devices.enterDue(by: .now, limit: stepSize) > 0 {}
        return total.adding(ReconciledBatch())
    }

    /// - Returns: what is left, to be split; nil when nothing is.
    private func sweep(
        _ part: DeviceRange, splits: Bool, done: @Sendable (ReconciledBatch) -> Void
    ) async throws(StoreError) -> DeviceRange? {
        var previous = part.after
        var size = stepSize
        while true {
            let begun = ContinuousClock.now
            let step = try await store.devices.reconcile(after: previous, through: part.through, limit: size)
            guard step.last != nil else { return nil }
            let took = ContinuousClock.now - begun
            previous = step.last
            let isFull = step.isCut || step.devices == size
            // Cut steps stay small for a while, so that the same devices are not read twice each time.
            size = step.isCut ? max(step.devices, 1) : min(size + size / 4 + 1, stepSize)
            if step.setAside > 0 {
                logger.error(
                    "devices could not be reconciled and were set aside: see census.set_aside",
                    metadata: ["devices": "\(step.setAside)"])
            }
            if step.implausible > 0 {
                logger.notice(
                    "devices claim more than a phone can, and are left as they were",
                    metadata: ["devices": "\(step.implausible)"])
            }
            done(step)
            var stepBack = Rest(after: took)
            while !Task.isCancelled, let piece = stepBack.next(rest()) { try? await Task.sleep(for: piece) }
            if splits, isFull, rest() == 0 { return DeviceRange(after: previous, through: part.through) }
        }
    }
}

/// What all sweeps did so far.
private final class RunningTotal: Sendable {
    private let total = Mutex(ReconciledBatch())

    func adding(_ step: ReconciledBatch) -> ReconciledBatch {
        total.withLock { total in
            total += step
            return total
        }
    }
}

/// A reconciler's rest after a step, in short pieces: a rush may end at any time.
struct Rest {
    static let longestPiece: Duration = .milliseconds(100)
    /// A step that took longer was held up, not working.
    static let longestStep: Duration = .seconds(2)

    private let step: Duration
    private var taken: Duration = .zero
    /// A running mean of the shares. At full load the server now and then answers a whole crowd at once, and for a moment few wait:
    /// that must not end the rest, and the end of the rush must.
    private var share: Double?
    /// Of the newest share in the mean.
    private static let weight = 0.15

    /// - Parameter step: how long the step took.
    init(after step: Duration) { self.step = min(step, Rest.longestStep) }

    /// - Parameter share: how long to rest as a multiple of the step's time, as things are now.
    /// - Returns: how long to rest before asking again; nil when the rest is over.
    mutating func next(_ newest: Double) -> Duration? {
        let mean = share.map { $0 + (newest - $0) * Rest.weight } ?? newest
        share = mean
        let piece = min(step * mean - taken, Rest.longestPiece)
        guard piece > .zero else { return nil }
        taken += piece
        return piece
    }
}
