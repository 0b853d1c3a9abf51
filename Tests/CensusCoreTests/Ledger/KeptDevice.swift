@testable import CensusCore

/// One device as the store keeps it: it reads as little of the past as may change, and enters the difference of two such
/// readings in the ledger.
struct KeptDevice {
    private(set) var fold: DeviceFold
    /// What the base does not hold yet, in the order of arrival.
    private var log: [Observation] = []
    private var base: (through: Timestamp, bytes: [UInt8])?
    private var newest: (through: Timestamp, bytes: [UInt8])?
    private(set) var spans: [Span] = []
    private(set) var phases: [Phase] = []
    /// As the device is counted, without its spans and phases; nil: it was not counted yet.
    private var counted: DeviceReading?
    /// All that was ever entered.
    private(set) var entered = NetChanges()

    init(_ fold: DeviceFold) { self.fold = fold }

    /// The whole reading, as it is counted.
    var whole: DeviceReading? {
        guard var reading = counted else { return nil }
        reading.spans = spans
        reading.phases = phases
        return reading
    }

    /// Whether spans of one placement overlap, or phases do.
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

    /// Stores those that are new and reconciles the device.
    mutating func receive(_ some: [Observation], now: Timestamp) {
        let fresh = some.filter { one in
            one.at > base?.through ?? .beforeAll && !log.contains { $0.isRedelivered(as: one) }
        }
        guard let earliest = fresh.map(\.at).min() else { return }
        log += fresh
        reconcile(from: earliest, now: now)
    }

    /// The app is counted by the days of another zone, or by another window.
    mutating func change(_ window: ActivityWindow, now: Timestamp) {
        fold.window = window
        reconcile(from: nil, now: now)
    }

    /// What was heard before `end` is dropped: the base holds it.
    mutating func drop(before end: Timestamp) {
        let state = base.flatMap { try? fold.state(base: $0.bytes) } ?? DeviceState()
        let expired = log.filter { $0.at < end }
        guard !expired.isEmpty else { return }
        base = (end - .microseconds(1), fold.checkpoint(of: fold.fold(expired, onto: state)))
        log.removeAll { $0.at < end }
    }

    /// What time alone changes by now.
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

    /// What was counted of the device stays counted without it.
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
