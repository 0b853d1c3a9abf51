internal import CensusCore

/// Every decision of ``NameLimiter`` on one app, as a value: what is admitted, what the store must be asked, and what to write.
struct AppNames: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// How long a cap is applied without asking the store, so that a client that sends new names to a full app doesn't cause a
    /// query for each. Names are only ever added, so one that exceeded the cap still does.
    static let memory: Duration = .seconds(3)

    /// Names that the store has.
    private(set) var known = KnownNames()
    /// Names that were admitted before they were written, and have not been seen in the store since.
    private(set) var assumed = KnownNames()
    /// Names in the app's manifests, which count against no cap.
    private(set) var declared = KnownNames()
    /// When the store was last read.
    private var readAt: Instant?

    /// The outcome for a batch if the store need not be asked.
    ///
    /// - Returns: nil if it must be asked, because the batch might have a name that is within the cap.
    func admitted(_ batch: Batch, _ caps: NameCaps, at now: Instant) -> Batch? {
        if known.hasAll(of: batch) { return batch }
        guard let readAt, readAt + AppNames.memory > now else { return nil }
        let sifted = CappedBatch(batch, names: known, declared: declared, caps: caps)
        return sifted.fresh.isEmpty ? sifted.batch : nil
    }

    /// Takes over the names that were read from the store.
    ///
    /// - Parameter began: when the read began.
    mutating func took(_ stored: KnownNames, declared: KnownNames = KnownNames(), at began: Instant) {
        known.formUnion(stored)
        self.declared = declared
        assumed.subtract(known)
        readAt = began
    }

    /// Applies the caps to a batch.
    ///
    /// - Returns: what is admitted, and those of its names that must be written before it is stored.
    func sifted(_ batch: Batch, _ caps: NameCaps) -> (batch: Batch, fresh: KnownNames) {
        if known.hasAll(of: batch) { return (batch, KnownNames()) }
        let sifted = CappedBatch(batch, names: known.union(assumed), declared: declared, caps: caps)
        return (sifted.batch, sifted.fresh.union(KnownNames(of: sifted.batch).intersection(assumed)))
    }

    /// Notes that the store has these names now.
    mutating func wrote(_ names: KnownNames) {
        known.formUnion(names)
        assumed.subtract(names)
    }

    /// Counts names as used that belong to a batch which the store does not have yet.
    mutating func assume(_ names: KnownNames) { assumed.formUnion(names) }
}
