internal import CensusCore

/// What is stored of a device.
struct StoredDevice: Sendable {
    var silentAt: Timestamp
    var lastHeardAt: Timestamp
    var suspectSince: Timestamp?
    var foldedThrough: Timestamp?
    var lastOrdinal: Int32
    var checkpoint: [UInt8]?
}

/// One device while it is reconciled.
struct DeviceHistory: Sendable {
    let device: Pseudonym
    let appNumber: Int32
    let fold: DeviceFold
    /// Nil for one that was never counted before.
    let before: StoredDevice?
    private(set) var state: DeviceState
    /// The latest corrected time in `state`, of observations that are never counted, too.
    private(set) var foldedThrough: Timestamp?
    /// Whether it is folded from its first observation on.
    let isRefolded: Bool
    /// Why it can't be folded.
    var failure: String?
    /// Its stored spans that may have to change, by ordinal.
    var spans: [Int32: Span] = [:]

    /// Goes on from the checkpoint when that is of the same fold and all that is new comes after it.
    init(_ device: Pseudonym, _ claim: DeviceClaims.Claim, before: StoredDevice?, fold: DeviceFold) {
        self.device = device
        self.appNumber = claim.appNumber
        self.fold = fold
        self.before = before
        if let earliest = claim.earliestAt, let through = before?.foldedThrough, through < earliest,
            let bytes = before?.checkpoint, let state = fold.state(checkpoint: bytes)
        {
            self.state = state
            foldedThrough = through
            isRefolded = false
        } else {
            state = DeviceState()
            isRefolded = true
        }
    }

    /// - Parameter observations: none of them earlier than those folded before.
    mutating func add(_ observations: [Observation]) {
        state = fold.fold(observations, onto: state)
        foldedThrough = observations.reduce(foldedThrough) { through, next in max(through ?? next.at, next.at) }
    }
}
