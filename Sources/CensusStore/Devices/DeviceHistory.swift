internal import CensusCore
internal import Postgres

/// What is stored of a device.
struct StoredDevice: Sendable {
    /// How it was counted; nil when it was not counted yet.
    struct Counted: Sendable {
        var silentAt: Timestamp
        var reportingUntil: Timestamp?
        var dueAt: Timestamp?
        var zone: ReportingZone
    }

    struct Checkpoint: Sendable {
        var foldedThrough: Timestamp
        var bytes: [UInt8]
    }

    var counted: Counted?
    var lastOrdinal: Int32
    var newest: Checkpoint?
    /// What observations led to that are no longer kept.
    var base: Checkpoint?
}

/// One device while it is reconciled.
struct DeviceHistory: Sendable {
    let device: Pseudonym
    let appNumber: Int32
    let fold: DeviceFold
    /// Nil for one of which nothing is stored.
    let before: StoredDevice?
    /// What the fold goes on from: the newest checkpoint, else the base, else nothing.
    let start: DeviceState
    private(set) var state: DeviceState
    /// The latest corrected time in `state`, of observations that are never counted, too.
    private(set) var foldedThrough: Timestamp?
    /// Whether it is folded from its first observation, or the first that is kept.
    let isRefolded: Bool
    /// Why it can't be folded.
    var failure: String?
    /// Its stored spans that may have to change, by ordinal, and those of the same days.
    var spans: [Int32: Span] = [:]
    /// Its stored phases that may have to change, and those of the same days; by time.
    var phases: [Phase] = []

    /// Goes on from the checkpoint when that is of the same fold and all that is new comes after it.
    init(_ device: Pseudonym, _ claim: DeviceClaims.Claim, before: StoredDevice?, fold: DeviceFold) {
        self.device = device
        self.appNumber = claim.appNumber
        self.fold = fold
        self.before = before
        if let earliest = claim.earliestAt, let newest = before?.newest, newest.foldedThrough < earliest,
            let state = fold.state(checkpoint: newest.bytes)
        {
            start = state
            foldedThrough = newest.foldedThrough
            isRefolded = false
        } else if let base = before?.base, let state = fold.state(base: base.bytes) {
            start = state
            foldedThrough = base.foldedThrough
            isRefolded = true
        } else {
            start = DeviceState()
            isRefolded = true
        }
        state = start
    }

    /// No stored span or phase that ended before is needed; nil: all are.
    var needsEndingFrom: Timestamp? {
        // Where days are others now, all that was counted is counted anew.
        guard before?.counted?.zone == fold.window.zone, let lastHeardAt = start.lastHeardAt else { return nil }
        return min(lastHeardAt, start.suspectSince ?? lastHeardAt)
    }

    /// - Parameter observations: none of them earlier than those folded before.
    mutating func add(_ observations: [Observation]) {
        state = fold.fold(observations, onto: state)
        foldedThrough = observations.reduce(foldedThrough) { through, next in max(through ?? next.at, next.at) }
    }
}
