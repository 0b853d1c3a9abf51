internal import CensusCore

/// Every decision of ``NameLimiter`` on one app, as a value: what is let in, what the store must be asked, and what is to be written.
struct AppNames: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// How long a cap is applied without asking the store: a client that sends new names to a full app must not make the store
    /// work for each. Names are only ever added, so one that exceeded the cap still does.
    static let memory: Duration = .seconds(3)

    /// Names that the store has.
    private(set) var known = KnownNames()
    /// Names that were let in before they were written, and have not been seen in the store since.
    private(set) var assumed = KnownNames()
    /// Names in the app's manifests: they count against no cap.
    private(set) var declared = KnownNames()
    /// When the store was last read.
    private var readAt: Instant?

    /// The outcome for a batch that needs no question to the store.
    ///
    /// - Returns: nil when it must be: the batch may have a name for which there is room.
    func admitted(_ batch: Batch, _ caps: NameCaps, at now: Instant) -> Batch? {
        if known.hasAll(of: batch) { return batch }
        guard let readAt, readAt + AppNames.memory > now else { return nil }
        let sifted = CappedBatch(batch, names: known, declared: declared, caps: caps)
        return sifted.fresh.isEmpty ? sifted.batch : nil
    }

    /// The store was read.
    ///
    /// - Parameter began: when the reading began.
    mutating func took(_ stored: KnownNames, declared: KnownNames = KnownNames(), at began: Instant) {
        known.formUnion(stored)
        self.declared = declared
        assumed.subtract(known)
        readAt = began
    }

    /// Applies the caps to a batch.
    ///
    /// - Returns: what is let in, and the names of it that must be written before it is stored.
    func sifted(_ batch: Batch, _ caps: NameCaps) -> (batch: Batch, fresh: KnownNames) {
        if known.hasAll(of: batch) { return (batch, KnownNames()) }
        let sifted = CappedBatch(batch, names: known.union(assumed), declared: declared, caps: caps)
        return (sifted.batch, sifted.fresh.union(KnownNames(of: sifted.batch).intersection(assumed)))
    }

    /// The store has these now.
    mutating func wrote(_ names: KnownNames) {
        known.formUnion(names)
        assumed.subtract(names)
    }

    /// These belong to a batch that the store does not have yet: they count as used from now on.
    mutating func assume(_ names: KnownNames) { assumed.formUnion(names) }
}
