internal import CensusCore

/// One device while it is being reconciled.
struct DeviceHistory: Sendable {
    /// What the fold continues from.
    enum Basis: Sendable {
        /// The state after the newest observation that was folded.
        case checkpoint
        /// The state from observations that are no longer kept.
        case base
        /// Nothing: it starts at the first observation.
        case nothing
    }

    enum Outcome: Sendable {
        /// Anything can change.
        case news
        /// Only the times and days on which it was heard from: see ``DeviceFold/isHeartbeat(from:to:listed:dueAt:now:)``.
        case heartbeat
        /// It can't be folded, for a reason in words.
        case failed(String, Fault)
    }

    enum Fault: Sendable {
        /// It claims more than any phone could: see ``Plausibility``.
        case implausible
        /// A stored row of it can't be read.
        case unreadable
        /// An observation or its past can't be read.
        case unfoldable
    }

    let device: Pseudonym
    let appNumber: Int32
    let fold: DeviceFold
    /// Nil when nothing is stored about the device.
    let before: StoredDevice?
    let basis: Basis
    /// The state of ``basis``.
    let start: DeviceState
    private(set) var state: DeviceState
    /// The latest corrected time in `state`, including observations that are never counted.
    private(set) var foldedThrough: Timestamp?
    /// The same for `start`: nothing earlier is added.
    let foldedBefore: Timestamp?
    /// Observations folded since `start`.
    private(set) var folded = 0
    /// Observations folded between checks for cancellation and implausibility.
    private static let piece = 20
    private var foldedFrom: Timestamp?
    /// The latest of these, whatever it changed.
    private(set) var latest: Timestamp?
    private let plausibility: Plausibility
    /// Pairs whose second report is no later than this were taken already, or arrived too late.
    private let pairedThrough: Timestamp
    /// Pairs of reports that are new to the watch for losses.
    private(set) var pairs: [PairEntries.Cell: ReportPairs] = [:]

    /// Days between the first and the last of these.
    var daysFolded: Int {
        guard let foldedFrom, let foldedThrough else { return 0 }
        return Int((foldedThrough - foldedFrom) / .hours(24))
    }
    /// Whether it is folded from its first observation, or from the first one kept.
    var isRefolded: Bool { basis != .checkpoint }
    /// Whether everything that is stored about it is read, however it was counted.
    let readsAll: Bool
    private(set) var outcome = Outcome.news
    /// Stored rows that might have to change, and the others of the same days.
    var stored = StoredRows()
    /// The uses in the observations folded since `start`.
    private(set) var usesSince = DeviceUses()
    /// The same by the days of the zone in which the device was counted, if that is another one.
    private var usesSinceAsStored: DeviceUses?
    /// The first lists in them.
    private var listsSince = Cohorts()

    /// Why it can't be folded.
    var failure: String? { if case .failed(let reason, _) = outcome { reason } else { nil } }
    var fault: Fault? { if case .failed(_, let fault) = outcome { fault } else { nil } }
    var isHeartbeat: Bool { if case .heartbeat = outcome { true } else { false } }

    /// Continues from the checkpoint when it is of the same fold and everything new comes after it.
    ///
    /// An unreadable past is a failure. It is never treated as empty, because everything stored would then count as gone.
    ///
    /// - Parameter pairsReports: false for a base, whose pairs were taken when the device was reconciled.
    init(
        _ device: Pseudonym, _ entry: QueuedDevices.Entry, before: StoredDevice?, fold: DeviceFold,
        plausibility: Plausibility, pairsReports: Bool = true
    ) {
        self.device = device
        self.appNumber = entry.appNumber
        self.fold = fold
        self.before = before
        self.plausibility = plausibility
        // If the device's own row is lost, it is unknown which pairs were taken.
        let isLost = entry.readsAll && before?.newest == nil
        pairedThrough = pairsReports && !isLost ? before?.newest?.foldedThrough ?? .distantPast : .distantFuture
        readsAll = entry.readsAll
        if let earliest = entry.earliestAt, let newest = before?.newest, newest.foldedThrough < earliest,
            let state = fold.state(checkpoint: newest.bytes)
        {
            basis = .checkpoint
            start = state
            foldedThrough = newest.foldedThrough
        } else {
            basis = before?.base == nil ? .nothing : .base
            do throws(UnreadablePast) {
                start = try fold.past(of: before)
                foldedThrough = before?.base?.foldedThrough
            } catch {
                start = DeviceState()
                outcome = .failed(error.description, .unfoldable)
            }
        }
        state = start
        foldedBefore = foldedThrough
        if let counted = before?.counted, counted.zone != fold.window.zone { usesSinceAsStored = DeviceUses() }
        refuseImplausible()
    }

    mutating func fail(_ reason: String, _ fault: Fault) { outcome = .failed(reason, fault) }

    /// Stored spans and phases that ended before this time are not needed; nil: all are.
    var needsEndingFrom: Timestamp? {
        // When the zone has changed, everything is counted again. From a base, the ends of what began before it are found again.
        guard !readsAll, basis == .checkpoint, let counted = before?.counted, counted.zone == fold.window.zone
        else { return nil }
        return fixedBefore
    }

    /// No observation since `start` can change what began before this time; nil: everything can change.
    private var fixedBefore: Timestamp? {
        start.lastHeardAt.map { min($0, start.suspectSince ?? $0) }
    }

    /// Folds observations that were not folded before, unless the device can't be folded.
    ///
    /// - Parameter observations: in fold order, and none earlier than those already added.
    mutating func addNew(of observations: [Observation]) throws(CancellationError) {
        guard failure == nil else { return }
        let fresh = observations.drop { $0.at <= foldedBefore ?? .distantPast }
        if !fresh.isEmpty { try add(fresh) }
    }

    private mutating func add(_ observations: ArraySlice<Observation>) throws(CancellationError) {
        var rest = observations
        while !rest.isEmpty {
            if Task.isCancelled { throw CancellationError() }
            // Observations of one instant are folded together.
            var end = min(rest.startIndex + DeviceHistory.piece, rest.endIndex)
            while end < rest.endIndex, rest[end].at == rest[end - 1].at { end += 1 }
            let piece = rest[..<end]
            rest = rest[end...]
            state = fold.fold(piece, onto: state) { pair in
                // Take each pair once: observations folded before are no new evidence.
                guard pair.at > pairedThrough else { return }
                pairs[PairEntries.Cell(pair, zone: fold.window.zone), default: ReportPairs()]
                    .add(gap: pair.gap, isLost: pair.isLost)
            }
            for observation in piece {
                usesSince.add(observation, zone: fold.window.zone)
                if let stored = before?.counted?.zone { usesSinceAsStored?.add(observation, zone: stored) }
                listsSince.note(observation)
            }
            latest = piece.reduce(latest) { latest, next in max(latest ?? next.at, next.at) }
            foldedThrough = [foldedThrough, latest].compactMap { $0 }.max()
            folded += piece.count
            foldedFrom = foldedFrom ?? piece.first?.at
            refuseImplausible()
            if failure != nil { return }
        }
    }

    /// Checks, once everything is folded, whether it is a heartbeat.
    mutating func noticeHeartbeat(now: Timestamp) {
        guard !isRefolded, failure == nil, needsEndingFrom != nil else { return }
        let isHeartbeat = fold.isHeartbeat(
            from: start, to: state, listed: listsSince.firstLists.keys, dueAt: before?.counted?.dueAt, now: now)
        outcome = isHeartbeat ? .heartbeat : .news
    }

    /// Whether it has stored rows, but it is unknown how they were counted because its own row is lost.
    var isCountedUnknown: Bool { before?.counted == nil && !(stored.spans.isEmpty && stored.phases.isEmpty) }

    /// The device's uses by all its observations.
    var uses: DeviceUses {
        var uses = stored.uses
        var since = usesSince
        if isRefolded, foldedBefore != nil, let usesSinceAsStored {
            // Uses without an observation stay on the day on which they were counted.
            uses.subtract(usesSinceAsStored)
        } else if isRefolded, let foldedBefore {
            // Some of that day's observations might no longer be kept, so the stored numbers are the minimum.
            let day = fold.window.zone.day(of: foldedBefore)
            uses = uses.during(...day)
            uses.raise(to: since.during(day...day))
            since = since.during((day + 1)...)
        } else if isRefolded {
            uses = DeviceUses()
        }
        uses.add(since)
        return uses
    }

    /// - Parameter reading: the device's spans by all its observations.
    func cohorts(of reading: DeviceReading) -> Cohorts {
        var cohorts = Cohorts()
        if let fixedBefore, let foldedBefore {
            cohorts = stored.cohorts.fixed(before: fixedBefore, heard: foldedBefore)
        }
        for (surface, time) in listsSince.firstLists { cohorts.note(surface, listedAt: time) }
        cohorts.add(reading.spans, zone: reading.zone)
        return cohorts
    }

    /// Sets the device aside when it claims more than any phone could.
    private mutating func refuseImplausible() {
        guard let excess = plausibility.excess(of: self) else { return }
        outcome = .failed("it claims \(excess), which no phone does", .implausible)
        state = start
    }

    /// A rough guess at the bytes stored and needed.
    var storedBytes: Int {
        let checkpoints = (before?.newest?.bytes.count ?? 0) + (before?.base?.bytes.count ?? 0)
        let mayNeedAll = needsEndingFrom == nil || start.suspectSince != nil
        return checkpoints + (mayNeedAll ? Int(before?.lastOrdinal ?? 0) * DeviceHistory.spanBytes : 0)
    }

    private static let spanBytes = 32
}
