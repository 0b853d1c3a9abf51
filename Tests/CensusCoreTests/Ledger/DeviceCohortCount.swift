@testable import CensusCore

/// One device in its cohorts, with each number counted separately from its spans and observations.
struct DeviceCohortCount {
    var lifetimes: [LifetimeCell: Int] = [:]
    var firstWidgets: [FirstWidgetCell: Int] = [:]
    var engagement: [EngagementCell: EngagementAmounts] = [:]
    /// When the first period with each kind ended. A kind still held, or held when the device fell silent, has none.
    var ends: [KindCell: Cohorts.End] = [:]

    private let reading: DeviceReading

    init(_ reading: DeviceReading, _ observations: [Observation]) {
        self.reading = reading
        let byKind = Dictionary(grouping: reading.drawn.spans.filter { $0.level.possible > 0 }) {
            KindCell(day: .first, $0)
        }
        for (kind, spans) in byKind { tellLife(of: kind, spans) }
        let counted = observations.filter { $0.circumstances.channel == "production" }
        guard let first = counted.map(\.at).min(), let platform = reading.firstHeard?.platform else { return }
        let widgets = byKind.filter { $0.key.surface == .widget || $0.key.surface == .today }
        let held = widgets.values.joined().map(\.from).min()
        tellFirstWidget(day(first), platform, held, widgets.keys)
        tellEngagement(day(first), Set(counted.map { day($0.at) }), held)
    }

    private func day(_ time: Timestamp) -> Day { reading.zone.day(of: time) }

    private func monday(_ day: Day) -> Day {
        var monday = day
        while (monday.daysSince1970 + 3) % 7 != 0 { monday = monday - 1 }
        return monday
    }

    private func count(_ from: Day, _ to: Day) -> Int { Int(to.daysSince1970 - from.daysSince1970) }

    /// The life ends at the first instant at which a span ends and none is left.
    private mutating func tellLife(of kind: KindCell, _ spans: [Span]) {
        let end = Set(spans.compactMap(\.to)).sorted().first { time in
            !spans.contains { $0.from <= time && $0.to ?? .max > time }
        }
        guard let end else { return }
        let causes = spans.filter { $0.to == end }.compactMap { $0.ended?.cause.rawValue }
        guard let cause = causes.min().flatMap(Cause.init), let joined = reading.cohorts.joined[kind] else { return }
        let isSilence = cause == .silent && end == reading.silentAt && !spans.contains { $0.from > end }
        if !isSilence { ends[kind] = Cohorts.End(at: end, cause: cause) }
        guard let week = joined.week, let began = spans.map(\.from).min() else { return }
        var cohort = CohortCell(kind: kind, week: week)
        cohort.kind.day = monday(day(end)) + 6
        let days = count(day(began), day(end))
        lifetimes[
            LifetimeCell(cohort: cohort, days: Int64(days < 28 ? days : days - days % 7), cause: cause)] = 1
    }

    /// Classifies the device at the end of each Sunday.
    private mutating func tellFirstWidget(
        _ first: Day, _ platform: Platform, _ held: Timestamp?, _ widgets: some Collection<KindCell>
    ) {
        let joined = widgets.compactMap { reading.cohorts.joined[$0] }.filter { $0.heldFrom == held }
        let last = max(first, held.map(day) ?? first)
        var before: FirstWidgetCell?
        for sunday in stride(from: (monday(first) + 6).daysSince1970, through: last.daysSince1970 + 7, by: 7) {
            var cell = FirstWidgetCell(day: .first, platform: platform, week: monday(first), outcome: .never)
            if let held, day(held).daysSince1970 <= sunday {
                let days = max(0, count(first, day(held)))
                if joined.contains(where: { $0.week == nil }) {
                    cell.outcome = .before
                } else if days > 28 {
                    cell.outcome = .later
                } else {
                    (cell.outcome, cell.days) = (.days, Int64(days))
                }
            }
            guard cell != before else { continue }
            for (changed, more) in [(before, -1), (cell, 1)] {
                guard var changed else { continue }
                changed.day = Day(daysSince1970: sunday)
                firstWidgets[changed, default: 0] += more
            }
            before = cell
        }
    }

    private mutating func tellEngagement(_ first: Day, _ heard: Set<Day>, _ held: Timestamp?) {
        let hasWidget = held.map { count(first, day($0)) <= 6 } ?? false
        for week in 0...(heard.map { count(first, $0) }.max() ?? 0) / 7 {
            var amounts = EngagementAmounts()
            amounts.devices = week == 0 ? 1 : 0
            amounts.activeDays = (7 * week..<7 * week + 7).count { heard.contains(first + $0) }
            amounts.active = amounts.activeDays > 0 ? 1 : 0
            guard amounts != EngagementAmounts() else { continue }
            let cell = EngagementCell(day: monday(first) + 7 * week + 13, week: monday(first), hasWidget: hasWidget)
            engagement[cell] = amounts
        }
    }
}
