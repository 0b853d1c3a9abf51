/// What a device adds to each day's numbers: the change of a level from a day on, or a flow on a day.
///
/// Levels are running sums. Adding a device's new reading and subtracting its old one restates exactly the days on which the
/// two differ. Spans and phases that are the same in both may be left out of both.
public struct NetChanges: Hashable, Sendable {
    public private(set) var kinds = NetAmounts<KindCell, KindAmounts>()
    public private(set) var unsettled = NetAmounts<UnsettledCell, Int>()
    public private(set) var versions = NetAmounts<KindVersionCell, VersionAmounts>()
    public private(set) var installs = NetAmounts<InstallCell, InstallAmounts>()
    public private(set) var intents = NetAmounts<IntentCell, IntentAmounts>()
    public private(set) var devices = NetAmounts<DeviceCell, DeviceAmounts>()
    public private(set) var widgetCounts = NetAmounts<WidgetCountCell, WidgetCountAmounts>()
    public private(set) var changes = NetAmounts<ChangeCell, ChangeAmounts>()
    public private(set) var moves = NetAmounts<MoveCell, MoveAmounts>()
    public private(set) var outcomes = NetAmounts<OutcomeCell, OutcomeAmounts>()
    public private(set) var active = NetAmounts<ActiveCell, ActiveAmounts>()
    public private(set) var uses = NetAmounts<UseCell, UseAmounts>()
    public private(set) var cohorts = NetAmounts<CohortCell, CohortAmounts>()
    public private(set) var overlaps = NetAmounts<OverlapCell, Int>()
    public internal(set) var lifetimes = NetAmounts<LifetimeCell, Int>()
    public internal(set) var firstWidgets = NetAmounts<FirstWidgetCell, Int>()
    public internal(set) var engagement = NetAmounts<EngagementCell, EngagementAmounts>()

    public init() {}

    public mutating func add(_ other: NetChanges) {
        kinds.add(other.kinds)
        unsettled.add(other.unsettled)
        versions.add(other.versions)
        installs.add(other.installs)
        intents.add(other.intents)
        devices.add(other.devices)
        widgetCounts.add(other.widgetCounts)
        changes.add(other.changes)
        moves.add(other.moves)
        outcomes.add(other.outcomes)
        active.add(other.active)
        uses.add(other.uses)
        cohorts.add(other.cohorts)
        overlaps.add(other.overlaps)
        lifetimes.add(other.lifetimes)
        firstWidgets.add(other.firstWidgets)
        engagement.add(other.engagement)
    }

    /// Counts a device by a new reading instead of the one before.
    ///
    /// - Parameter before: nil if the device wasn't counted before.
    public mutating func add(_ reading: DeviceReading, insteadOf before: DeviceReading?) {
        guard let before else { return add(reading, times: 1) }
        guard reading.holdsLike(before) else {
            add(reading, times: 1)
            add(before, times: -1)
            return
        }
        guard reading.uses != before.uses else { return }
        let drawn = reading.drawn
        ActiveDays(
            reading, drawn.spans.map { HeldDays($0, zone: reading.zone) },
            drawn.phases.map { PhaseDays($0, zone: reading.zone) }, insteadOf: before.uses
        ).add(to: &active, times: 1)
        addUses(reading.uses, times: 1)
        addUses(before.uses, times: -1)
        addEngagement(reading, reading.uses, times: 1)
        addEngagement(reading, before.uses, times: -1)
    }

    /// - Parameter times: 1 to add the reading, -1 to subtract it.
    public mutating func add(_ reading: DeviceReading, times: Int) {
        let drawn = reading.drawn
        let spans = drawn.spans.map { HeldDays($0, zone: reading.zone) }
        let phases = drawn.phases.map { PhaseDays($0, zone: reading.zone) }
        let byKind = Dictionary(grouping: spans) { KindCell(day: .first, $0.span) }
        for (kind, held) in byKind {
            addLevels(
                of: kind, held, phases, drawn.silences.filter { $0.kinds.contains(kind) },
                cohort: reading.cohorts.week(of: kind), times: times)
            addHolder(of: kind, held, phases, times: times)
        }
        addDevice(spans, phases, times: times)
        addChanges(spans, phases, times: times)
        for held in spans { addOutcome(held, times: times) }
        ActiveDays(reading, spans, phases).add(to: &active, times: times)
        addOverlaps(byKind, times: times)
        addUses(reading.uses, times: times)
        for (kind, joined) in reading.cohorts.joined {
            guard let week = joined.week else { continue }
            var amounts = CohortAmounts()
            amounts.placed = 1
            add(amounts, toCohort: week, of: kind, on: week, times: times)
        }
        addCohorts(reading, times: times)
    }
}

// MARK: Levels

extension NetChanges {
    /// Adds one kind's level at the end of each day on which something of the kind begins or ends.
    private mutating func addLevels(
        of kind: KindCell, _ held: [HeldDays], _ phases: [PhaseDays], _ silences: [Silence], cohort: Day?, times: Int
    ) {
        let extent = held.lazy.map(\.days).reduce(held[0].days) { $0.union($1) }
        let within = phases.lazy.flatMap { [$0.days.from, $0.days.to] }.filter(extent.contains)
        let silent = silences.lazy.map(\.days).filter { !$0.isEmpty }
        let days = Set(
            held.lazy.flatMap { [$0.days.from, $0.days.to] } + within + silent.flatMap { [$0.from, $0.to] }
        )
        .sorted()
        var before = KindLevel()
        for day in days where day != .last {
            let live = held.filter { $0.days.contains(day) }
            let after = KindLevel(
                live.map(\.span), phase: phases.first { $0.days.contains(day) }?.phase,
                isSilent: silent.contains { $0.contains(day) })
            if after != before {
                add(before, of: kind, on: day, times: -times)
                add(after, of: kind, on: day, times: times)
                if let cohort {
                    add(before.amounts, toCohort: cohort, of: kind, on: day, times: -times)
                    add(after.amounts, toCohort: cohort, of: kind, on: day, times: times)
                }
            }
            before = after
        }
    }

    private mutating func add(_ level: KindLevel, of kind: KindCell, on day: Day, times: Int) {
        var cell = kind
        cell.day = day
        kinds.add(level.amounts, to: cell, times: times)
        if let claim = level.unsettled { unsettled.add(1, to: UnsettledCell(kind: cell, claim: claim), times: times) }
        for (intent, amounts) in level.byIntent {
            intents.add(amounts, to: IntentCell(kind: cell, intent: intent.text), times: times)
        }
        guard let version = level.version else { return }
        versions.add(VersionAmounts(level.amounts), to: KindVersionCell(kind: cell, version: version), times: times)
        for (family, amounts) in level.byFamily {
            installs.add(amounts, to: InstallCell(kind: cell, family: family.text, version: version), times: times)
        }
    }

    /// Changes before the cohort's own week are entered in that week, because devices can possibly hold a kind before they
    /// certainly do.
    private mutating func add(
        _ amounts: CohortAmounts, toCohort week: Day, of kind: KindCell, on day: Day, times: Int
    ) {
        var cell = kind
        cell.day = max(day, week).weekEnd
        cohorts.add(amounts, to: CohortCell(kind: cell, week: week), times: times)
    }

    private mutating func add(_ level: KindAmounts, toCohort week: Day, of kind: KindCell, on day: Day, times: Int) {
        var amounts = CohortAmounts()
        amounts.certain = level.devicesCertain
        amounts.possible = level.devicesPossible
        add(amounts, toCohort: week, of: kind, on: day, times: times)
    }

    /// The most kinds of a surface that a device can hold on a day whose overlaps are counted. No person places more of one app,
    /// and a broken client's thousand kinds would have half a million pairs.
    static let maximumOverlapping = 30

    /// Adds the days on which the device certainly held two kinds of a surface.
    private mutating func addOverlaps(_ byKind: [KindCell: [HeldDays]], times: Int) {
        for (surface, kinds) in Dictionary(grouping: byKind, by: { $0.key.surface }) {
            var held = kinds.map { (kind: $0.key.kind, days: $0.value.certainDays) }.filter { !$0.days.isEmpty }
            if held.count > NetChanges.maximumOverlapping {
                let few = held.map { $0.days }.sharedByAtMost(NetChanges.maximumOverlapping)
                for index in held.indices { held[index].days = held[index].days.intersection(with: few) }
                held.removeAll { $0.days.isEmpty }
            }
            held.sort { $0.kind.precedesByBytes($1.kind) }
            for (position, first) in held.enumerated() {
                for second in held.dropFirst(position + 1) {
                    first.days.forEachIntersection(with: second.days) { _, _, both in
                        overlaps.add(1, during: both, times: times) { day in
                            OverlapCell(
                                kind: KindCell(day: day, surface: surface, kind: first.kind), other: second.kind)
                        }
                    }
                }
            }
        }
    }

    private mutating func addDevice(_ spans: [HeldDays], _ phases: [PhaseDays], times: Int) {
        let widgets = spans.filter { $0.span.level.possible > 0 && $0.span.surface.isWidget }
        for phase in phases where !phase.days.isEmpty {
            let inside = widgets.lazy.flatMap { [$0.days.from, $0.days.to] }.filter(phase.days.contains)
            var before: DeviceLevel?
            for day in Set(inside).union([phase.days.from, phase.days.to]).sorted() where day != .last {
                let live = widgets.lazy.filter { $0.days.contains(day) }.map(\.span.level)
                let after = day < phase.days.to ? DeviceLevel(live, phase.phase.traits) : nil
                if after != before {
                    if let before { add(before, on: day, phase.phase.traits, times: -times) }
                    if let after { add(after, on: day, phase.phase.traits, times: times) }
                }
                before = after
            }
        }
    }

    private mutating func add(_ level: DeviceLevel, on day: Day, _ traits: Phase.Traits, times: Int) {
        devices.add(
            level.amounts,
            to: DeviceCell(day: day, version: VersionCell(traits), galleryPolicy: traits.galleryPolicy ?? 0),
            times: times)
        for (widgets, amounts) in level.widgetCounts {
            let cell = WidgetCountCell(
                day: day, platform: traits.platform, widgets: min(Int64(widgets), WidgetCountCell.most))
            widgetCounts.add(amounts, to: cell, times: times)
        }
    }
}

// MARK: Flows

extension NetChanges {
    /// Adds the certain placements that were added or removed. If a span directly follows another, only their difference
    /// counts.
    private mutating func addChanges(_ spans: [HeldDays], _ phases: [PhaseDays], times: Int) {
        for ofPlacement in Dictionary(grouping: spans, by: { SpanHistory.Key($0.span) }).values {
            var previous: HeldDays?
            for held in ofPlacement.sorted(by: { $0.span.from < $1.span.from }) {
                var before = 0
                if let previous, previous.span.to == held.span.from {
                    before = previous.span.level.certain
                } else if let previous {
                    addEnd(of: previous, phases, times: times)
                }
                let more = held.span.level.certain - before
                let returned = max(0, min(more, held.span.returned))
                let version = phases.version(at: held.span.from)
                add(returned, to: held, on: held.days.from, cause: .returned, version, times: times)
                let began = held.span.began.cause
                add(max(0, more) - returned, to: held, on: held.days.from, cause: began, version, times: times)
                let ended = previous?.span.ended?.cause ?? began
                add(min(0, more), to: held, on: held.days.from, cause: ended, version, times: times)
                previous = held
            }
            if let previous { addEnd(of: previous, phases, times: times) }
        }
    }

    /// Adds the days on which the device began or stopped holding a kind for certain. If its placements differ in their cause,
    /// the first cause by name counts, so that their order doesn't matter.
    private mutating func addHolder(of kind: KindCell, _ held: [HeldDays], _ phases: [PhaseDays], times: Int) {
        let certain = held.filter { $0.span.level.certain > 0 }
        let starts = Dictionary(grouping: certain, by: \.span.from)
        let ends = Dictionary(grouping: certain.filter { $0.span.to != nil }, by: { $0.span.to ?? .max })
        var before = 0
        for time in Set(starts.keys).union(ends.keys).sorted() {
            let (began, ended) = (starts[time] ?? [], ends[time] ?? [])
            let after =
                before + began.reduce(0) { $0 + $1.span.level.certain } - ended.reduce(0) { $0 + $1.span.level.certain }
            defer { before = after }
            guard (before == 0) != (after == 0) else { continue }
            let causes =
                after > 0
                ? began.map { $0.span.returned > 0 ? Cause.returned : $0.span.began.cause }
                : ended.compactMap(\.span.ended?.cause)
            guard let cause = causes.min(by: { $0.rawValue < $1.rawValue }) else { continue }
            var amounts = MoveAmounts()
            amounts.devicesAdded = after > 0 ? 1 : 0
            amounts.devicesRemoved = after > 0 ? 0 : 1
            var cell = kind
            cell.day = after > 0 ? began[0].days.from : ended[0].days.to
            moves.add(
                amounts, to: MoveCell(kind: cell, cause: cause, version: phases.version(at: time)), times: times)
        }
    }

    private mutating func addEnd(of held: HeldDays, _ phases: [PhaseDays], times: Int) {
        guard let cause = held.span.ended?.cause, let end = held.span.to else { return }
        add(
            -held.span.level.certain, to: held, on: held.days.to, cause: cause, phases.version(at: end), times: times)
    }

    private mutating func add(
        _ more: Int, to held: HeldDays, on day: Day, cause: Cause, _ version: VersionCell?, times: Int
    ) {
        guard more != 0 else { return }
        let kind = KindCell(day: day, held.span)
        var amounts = ChangeAmounts()
        amounts.added = max(0, more)
        amounts.removed = max(0, -more)
        changes.add(
            amounts, to: ChangeCell(kind: kind, family: held.span.placement.family ?? "", cause: cause), times: times)
        var moved = MoveAmounts()
        moved.widgetsAdded = amounts.added
        moved.widgetsRemoved = amounts.removed
        moves.add(moved, to: MoveCell(kind: kind, cause: cause, version: version), times: times)
    }

    private mutating func addUses(_ uses: DeviceUses, times: Int) {
        for (key, days) in uses.events {
            guard let surface = key.surface else { continue }
            for (day, events) in days {
                var amounts = UseAmounts()
                amounts.devices = 1
                amounts.events = events
                let kind = KindCell(day: day, surface: surface, kind: key.kind)
                self.uses.add(amounts, to: UseCell(kind: kind, use: key.use), times: times)
            }
        }
    }

    /// Adds the outcome of a suspicion, from its last span: a boot ended it (R6), a use of a suspect did (R7), or the span
    /// itself says how many were settled.
    private mutating func addOutcome(_ held: HeldDays, times: Int) {
        let span = held.span
        guard let stillThere = span.stillThere, let claim = span.claim, let end = span.to else { return }
        var amounts = OutcomeAmounts()
        switch span.ended?.rule {
        case .reboot:
            amounts.settled = span.level.suspect
            amounts.stillThere = stillThere
        // R7 proves one suspect when the next report arrives. The span before the use has the same suspects but nothing
        // certain.
        case .signOfLife where span.level.certain > 0:
            amounts.settled = 1
            amounts.stillThere = 1
        default:
            // A suspect that an event removed was gone. Later spans have the outcomes of the others.
            amounts.settled = span.settled
            amounts.stillThere = max(0, stillThere - (span.level.suspect - span.settled))
        }
        amounts.seconds = amounts.settled * Int((end - span.from).components.seconds)
        outcomes.add(amounts, to: OutcomeCell(day: held.days.to, claim: ClaimCell(claim)), times: times)
    }
}

extension [PhaseDays] {
    /// The versions that the device ran at a time: in the last phase that began by then, or else in the first one.
    fileprivate func version(at time: Timestamp) -> VersionCell? {
        (last { $0.phase.from <= time } ?? first).map { VersionCell($0.phase.traits) }
    }
}
