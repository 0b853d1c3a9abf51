@testable import CensusCore

/// Additions, removals and uses on one device, counted instant by instant.
struct FlowCount {
    var changes: [ChangeCell: ChangeAmounts] = [:]
    var moves: [MoveCell: MoveAmounts] = [:]
    var outcomes: [OutcomeCell: OutcomeAmounts] = [:]
    var uses: [UseCell: UseAmounts] = [:]
    /// The cohorts of kinds.
    var joined: [KindCell: Cohorts.Joined] = [:]

    private let reading: DeviceReading
    private let phases: [Phase]

    init(_ reading: DeviceReading, _ observations: [Observation]) {
        self.reading = reading
        phases = reading.drawn.phases
        let spans = reading.drawn.spans
        for run in Dictionary(grouping: spans, by: SpanHistory.Key.init).values { tellWidgets(run) }
        for (kind, held) in Dictionary(grouping: spans, by: { KindCell(day: .first, $0) }) {
            tellHolder(of: kind, held)
        }
        for span in spans { tellOutcome(span) }
        let counted = Set(observations).filter { $0.circumstances.channel == "production" }
        for observation in counted { tellUse(observation) }
        for (kind, held) in Dictionary(grouping: reading.spans, by: { KindCell(day: .first, $0) }) {
            joined[kind] = cohort(of: kind, held, counted)
        }
    }

    /// For one placement: at each instant, compares the certain widgets of the ending span with those of the beginning one.
    private mutating func tellWidgets(_ run: [Span]) {
        for time in Set(run.map(\.from) + run.compactMap(\.to)) {
            let (ended, began) = (run.first { $0.to == time }, run.first { $0.from == time })
            let more = (began?.level.certain ?? 0) - (ended?.level.certain ?? 0)
            let returned = more > 0 ? min(more, began?.returned ?? 0) : 0
            tell(returned, .returned, of: run[0], at: time)
            if let began, more > returned { tell(more - returned, began.began.cause, of: began, at: time) }
            if let cause = ended?.ended?.cause, more < 0 { tell(more, cause, of: run[0], at: time) }
        }
    }

    private mutating func tell(_ more: Int, _ cause: Cause, of span: Span, at time: Timestamp) {
        guard more != 0 else { return }
        let kind = KindCell(day: reading.zone.day(of: time), span)
        let family = ChangeCell(kind: kind, family: span.placement.family ?? "", cause: cause)
        let version = MoveCell(kind: kind, cause: cause, version: version(at: time))
        if more > 0 {
            changes[family, default: ChangeAmounts()].added += more
            moves[version, default: MoveAmounts()].widgetsAdded += more
        } else {
            changes[family, default: ChangeAmounts()].removed -= more
            moves[version, default: MoveAmounts()].widgetsRemoved -= more
        }
    }

    /// For one kind: the instants at which the device begins to hold it for certain, or stops.
    private mutating func tellHolder(of kind: KindCell, _ spans: [Span]) {
        let certain = spans.filter { $0.level.certain > 0 }
        for time in Set(certain.map(\.from) + certain.compactMap(\.to)) {
            let wasHeld = certain.contains { $0.from < time && $0.to ?? .max >= time }
            let isHeld = certain.contains { $0.from <= time && $0.to ?? .max > time }
            guard wasHeld != isHeld else { continue }
            let causes =
                isHeld
                ? certain.filter { $0.from == time }.map { $0.returned > 0 ? .returned : $0.began.cause }
                : certain.filter { $0.to == time }.compactMap(\.ended?.cause)
            guard let cause = causes.map(\.rawValue).min().flatMap(Cause.init) else { continue }
            var cell = MoveCell(kind: kind, cause: cause, version: version(at: time))
            cell.kind.day = reading.zone.day(of: time)
            if isHeld {
                moves[cell, default: MoveAmounts()].devicesAdded += 1
            } else {
                moves[cell, default: MoveAmounts()].devicesRemoved += 1
            }
        }
    }

    /// How many suspects end here, and how many of them were there. A boot settles all, a use one; otherwise the span says it.
    private mutating func tellOutcome(_ span: Span) {
        guard let claim = span.claim, let end = span.to, let there = span.stillThere else { return }
        var amounts = OutcomeAmounts()
        if span.ended?.rule == .reboot {
            (amounts.settled, amounts.stillThere) = (span.level.suspect, there)
        } else if span.ended?.rule == .signOfLife, span.level.certain > 0 {
            (amounts.settled, amounts.stillThere) = (1, 1)
        } else {
            // The others stay suspect, and might be the ones that prove to be there.
            let left = span.level.suspect - span.settled
            (amounts.settled, amounts.stillThere) = (span.settled, there > left ? there - left : 0)
        }
        guard amounts.settled > 0 else { return }
        amounts.seconds = amounts.settled * Int((end.microseconds - span.from.microseconds) / 1_000_000)
        let cell = OutcomeCell(day: reading.zone.day(of: end), claim: ClaimCell(claim))
        outcomes[cell, default: OutcomeAmounts()].add(amounts, times: 1)
    }

    private mutating func tellUse(_ observation: Observation) {
        guard case .happened(let act, to: let widget) = observation.event else { return }
        let day = reading.zone.day(of: observation.at)
        let cell = UseCell(kind: KindCell(day: day, surface: observation.surface, kind: widget.kind), use: act.use)
        uses[cell, default: UseAmounts()].devices = 1
        uses[cell, default: UseAmounts()].events += 1
    }

    /// The week of the first day is known if an earlier list lacked the kind, or an event reported the installation.
    private func cohort(of kind: KindCell, _ spans: [Span], _ counted: Set<Observation>) -> Cohorts.Joined? {
        let held = spans.filter { $0.level.possible > 0 }
        guard let first = held.map(\.from).min() else { return nil }
        let wasListed = counted.contains {
            $0.surface == kind.surface && $0.event.type == .widgetsReported && $0.at < first
                && !$0.event.isFailure
        }
        let wasTold = held.contains { $0.from == first && $0.began.cause == .installed && $0.began.rule == .event }
        var monday = reading.zone.day(of: first)
        while (monday.daysSince1970 + 3) % 7 != 0 { monday = monday - 1 }
        return .init(heldFrom: first, week: wasListed || wasTold ? monday : nil)
    }

    /// The version that the device ran: in the last phase that had begun, or else in the first phase.
    private func version(at time: Timestamp) -> VersionCell? {
        let begun = phases.filter { $0.from <= time }
        return (begun.max { $0.from < $1.from } ?? phases.first).map { VersionCell($0.traits) }
    }
}

extension Event {
    fileprivate var isFailure: Bool { if case .readFailed = self { true } else { false } }
}
