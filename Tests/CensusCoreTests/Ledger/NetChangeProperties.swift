import SeededRandom
import Testing

@testable import CensusCore

/// Net changes of random devices, compared with a count of each day by itself. A failure names its seed.
@Suite struct `Net change properties` {
    static let chunks = stride(from: UInt64(0), to: 3_000, by: 375).map { $0..<($0 + 375) }

    @Test(arguments: chunks) func `their running sums are what a device holds when each day ends`(
        seeds: Range<UInt64>
    ) {
        for seed in seeds {
            let history = RandomHistory(seed)
            var random = Seeded(~seed)
            guard let reading = DeviceReading(history, dueIn: &random) else { continue }
            var net = NetChanges()
            net.add(reading, times: 1)
            let wanted = DayCount(reading)
            let found = DayCount(net, days: wanted.days)
            #expect(found.kinds == wanted.kinds, "seed \(seed)")
            #expect(found.versions == wanted.versions, "seed \(seed)")
            #expect(found.installs == wanted.installs, "seed \(seed)")
            #expect(found.devices == wanted.devices, "seed \(seed)")
            #expect(found.active == wanted.active, "seed \(seed)")
            #expect(found.overlaps == wanted.overlaps, "seed \(seed)")
            #expect(CohortCount(net) == CohortCount(reading, through: wanted.days), "seed \(seed)")
        }
    }

    @Test(arguments: chunks) func `what came and went explains what is certain`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            var random = Seeded(~seed)
            guard let reading = DeviceReading(history, dueIn: &random) else { continue }
            var net = NetChanges()
            net.add(reading, times: 1)
            var moved: [KindCell: Int] = [:]
            for (cell, amounts) in net.changes.byCell {
                moved[cell.kind, default: 0] += amounts.added - amounts.removed
            }
            let certain = net.kinds.byCell.mapValues(\.widgetsCertain).filter { $0.value != 0 }
            #expect(moved.filter { $0.value != 0 } == certain, "seed \(seed)")

            var holders: [KindCell: Int] = [:]
            for (cell, amounts) in net.moves.byCell {
                holders[cell.kind, default: 0] += amounts.devicesAdded - amounts.devicesRemoved
            }
            let held = net.kinds.byCell.mapValues(\.devicesCertain).filter { $0.value != 0 }
            #expect(holders.filter { $0.value != 0 } == held, "seed \(seed)")
        }
    }

    @Test(arguments: chunks) func `by version as much came and went as by family`(seeds: Range<UInt64>) {
        struct Told: Hashable {
            var kind: KindCell
            var cause: Cause
        }
        for seed in seeds {
            var random = Seeded(~seed)
            guard let reading = DeviceReading(RandomHistory(seed), dueIn: &random) else { continue }
            var net = NetChanges()
            net.add(reading, times: 1)
            var (byFamily, byVersion): ([Told: ChangeAmounts], [Told: ChangeAmounts]) = ([:], [:])
            for (cell, amounts) in net.changes.byCell {
                byFamily[Told(kind: cell.kind, cause: cell.cause), default: ChangeAmounts()].add(amounts, times: 1)
            }
            for (cell, amounts) in net.moves.byCell where amounts.widgetsAdded + amounts.widgetsRemoved > 0 {
                var widgets = ChangeAmounts()
                widgets.added = amounts.widgetsAdded
                widgets.removed = amounts.widgetsRemoved
                byVersion[Told(kind: cell.kind, cause: cell.cause), default: ChangeAmounts()].add(widgets, times: 1)
            }
            #expect(byFamily == byVersion, "seed \(seed)")
        }
    }

    /// What the store does: only what may change is read, and the difference of two readings is entered.
    @Test(arguments: chunks) func `the difference of two partial readings is that of the whole ones`(
        seeds: Range<UInt64>
    ) throws {
        for seed in seeds {
            let history = RandomHistory(seed)
            let fold = history.fold
            let sorted = history.observations.sorted()
            var random = Seeded(~seed)
            let time = random.pick(sorted).at
            let known = sorted.filter { $0.at <= time }
            let earlier = fold.fold(known)
            let later = sorted.filter { $0.at > time }
            guard let before = DeviceReading(fold, earlier, known, dueIn: &random) else { continue }
            let start = try #require(fold.state(checkpoint: fold.checkpoint(of: earlier)))
            let state = fold.fold(later, onto: start)
            var whole = try #require(DeviceReading(fold, fold.fold(sorted), sorted, dueIn: &random))
            // A kind that is marked later is counted from the start: see DeviceHistory.needsEndingFrom.
            whole.legacyKinds = before.legacyKinds

            let from = min(start.lastHeardAt ?? .max, start.suspectSince ?? .max)
            let spans = before.spans.filter { $0.to ?? .max >= from }
            let phases = before.phases.filter { $0.to ?? .max >= from }
            var (old, new) = (before, whole)
            old.spans = spans
            old.phases = phases
            new.spans = spans.filter(start.isFixed) + fold.spans(of: state)
            new.phases = phases.filter(start.isFixed) + state.phases
            old.uses = before.uses.during((fold.window.zone.day(of: from) - 8).month...)
            new.uses = old.uses
            new.uses.add(DeviceUses(later, zone: fold.window.zone))
            new.cohorts = old.cohorts.fixed(before: from, heard: time)
            for observation in later { new.cohorts.note(observation) }
            new.cohorts.add(new.spans, zone: new.zone)
            #expect(new.cohorts == whole.cohorts, "seed \(seed)")
            old.changedFrom = fold.window.zone.day(of: from)
            new.changedFrom = old.changedFrom
            var (partial, complete) = (NetChanges(), NetChanges())
            partial.add(new, times: 1)
            partial.add(old, times: -1)
            complete.add(whole, times: 1)
            complete.add(before, times: -1)
            #expect(partial == complete, "seed \(seed)")
        }
    }

    @Test(arguments: chunks) func `one that is forgotten stays counted on the days before, and on none after`(
        seeds: Range<UInt64>
    ) {
        for seed in seeds {
            let history = RandomHistory(seed)
            var random = Seeded(~seed)
            guard let reading = DeviceReading(history, dueIn: &random) else { continue }
            let time = random.pick(history.observations).at + .hours(Int64(random.below(1_000)) - 100)
            let past = reading.forgotten(at: time)
            let end = reading.zone.day(of: min(time, reading.silentAt))
            #expect(past.spans.allSatisfy { $0.from < $0.to ?? $0.from && $0.to ?? .max <= past.silentAt })
            #expect(past.phases.allSatisfy { $0.from < $0.to ?? $0.from }, "seed \(seed)")

            // As it counts once time alone has changed what it does by then.
            var now = reading
            now.dueAt = DeviceReading.due(
                silentAt: reading.silentAt, reportingUntil: reading.reportingUntil, zone: reading.zone, after: time)
            var (before, after) = (NetChanges(), NetChanges())
            before.add(now, times: 1)
            after.add(past, times: 1)
            #expect(
                before.changes.byCell.filter { $0.key.kind.day < end }
                    == after.changes.byCell.filter { $0.key.kind.day < end }, "seed \(seed)")
            #expect(
                before.outcomes.byCell.filter { $0.key.day < end } == after.outcomes.byCell.filter { $0.key.day < end },
                "seed \(seed)")
            let days = DayCount(reading).days
            let (was, stays) = (DayCount(before, days: days), DayCount(after, days: days))
            #expect(
                was.kinds.filter { $0.key.day < end } == stays.kinds.filter { $0.key.day < end }, "seed \(seed)")
            // A device that was silent by then stays silent: its screen still shows what it held.
            #expect(
                stays.kinds.filter { $0.key.day >= end }.values.allSatisfy { $0.isOnlySilent }, "seed \(seed)")
            #expect(was.versions.filter { $0.key.kind.day < end } == stays.versions, "seed \(seed)")
            #expect(was.installs.filter { $0.key.kind.day < end } == stays.installs, "seed \(seed)")
            #expect(was.devices.filter { $0.key.day < end } == stays.devices, "seed \(seed)")
            #expect(was.active.filter { $0.key.day < end } == stays.active, "seed \(seed)")
            #expect(was.overlaps.filter { $0.key.kind.day < end } == stays.overlaps, "seed \(seed)")
            #expect(
                before.moves.byCell.filter { $0.key.kind.day < end }
                    == after.moves.byCell.filter { $0.key.kind.day < end }, "seed \(seed)")
            #expect(
                before.uses.byCell.filter { $0.key.kind.day < end }
                    == after.uses.byCell.filter { $0.key.kind.day < end }, "seed \(seed)")
            #expect(
                before.cohorts.byCell.filter { $0.key.kind.day < end }
                    == after.cohorts.byCell.filter { $0.key.kind.day < end }, "seed \(seed)")
        }
    }

    @Test func `a device that is forgotten leaves no intent, configuration or instance behind`() throws {
        let placements = [
            Placement(kind: "a", intent: "Intent"), Placement(kind: "a", configuration: "c"),
            Placement(kind: "a", instance: "i"), Placement(kind: "a"), Placement(kind: "a", intent: "Intent"),
        ]
        let spans = placements.enumerated().map { number, placement in
            Span(
                surface: .widget, placement: placement, from: Timestamp(seconds: Int64(number)),
                level: Level(certain: 1), began: Change(.installed, by: .report))
        }
        let reading = DeviceReading(
            spans: spans, phases: [], silentAt: Timestamp(seconds: 100), reportingUntil: nil, dueAt: nil, zone: .utc)
        let past = reading.forgotten(at: Timestamp(seconds: 50))
        #expect(past.spans.map(\.placement.configuration) == ["1", "2", "3", nil, "1"])
        #expect(past.spans.allSatisfy { $0.placement.intent == nil && $0.placement.instance == nil })
        #expect(past.spans.allSatisfy { $0.to == Timestamp(seconds: 50) && $0.ended?.cause == .forgotten })
    }

    @Test func `a reading that is taken away leaves nothing`() throws {
        for seed in UInt64(0)..<200 {
            var random = Seeded(seed)
            guard let reading = DeviceReading(RandomHistory(seed), dueIn: &random) else { continue }
            var net = NetChanges()
            net.add(reading, times: 1)
            #expect(net != NetChanges())
            net.add(reading, times: -1)
            #expect(net == NetChanges(), "seed \(seed)")
        }
    }
}

extension DeviceReading {
    /// The device at a random moment, when only a part of what time alone changes is drawn.
    fileprivate init?(_ history: RandomHistory, dueIn random: inout Seeded) {
        self.init(history.fold, history.fold.fold(history.observations), history.observations, dueIn: &random)
    }

    /// Counts overlaps for the first two kinds by name.
    fileprivate init?(
        _ fold: DeviceFold, _ state: DeviceState, _ observations: [Observation], dueIn random: inout Seeded
    ) {
        guard let lastHeardAt = state.lastHeardAt, let silentAt = fold.silentAt(of: state) else { return nil }
        let reportingUntil = state.reportedAt.map(fold.window.end(lastHeard:))
        let now = random.pick([.distantPast, lastHeardAt + .days(20), .distantFuture])
        self.init(
            spans: fold.spans(of: state), phases: state.phases, silentAt: silentAt, reportingUntil: reportingUntil,
            dueAt: DeviceReading.due(
                silentAt: silentAt, reportingUntil: reportingUntil, zone: fold.window.zone, after: now),
            zone: fold.window.zone)
        uses = DeviceUses(observations, zone: zone)
        for observation in observations { cohorts.note(observation) }
        cohorts.add(spans, zone: zone)
        let kinds = Set(spans.map { KindCell(day: .first, $0) })
        legacyKinds = Array(kinds.sorted { ($0.surface, $0.kind) > ($1.surface, $1.kind) }.prefix(2))
    }
}

extension DeviceUses {
    fileprivate init(_ observations: [Observation], zone: ReportingZone) {
        self.init()
        for observation in Set(observations) { add(observation, zone: zone) }
    }
}

/// The devices of cohorts when each week ends; here one device.
private struct CohortCount: Equatable {
    var levels: [CohortCell: [Int]] = [:]

    /// The running sums of net changes.
    init(_ net: NetChanges) {
        for (cell, amounts) in net.cohorts.byCell {
            levels[cell, default: [0, 0, 0]] = zip(
                levels[cell] ?? [0, 0, 0], [amounts.placed, amounts.certain, amounts.possible]
            ).map(+)
        }
        levels = levels.filter { $0.value != [0, 0, 0] }
    }

    /// Counts each week by itself, by instants.
    init(_ reading: DeviceReading, through days: [Day]) {
        for (kind, joined) in reading.cohorts.joined {
            guard let week = joined.week, let last = days.last else { continue }
            var before = [0, 0, 0]
            for end in stride(from: (week + 6).daysSince1970, through: (last + 7).daysSince1970, by: 7) {
                let day = Day(daysSince1970: end)
                let time = reading.zone.start(of: day + 1)
                let live = reading.drawn.spans.filter {
                    KindCell(day: .first, $0) == kind && $0.from < time && $0.to ?? .max >= time
                }
                let after = [
                    1, live.contains { $0.level.certain > 0 } ? 1 : 0, live.contains { $0.level.possible > 0 } ? 1 : 0,
                ]
                var cell = CohortCell(kind: kind, week: week)
                cell.kind.day = day
                let change = zip(after, before).map(-)
                if change != [0, 0, 0] { levels[cell] = change }
                before = after
            }
        }
    }
}

extension DeviceReading {
    /// The kinds that the device fell silent with and may still hold when a day ends, at most a year later.
    fileprivate func kindsSilent(on day: Day) -> [KindCell] {
        let end = zone.start(of: day + 1)
        let (spans, phases, _) = drawn
        guard let last = phases.last(where: { $0.from < end }), let drawnEnd = last.to else { return [] }
        let start = last == phases.last ? min(drawnEnd, silentAt) : drawnEnd
        let expires = zone.start(of: zone.day(of: start) + DeviceReading.silentDays)
        let isEndless = last == phases.last && dueAt.map { expires >= $0 } ?? false
        guard start < end, isEndless || end <= expires else { return [] }
        let held = spans.filter { $0.to == start && $0.ended?.cause == .silent && $0.level.possible > 0 }
        return Set(held.map { KindCell(day: day, $0) }).sorted { ($0.surface, $0.kind) < ($1.surface, $1.kind) }
    }
}

extension KindAmounts {
    /// Whether they count a silent device and nothing else.
    fileprivate var isOnlySilent: Bool {
        var silent = KindAmounts()
        silent.devicesSilent = devicesSilent
        return self == silent
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(seconds: -10_000_000_000)
    fileprivate static let distantFuture = Timestamp(seconds: 10_000_000_000)
}

/// One device's levels, day by day.
private struct DayCount {
    var days: [Day]
    var kinds: [KindCell: KindAmounts] = [:]
    var versions: [KindVersionCell: VersionAmounts] = [:]
    var installs: [InstallCell: InstallAmounts] = [:]
    var devices: [DeviceCell: DeviceAmounts] = [:]
    var active: [ActiveCell: ActiveAmounts] = [:]
    var overlaps: [OverlapCell: Int] = [:]

    /// Counts each day by itself, by instants.
    init(_ reading: DeviceReading) {
        let zone = reading.zone
        let isSilent = reading.dueAt.map { reading.silentAt < $0 } ?? true
        let hasLapsed = reading.reportingUntil.map { until in reading.dueAt.map { until < $0 } ?? true } ?? false
        let starts: [Timestamp] = reading.spans.map(\.from) + reading.phases.map(\.from)
        let stops: [Timestamp] = reading.spans.compactMap(\.to) + reading.phases.compactMap(\.to)
        let heard = reading.uses.heard
        let all = ((starts + stops + [reading.silentAt]).map(zone.day(of:)) + heard + heard.map { $0 + 7 }).sorted()
        let changing = ((all[0] - 1).daysSince1970...(all[all.count - 1] + 2).daysSince1970).map {
            Day(daysSince1970: $0)
        }
        // Nothing changes in the year after, but when it ends.
        let ends = Set(all.flatMap { day in [-1, 0, 1].map { day + DeviceReading.silentDays + $0 } })
        days = changing + ends.subtracting(changing).sorted()
        for day in days {
            let end = zone.start(of: day + 1)
            func isLive(_ from: Timestamp, _ to: Timestamp?) -> Bool {
                let last = isSilent ? min(to ?? .max, reading.silentAt) : to ?? .max
                return from < end && last >= end
            }
            let live = reading.spans.filter { isLive($0.from, $0.to) }
            let phase = reading.phases.last { isLive($0.from, $0.to) }
            for kind in reading.kindsSilent(on: day) { kinds[kind, default: KindAmounts()].devicesSilent = 1 }
            for (kind, spans) in Dictionary(grouping: live, by: { KindCell(day: day, $0) }) {
                let level = KindLevel(spans, phase: phase, isSilent: false).amounts
                kinds[kind, default: KindAmounts()].add(level, times: 1)
                guard let phase else { continue }
                var amounts = VersionAmounts()
                amounts.widgetsCertain = spans.reduce(0) { $0 + $1.level.certain }
                amounts.widgetsPossible = spans.reduce(0) { $0 + $1.level.possible }
                amounts.devicesCertain = min(1, amounts.widgetsCertain)
                amounts.devicesPossible = min(1, amounts.widgetsPossible)
                if amounts != VersionAmounts() {
                    versions[KindVersionCell(kind: kind, version: VersionCell(phase.traits))] = amounts
                }
                for (family, spans) in Dictionary(grouping: spans, by: { Text($0.placement.family ?? "") }) {
                    var amounts = InstallAmounts()
                    amounts.widgetsCertain = spans.reduce(0) { $0 + $1.level.certain }
                    amounts.widgetsPossible = spans.reduce(0) { $0 + $1.level.possibleInFamily }
                    amounts.widgetsReported = spans.reduce(0) { $0 + $1.level.reported }
                    amounts.devicesCertain = min(1, amounts.widgetsCertain)
                    amounts.devicesPossible = min(1, amounts.widgetsPossible)
                    installs[
                        InstallCell(kind: kind, family: family.text, version: VersionCell(phase.traits))] = amounts
                }
            }
            let certain = live.filter { $0.level.certain > 0 }
            let kinds = Set(certain.map { KindCell(day: day, $0) })
            for kind in kinds {
                for other in kinds
                where kind.surface == other.surface && kind.kind.precedesByBytes(other.kind)
                    && reading.legacyKinds.contains(where: {
                        $0.surface == kind.surface && ($0.kind == kind.kind || $0.kind == other.kind)
                    })
                {
                    overlaps[OverlapCell(kind: kind, other: other.kind)] = 1
                }
            }
            guard let phase else { continue }
            var seen = ActiveAmounts()
            seen.daily = heard.contains(day) ? 1 : 0
            seen.weekly = heard.contains { day - 6 <= $0 && $0 <= day } ? 1 : 0
            seen.inWindow = 1
            var scopes: Set<ActiveScope> = [ActiveScope()]
            for span in certain {
                let kind = Text(span.placement.kind)
                scopes.insert(ActiveScope(surface: span.surface))
                scopes.insert(ActiveScope(surface: span.surface, kind: kind))
                guard let family = span.placement.family.map({ Text($0) }) else { continue }
                scopes.insert(ActiveScope(surface: span.surface, family: family))
                scopes.insert(ActiveScope(surface: span.surface, kind: kind, family: family))
            }
            for scope in scopes {
                active[ActiveCell(day: day, scope: scope, platform: phase.traits.platform)] = seen
            }
            var amounts = DeviceAmounts()
            amounts.active = 1
            amounts.withWidget = live.contains { $0.level.certain > 0 && $0.surface.isWidget } ? 1 : 0
            let lapsed = phase.to == nil && hasLapsed && reading.reportingUntil.map { $0 < end } ?? false
            amounts.reporting = phase.traits.isReporting && !lapsed ? 1 : 0
            amounts.cloned = phase.traits.isCloned ? 1 : 0
            devices[
                DeviceCell(
                    day: day, version: VersionCell(phase.traits), galleryPolicy: phase.traits.galleryPolicy ?? 0)] =
                amounts
        }
    }

    /// The running sums of net changes.
    init(_ net: NetChanges, days: [Day]) {
        self.days = days
        for (cell, amounts) in net.kinds.byCell {
            for day in following(cell.day) {
                var cell = cell
                cell.day = day
                kinds[cell, default: KindAmounts()].add(amounts, times: 1)
            }
        }
        for (cell, amounts) in net.versions.byCell {
            for day in following(cell.kind.day) {
                var cell = cell
                cell.kind.day = day
                versions[cell, default: VersionAmounts()].add(amounts, times: 1)
            }
        }
        for (cell, amounts) in net.installs.byCell {
            for day in following(cell.kind.day) {
                var cell = cell
                cell.kind.day = day
                installs[cell, default: InstallAmounts()].add(amounts, times: 1)
            }
        }
        for (cell, amounts) in net.devices.byCell {
            for day in following(cell.day) {
                var cell = cell
                cell.day = day
                devices[cell, default: DeviceAmounts()].add(amounts, times: 1)
            }
        }
        for (cell, amounts) in net.active.byCell {
            for day in following(cell.day) {
                var cell = cell
                cell.day = day
                active[cell, default: ActiveAmounts()].add(amounts, times: 1)
            }
        }
        for (cell, amounts) in net.overlaps.byCell {
            for day in following(cell.kind.day) {
                var cell = cell
                cell.kind.day = day
                overlaps[cell, default: 0].add(amounts, times: 1)
            }
        }
        active = active.filter { $0.value != ActiveAmounts() }
        overlaps = overlaps.filter { $0.value != 0 }
        kinds = kinds.filter { $0.value != KindAmounts() }
        versions = versions.filter { $0.value != VersionAmounts() }
        installs = installs.filter { $0.value != InstallAmounts() }
        devices = devices.filter { $0.value != DeviceAmounts() }
    }

    private func following(_ first: Day) -> [Day] { days.filter { $0 >= first } }
}
