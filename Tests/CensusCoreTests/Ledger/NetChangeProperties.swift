import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// Net changes of random devices, compared with a separate count of each day. A failure names its seed.
@Suite struct `Net change properties` {
    static let chunks = Seeds.of(0..<3_000, by: 375)

    @Test(arguments: chunks) func `running sums equal what a device holds at the end of each day`(
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
            #expect(found.unsettled == wanted.unsettled, "seed \(seed)")
            #expect(found.versions == wanted.versions, "seed \(seed)")
            #expect(found.installs == wanted.installs, "seed \(seed)")
            #expect(found.intents == wanted.intents, "seed \(seed)")
            #expect(found.devices == wanted.devices, "seed \(seed)")
            #expect(found.widgetCounts == wanted.widgetCounts, "seed \(seed)")
            #expect(found.active == wanted.active, "seed \(seed)")
            #expect(found.overlaps == wanted.overlaps, "seed \(seed)")
            #expect(CohortCount(net) == CohortCount(reading, through: wanted.days), "seed \(seed)")
        }
    }

    @Test(arguments: chunks) func `every change, holder, use and cohort is counted once`(
        seeds: Range<UInt64>
    ) {
        for seed in seeds {
            let history = RandomHistory(seed)
            var random = Seeded(~seed)
            guard let reading = DeviceReading(history, dueIn: &random) else { continue }
            var net = NetChanges()
            net.add(reading, times: 1)
            let wanted = FlowCount(reading, history.observations)
            #expect(net.changes.byCell == wanted.changes, "seed \(seed)")
            #expect(net.moves.byCell == wanted.moves, "seed \(seed)")
            #expect(net.outcomes.byCell == wanted.outcomes, "seed \(seed)")
            #expect(net.uses.byCell == wanted.uses, "seed \(seed)")
            let cohorts = DeviceCohortCount(reading, history.observations)
            let joined = wanted.joined.map { kind, joined in
                (kind, Cohorts.Joined(heldFrom: joined.heldFrom, week: joined.week, ended: cohorts.ends[kind]))
            }
            #expect(reading.cohorts.joined == Dictionary(uniqueKeysWithValues: joined), "seed \(seed)")
            #expect(net.lifetimes.byCell == cohorts.lifetimes, "seed \(seed)")
            #expect(net.firstWidgets.byCell == cohorts.firstWidgets, "seed \(seed)")
            #expect(net.engagement.byCell == cohorts.engagement, "seed \(seed)")
        }
    }

    @Test func `the net changes of several devices add up`() {
        var (together, sum) = (NetChanges(), NetChanges())
        for seed in UInt64(0)..<100 {
            var random = Seeded(seed)
            guard let reading = DeviceReading(RandomHistory(seed), dueIn: &random) else { continue }
            together.add(reading, times: 1)
            var alone = NetChanges()
            alone.add(reading, times: 1)
            sum.add(alone)
        }
        #expect(together != NetChanges())
        let isSame = sum == together
        #expect(isSame)
    }

    @Test(arguments: chunks) func `installations and removals add up to the certain counts`(seeds: Range<UInt64>) {
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

    @Test(arguments: chunks) func `flows by version equal flows by family`(seeds: Range<UInt64>) {
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

    /// As in the store, which reads only what can change and enters the difference of two readings.
    @Test(arguments: chunks) func `the difference of two partial readings equals that of the whole ones`(
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
            let whole = try #require(DeviceReading(fold, fold.fold(sorted), sorted, dueIn: &random))

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
            partial.add(new, insteadOf: old)
            complete.add(whole, times: 1)
            complete.add(before, times: -1)
            #expect(partial == complete, "seed \(seed)")
        }
    }

    /// As in the store, which for most reports reads only the days on which the device was heard from.
    @Test func `a heartbeat changes only the days heard from`() throws {
        var heartbeats = 0
        for seed in UInt64(0)..<1_500 {
            var random = Seeded(seed)
            let history = RandomHistory(seed)
            let fold = history.fold
            let sorted = history.observations.sorted()
            for (index, next) in sorted.enumerated().dropFirst() where next.at > sorted[index - 1].at {
                let known = sorted[..<index]
                let earlier = fold.fold(known)
                let whole = fold.fold([next], onto: earlier)
                let start = try #require(fold.state(checkpoint: fold.checkpoint(of: earlier)))
                let state = fold.fold([next], onto: start)
                var lists = Cohorts()
                lists.note(next)
                // Some reports arrive long after they were made.
                let now = random.chance(80) ? next.at : random.pick(sorted).at
                func isHeartbeat(dueAt: Timestamp?) -> Bool {
                    fold.isHeartbeat(from: start, to: state, listed: lists.firstLists.keys, dueAt: dueAt, now: now)
                }
                guard isHeartbeat(dueAt: .distantPast),
                    let before = DeviceReading(
                        fold, earlier, Array(known), now: random.chance(50) ? now : sorted[index - 1].at),
                    isHeartbeat(dueAt: before.dueAt),
                    let after = DeviceReading(fold, whole, known + [next], now: now)
                else { continue }
                heartbeats += 1
                var (old, new) = (before, after)
                (old.spans, old.phases) = (fold.spans(of: start), start.phases)
                (new.spans, new.phases, new.cohorts) = (old.spans, old.phases, old.cohorts)
                new.dueAt = DeviceReading.due(
                    silentAt: new.silentAt, reportingUntil: new.reportingUntil, zone: new.zone, after: now,
                    orAt: old.dueAt)
                old.changedFrom = fold.window.zone.day(of: try #require(start.lastHeardAt))
                new.changedFrom = old.changedFrom
                var (partial, complete) = (NetChanges(), NetChanges())
                partial.add(new, insteadOf: old)
                complete.add(after, times: 1)
                complete.add(before, times: -1)
                let isSame = partial == complete
                #expect(isSame, "seed \(seed), \(index)")
            }
        }
        #expect(heartbeats > 1_000)
    }

    @Test(arguments: chunks) func `an erased device still counts on days before the erasure, and on none after`(
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

            // As it counts after the changes that are due by then.
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
            #expect(was.intents.filter { $0.key.kind.day < end } == stays.intents, "seed \(seed)")
            #expect(was.devices.filter { $0.key.day < end } == stays.devices, "seed \(seed)")
            #expect(was.widgetCounts.filter { $0.key.day < end } == stays.widgetCounts, "seed \(seed)")
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
            #expect(
                before.lifetimes.byCell.filter { $0.key.cohort.kind.day < end }
                    == after.lifetimes.byCell.filter { $0.key.cohort.kind.day < end }, "seed \(seed)")
            #expect(
                before.firstWidgets.byCell.filter { $0.key.day < end }
                    == after.firstWidgets.byCell.filter { $0.key.day < end }, "seed \(seed)")
            #expect(
                before.engagement.byCell.filter { $0.key.day < end }
                    == after.engagement.byCell.filter { $0.key.day < end }, "seed \(seed)")
        }
    }

    @Test func `numbers replace an erased device's configurations and instances`() throws {
        let placements = [
            Placement(kind: "a", intent: "Intent"), Placement(kind: "a", configuration: "c"),
            Placement(kind: "a", instance: "i"), Placement(kind: "a"),
            Placement(kind: "a", intent: "Intent", configuration: "d", instance: "i"),
        ]
        let spans = placements.enumerated().map { number, placement in
            Span(
                surface: .widget, placement: placement, from: Timestamp(seconds: Int64(number)),
                level: Level(certain: 1), began: Change(.installed, by: .report))
        }
        let reading = DeviceReading(
            spans: spans, phases: [], silentAt: Timestamp(seconds: 100), reportingUntil: nil, dueAt: nil, zone: .utc)
        let past = reading.forgotten(at: Timestamp(seconds: 50))
        #expect(past.spans.map(\.placement.configuration) == [nil, "1", nil, nil, "2"])
        #expect(past.spans.map(\.placement.instance) == [nil, nil, "1", nil, "1"])
        #expect(past.spans.map(\.placement.intent) == ["Intent", nil, nil, nil, "Intent"])
        #expect(past.spans.allSatisfy { $0.to == Timestamp(seconds: 50) && $0.ended?.cause == .forgotten })
    }

    @Test func `subtracting a reading leaves nothing`() throws {
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
    /// The device at a random moment, when only some of the changes by time are due.
    fileprivate init?(_ history: RandomHistory, dueIn random: inout Seeded) {
        self.init(history.fold, history.fold.fold(history.observations), history.observations, dueIn: &random)
    }

    fileprivate init?(
        _ fold: DeviceFold, _ state: DeviceState, _ observations: [Observation], dueIn random: inout Seeded
    ) {
        guard let lastHeardAt = state.lastHeardAt else { return nil }
        self.init(
            fold, state, observations, now: random.pick([.distantPast, lastHeardAt + .days(20), .distantFuture]))
    }

    fileprivate init?(_ fold: DeviceFold, _ state: DeviceState, _ observations: [Observation], now: Timestamp) {
        guard let silentAt = fold.silentAt(of: state) else { return nil }
        let reportingUntil = state.reportedAt.map(fold.window.end(lastHeard:))
        self.init(
            spans: fold.spans(of: state), phases: state.phases, silentAt: silentAt, reportingUntil: reportingUntil,
            dueAt: DeviceReading.due(
                silentAt: silentAt, reportingUntil: reportingUntil, zone: fold.window.zone, after: now),
            zone: fold.window.zone)
        uses = DeviceUses(observations, zone: zone)
        for observation in observations { cohorts.note(observation) }
        cohorts.add(spans, zone: zone)
        if let firstHeardAt = state.firstHeardAt, let platform = state.circumstances?.platform {
            firstHeard = FirstHeard(at: firstHeardAt, platform: platform)
        }
    }
}

extension DeviceUses {
    fileprivate init(_ observations: [Observation], zone: ReportingZone) {
        self.init()
        for observation in Set(observations) { add(observation, zone: zone) }
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
