@testable import CensusCore

/// One device's levels, day by day.
struct DayCount {
    var days: [Day]
    var kinds: [KindCell: KindAmounts] = [:]
    var unsettled: [UnsettledCell: Int] = [:]
    var versions: [KindVersionCell: VersionAmounts] = [:]
    var installs: [InstallCell: InstallAmounts] = [:]
    var intents: [IntentCell: IntentAmounts] = [:]
    var devices: [DeviceCell: DeviceAmounts] = [:]
    var widgetCounts: [WidgetCountCell: WidgetCountAmounts] = [:]
    var active: [ActiveCell: ActiveAmounts] = [:]
    var overlaps: [OverlapCell: Int] = [:]

    /// For how many days a silent device's widgets still count.
    fileprivate static let year = 365

    /// Counts each day separately, from instants.
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
        // Nothing changes in the following year until it ends.
        let ends = Set(all.flatMap { day in [-1, 0, 1].map { day + DayCount.year + $0 } })
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
                kinds[kind, default: KindAmounts()].add(KindAmounts(counting: spans), times: 1)
                if let claim = spans.unsettledClaim {
                    unsettled[UnsettledCell(kind: kind, claim: ClaimCell(claim))] = 1
                }
                for intent in Set(spans.map { Text($0.placement.intent ?? "") }) {
                    let amounts = IntentAmounts(counting: spans.filter { Text($0.placement.intent ?? "") == intent })
                    guard amounts != IntentAmounts() else { continue }
                    intents[IntentCell(kind: kind, intent: intent.text)] = amounts
                }
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
                    && kinds.count(where: { $0.surface == kind.surface }) <= 30
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
            let onHomeScreen = live.filter { $0.surface == .widget || $0.surface == .today }.map(\.level)
            let certainly = onHomeScreen.reduce(0) { $0 + $1.certain }
            let possibly = onHomeScreen.reduce(0) { $0 + $1.certain + $1.presumed + $1.suspect }
            amounts.withWidget = min(1, certainly)
            amounts.withWidgetPossible = min(1, possibly)
            func cell(_ widgets: Int) -> WidgetCountCell {
                WidgetCountCell(day: day, platform: phase.traits.platform, widgets: Int64(min(widgets, 11)))
            }
            widgetCounts[cell(certainly), default: WidgetCountAmounts()].devicesCertain = 1
            widgetCounts[cell(possibly), default: WidgetCountAmounts()].devicesPossible = 1
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
        kinds = levels(net.kinds, \.day)
        unsettled = levels(net.unsettled, \.kind.day)
        versions = levels(net.versions, \.kind.day)
        installs = levels(net.installs, \.kind.day)
        intents = levels(net.intents, \.kind.day)
        devices = levels(net.devices, \.day)
        widgetCounts = levels(net.widgetCounts, \.day)
        active = levels(net.active, \.day)
        overlaps = levels(net.overlaps, \.kind.day)
    }

    private func levels<Cell, Value>(
        _ net: NetAmounts<Cell, Value>, _ dayOf: WritableKeyPath<Cell, Day>
    ) -> [Cell: Value] {
        var levels: [Cell: Value] = [:]
        for (changed, amounts) in net.byCell {
            for day in days where day >= changed[keyPath: dayOf] {
                var cell = changed
                cell[keyPath: dayOf] = day
                levels[cell, default: Value()].add(amounts, times: 1)
            }
        }
        return levels.filter { $0.value != Value() }
    }
}

extension KindAmounts {
    /// What a device holds of a kind with these spans, with each sum computed separately.
    fileprivate init(counting spans: [Span]) {
        self.init()
        let levels = spans.map(\.level)
        widgetsCertain = levels.map(\.certain).reduce(0, +)
        widgetsPossible = levels.map { $0.certain + $0.presumed + $0.suspect }.reduce(0, +)
        widgetsReported = levels.map(\.reported).reduce(0, +)
        widgetsSuspect = levels.map(\.suspect).reduce(0, +)
        let settled = spans.compactMap { span in span.stillThere.map { (there: $0, all: span.level.suspect) } }
        widgetsStillThere = settled.map(\.there).reduce(0, +)
        widgetsGone = settled.map(\.all).reduce(0, +) - widgetsStillThere
        devicesCertain = min(1, widgetsCertain)
        devicesPossible = min(1, widgetsPossible)
        devicesReported = min(1, widgetsReported)
        let isExpected = widgetsStillThere > 0 || levels.contains { $0.presumed > 0 }
        devicesStillThere = widgetsCertain == 0 && isExpected ? 1 : 0
    }
}

extension IntentAmounts {
    /// What a device holds of a kind and intent with these spans.
    fileprivate init(counting spans: [Span]) {
        self.init()
        let widgets = spans.reduce(0) { $0 + $1.level.certain }
        devicesCertain = min(1, widgets)
        let possible = spans.reduce(widgets) { $0 + $1.level.presumed + $1.level.suspect + $1.level.either }
        devicesPossible = min(1, possible)
        var configurations: [[UInt8]] = []
        for span in spans where span.level.certain > 0 {
            guard let configuration = span.placement.configuration.map({ Array($0.utf8) }) else { continue }
            if !configurations.contains(configuration) { configurations.append(configuration) }
        }
        deviceConfigurations = configurations.count
    }
}

extension [Span] {
    /// For one kind: the claim whose outcomes weight the device, while its own outcome is unknown and nothing else decides.
    fileprivate var unsettledClaim: Claim? {
        let amounts = KindAmounts(counting: self)
        guard amounts.devicesCertain + amounts.devicesStillThere == 0 else { return nil }
        let open = filter { $0.level.suspect >= 1 && $0.stillThere == nil }.compactMap(\.claim)
        return open.max { one, other in
            (one.platform.rawValue, one.osVersion ?? "", one.rule.rawValue)
                < (other.platform.rawValue, other.osVersion ?? "", other.rule.rawValue)
        }
    }
}

/// The devices of cohorts at the end of each week; here, one device.
struct CohortCount: Equatable {
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

    /// Counts each week separately, from instants.
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
        let expires = zone.start(of: zone.day(of: start) + DayCount.year)
        let isEndless = last == phases.last && dueAt.map { expires >= $0 } ?? false
        guard start < end, isEndless || end <= expires else { return [] }
        let held = spans.filter { $0.to == start && $0.ended?.cause == .silent && $0.level.possible > 0 }
        return Set(held.map { KindCell(day: day, $0) }).sorted { ($0.surface, $0.kind) < ($1.surface, $1.kind) }
    }
}
