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
    /// There is no base, and the observation with which the device began is no longer kept.
    var lacksPast = false
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
    /// The same of `start`: nothing earlier is added.
    let foldedBefore: Timestamp?
    /// Observations since `start`.
    private(set) var folded = 0
    /// So many are folded before anybody looks what came of them.
    private static let piece = 20
    private var foldedFrom: Timestamp?
    /// The latest of them, whatever it changed.
    private(set) var latest: Timestamp?
    private let plausibility: Plausibility

    /// Between the first and the last of them.
    var daysFolded: Int {
        guard let foldedFrom, let foldedThrough else { return 0 }
        return Int((foldedThrough - foldedFrom) / .hours(24))
    }
    /// Whether it is folded from its first observation, or the first that is kept.
    let isRefolded: Bool
    private let readsAll: Bool
    /// Why it can't be folded.
    var failure: String?
    /// It tells of more than a phone can.
    private(set) var isImplausible = false
    /// Of what is stored of it something can't be read.
    var isUnreadable = false
    /// Its stored spans that may have to change, by ordinal, and those of the same days.
    var spans: [Int32: Span] = [:]
    /// Its stored phases that may have to change, and those of the same days; by time.
    var phases: [Phase] = []

    /// Goes on from the checkpoint when that is of the same fold and all that is new comes after it.
    ///
    /// A past that can't be read is a failure, and never the same as none: what is stored would count as gone.
    init(
        _ device: Pseudonym, _ claim: DeviceClaims.Claim, before: StoredDevice?, fold: DeviceFold,
        plausibility: Plausibility
    ) {
        self.device = device
        self.appNumber = claim.appNumber
        self.fold = fold
        self.before = before
        self.plausibility = plausibility
        readsAll = claim.readsAll
        if let earliest = claim.earliestAt, let newest = before?.newest, newest.foldedThrough < earliest,
            let state = fold.state(checkpoint: newest.bytes)
        {
            start = state
            foldedThrough = newest.foldedThrough
            isRefolded = false
        } else {
            isRefolded = true
            do throws(UnreadablePast) {
                start = try fold.past(of: before)
                foldedThrough = before?.base?.foldedThrough
            } catch {
                start = DeviceState()
                failure = error.description
            }
        }
        state = start
        foldedBefore = foldedThrough
        refuseImplausible()
    }

    /// No stored span or phase that ended before is needed; nil: all are.
    var needsEndingFrom: Timestamp? {
        // Where days are others now, all that was counted is counted anew.
        guard !readsAll, before?.counted?.zone == fold.window.zone, let lastHeardAt = start.lastHeardAt else {
            return nil
        }
        return min(lastHeardAt, start.suspectSince ?? lastHeardAt)
    }

    /// - Parameter observations: none of them earlier than those folded before.
    mutating func add(_ observations: [Observation]) throws(CancellationError) {
        for start in stride(from: 0, to: observations.count, by: DeviceHistory.piece) {
            if Task.isCancelled { throw CancellationError() }
            let piece = observations[start..<min(start + DeviceHistory.piece, observations.count)]
            state = fold.fold(piece, onto: state)
            latest = piece.reduce(latest) { latest, next in max(latest ?? next.at, next.at) }
            foldedThrough = [foldedThrough, latest].compactMap { $0 }.max()
            folded += piece.count
            foldedFrom = foldedFrom ?? piece.first?.at
            refuseImplausible()
            if failure != nil { return }
        }
    }

    /// Sets the device aside when it tells of more than a phone can.
    private mutating func refuseImplausible() {
        guard let excess = plausibility.excess(of: self) else { return }
        isImplausible = true
        failure = "it tells of \(excess), as no phone does"
        state = start
    }

    /// What is stored of it and needed, by a rough guess.
    var storedBytes: Int {
        let checkpoints = (before?.newest?.bytes.count ?? 0) + (before?.base?.bytes.count ?? 0)
        let mayNeedAll = needsEndingFrom == nil || start.suspectSince != nil
        return checkpoints + (mayNeedAll ? Int(before?.lastOrdinal ?? 0) * DeviceHistory.spanBytes : 0)
    }

    private static let spanBytes = 32
}

/// What a device's observations led to that are no longer kept can't be read.
struct UnreadablePast: Error, CustomStringConvertible {
    let description: String
}

extension DeviceFold {
    /// What observations led to that are no longer kept; empty when all are.
    func past(of stored: StoredDevice?) throws(UnreadablePast) -> DeviceState {
        if stored?.lacksPast == true {
            throw UnreadablePast(
                description:
                    "its first observations are no longer kept, and what they led to (census.device_base) is missing")
        }
        guard let base = stored?.base else { return DeviceState() }
        do throws(UnreadableState) {
            return try state(base: base.bytes)
        } catch {
            throw UnreadablePast(
                description:
                    "what its older observations led to (census.device_base) can't be read: \(error)")
        }
    }
}
