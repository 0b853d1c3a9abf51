@testable import CensusCore

/// One device as the store keeps it. It reads only the part of the past that can change, and enters the difference of two
/// such readings in the ledger.
struct KeptDevice {
    private(set) var fold: DeviceFold
    /// Observations that the base doesn't hold yet, in order of arrival.
    private var log: [Observation] = []
    private var base: (through: Timestamp, bytes: [UInt8])?
    private var newest: (through: Timestamp, bytes: [UInt8])?
    private(set) var spans: [Span] = []
    private(set) var phases: [Phase] = []
    /// The counted reading, without its spans and phases; nil if the device was not counted yet.
    private var counted: DeviceReading?
    /// Everything entered so far.
    private(set) var entered = NetChanges()

    init(_ fold: DeviceFold) { self.fold = fold }

    /// The whole reading, as it is counted.
    var whole: DeviceReading? {
        guard var reading = counted else { return nil }
        reading.spans = spans
        reading.phases = phases
        return reading
    }

    /// Whether spans of one placement, or phases, overlap.
    var holdsTwice: Bool {
        func overlap(_ runs: [(from: Timestamp, to: Timestamp?)]) -> Bool {
            let runs = runs.sorted { $0.from < $1.from }
            return zip(runs, runs.dropFirst()).contains { $0.to ?? .max > $1.from }
        }
        let byPlacement = Dictionary(grouping: spans, by: SpanHistory.Key.init).values
        return overlap(phases.map { ($0.from, $0.to) })
            || byPlacement.contains { ofOne in overlap(ofOne.map { ($0.from, $0.to) }) }
    }

    /// Whether something is held while the device is in no phase.
    var holdsUnheard: Bool {
        guard let drawn = whole?.drawn else { return false }
        return drawn.spans.contains { span in
            var reached = span.from
            for phase in drawn.phases where phase.from <= reached { reached = max(reached, phase.to ?? .max) }
            return reached < span.to ?? .max
        }
    }

    /// Stores the new observations and reconciles the device.
    mutating func receive(_ some: [Observation], now: Timestamp) {
        let fresh = some.filter { one in
            one.at > base?.through ?? .beforeAll && !log.contains { $0.isRedelivered(as: one) }
        }
        guard let earliest = fresh.map(\.at).min() else { return }
        log += fresh
        reconcile(from: earliest, now: now)
    }

    /// Changes the app's zone or window, and reconciles the device.
    mutating func change(_ window: ActivityWindow, now: Timestamp) {
        fold.window = window
        reconcile(from: nil, now: now)
    }

    /// Drops the observations before `end`, after folding them into the base.
    mutating func drop(before end: Timestamp) {
        let state = base.flatMap { try? fold.state(base: $0.bytes) } ?? DeviceState()
        let expired = log.filter { $0.at < end }
        guard !expired.isEmpty else { return }
        base = (end - .microseconds(1), fold.checkpoint(of: fold.fold(expired, onto: state)))
        log.removeAll { $0.at < end }
    }

    /// Enters the changes that are due by now.
    mutating func enterDue(by now: Timestamp) {
        guard let before = counted, let due = before.dueAt, due <= now else { return }
        var reading = before
        reading.spans = spans.filter { $0.to ?? .max >= due }
        reading.phases = phases.filter { $0.to ?? .max >= due }
        var drawn = reading
        drawn.dueAt = DeviceReading.due(
            silentAt: before.silentAt, reportingUntil: before.reportingUntil, zone: before.zone, after: now)
        enter(drawn, insteadOf: reading)
        counted?.dueAt = drawn.dueAt
    }

    /// Erases the device. What was counted of it stays counted.
    mutating func forget(at time: Timestamp) {
        guard let whole else { return }
        let past = whole.forgotten(at: time)
        enter(past, insteadOf: whole)
        (spans, phases, counted) = (past.spans, past.phases, past)
    }

    private mutating func reconcile(from earliest: Timestamp?, now: Timestamp) {
        var start = DeviceState()
        var pending = log
        var heard: Timestamp?
        var isNewer = false
        if let earliest, let newest, newest.through < earliest, let state = fold.state(checkpoint: newest.bytes) {
            (start, heard, isNewer) = (state, newest.through, true)
            pending = log.filter { $0.at > newest.through }
        } else if let base, let state = try? fold.state(base: base.bytes) {
            (start, heard) = (state, base.through)
        }
        let state = fold.fold(pending, onto: start)
        newest = ((log.map(\.at) + [base?.through ?? .beforeAll]).max() ?? .beforeAll, fold.checkpoint(of: state))
        guard let silentAt = fold.silentAt(of: state) else { return }

        let fixedBefore = start.lastHeardAt.map { min($0, start.suspectSince ?? $0) }
        let from = isNewer && counted?.zone == fold.window.zone ? fixedBefore : nil
        let readSpans = spans.filter { span in from.map { span.to ?? .max >= $0 } ?? true }
        let readPhases = phases.filter { phase in from.map { phase.to ?? .max >= $0 } ?? true }
        let reportingUntil = fold.reportingUntil(of: state)
        var reading = DeviceReading(
            spans: readSpans.filter(start.isFixed) + fold.spans(of: state),
            phases: readPhases.filter(start.isFixed) + state.phases, silentAt: silentAt, reportingUntil: reportingUntil,
            dueAt: DeviceReading.due(
                silentAt: silentAt, reportingUntil: reportingUntil, zone: fold.window.zone, after: now),
            zone: fold.window.zone)
        if let fixedBefore, let heard, let counted {
            reading.cohorts = counted.cohorts.fixed(before: fixedBefore, heard: heard)
        }
        for observation in pending { reading.cohorts.note(observation) }
        reading.cohorts.add(reading.spans, zone: reading.zone)
        if let firstHeardAt = state.firstHeardAt, let platform = state.circumstances?.platform {
            reading.firstHeard = DeviceReading.FirstHeard(at: firstHeardAt, platform: platform)
        }
        var before = counted
        before?.spans = readSpans
        before?.phases = readPhases
        enter(reading, insteadOf: before)
        let left = spans.filter { span in from.map { span.to ?? .max < $0 } ?? false }
        let leftPhases = phases.filter { phase in from.map { phase.to ?? .max < $0 } ?? false }
        (spans, phases, counted) = (left + reading.spans, leftPhases + reading.phases, reading)
    }

    private mutating func enter(_ reading: DeviceReading, insteadOf before: DeviceReading?) {
        entered.add(reading, insteadOf: before)
    }
}

extension Timestamp {
    static let beforeAll = Timestamp(seconds: -10_000_000_000)
    static let afterAll = Timestamp(seconds: 10_000_000_000)
}
