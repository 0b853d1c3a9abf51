import Testing

@testable import CensusCore

/// One device's reading at the instants at which something begins, ends or falls due.
@Suite struct `Reading edge cases` {
    private static let traits = Phase.Traits(
        platform: .ios, osRelease: "17.1", appVersion: "1.0", isReporting: true)
    private static let silentAt = Timestamp.day(30, hour: 0)

    private func span(
        _ placement: Placement = .weather, _ from: Timestamp = .day(1), to: Timestamp? = nil,
        _ level: Level = .of(certain: 1, reported: 1), ended: Change? = nil
    ) -> Span {
        Span(
            surface: .widget, placement: placement, from: from, to: to, level: level,
            began: Change(.installed, by: .report), ended: ended)
    }

    /// Heard from since day 1, and silent since day 30.
    private func reading(_ spans: [Span], _ change: (inout DeviceReading) -> Void = { _ in }) -> DeviceReading {
        var reading = DeviceReading(
            spans: spans, phases: [Phase(from: .day(1), traits: Self.traits)], silentAt: Self.silentAt,
            reportingUntil: Self.silentAt, dueAt: nil, zone: .utc)
        reading.uses.add(1, of: .heard, on: Self.day(1))
        change(&reading)
        return reading
    }

    private static func day(_ number: Int64) -> Day { ReportingZone.utc.day(of: .day(number)) }

    private func net(_ reading: DeviceReading) -> NetChanges {
        var net = NetChanges()
        net.add(reading, times: 1)
        return net
    }

    @Test func `a silent holder counts for 365 days`() {
        let changes = net(reading([span()])).kinds.byCell.filter { $0.value.devicesSilent != 0 }
        let days = changes.map { [$0.key.day.daysSince1970, Int32($0.value.devicesSilent)] }
        let first = Self.day(30).daysSince1970
        #expect(Set(days) == [[first, 1], [first + 365, -1]])
    }

    @Test func `only a possible widget whose span ended by silence is held in silence`() {
        #expect(reading([span(to: .day(20), ended: Change(.removed, by: .report))]).drawn.silences.isEmpty)
        #expect(reading([span(.weather, .day(1), .of(reported: 1))]).drawn.silences.isEmpty)
        #expect(reading([span(.weather, .day(1), .of(presumed: 1, reported: 1))]).drawn.silences.count == 1)
        // Removed at the very instant at which the device fell silent.
        let removed = reading([span(to: Self.silentAt, ended: Change(.removed, by: .report))]).drawn
        #expect(removed.spans.map(\.ended?.cause) == [.removed])
        #expect(removed.silences.isEmpty)
    }

    @Test func `a device has one phase unless its reports lapse before it falls silent`() {
        #expect(reading([]).drawn.phases.map(\.to) == [Self.silentAt])
        let lapsed = reading([]) { $0.reportingUntil = .day(20) }.drawn.phases
        #expect(lapsed.map(\.from) == [.day(1), .day(20)])
        #expect(lapsed.map(\.traits.isReporting) == [true, false])
    }

    @Test func `the due time is after now, and an earlier scheduled time is kept`() {
        func due(after now: Timestamp, orAt earlier: Timestamp? = nil) -> Timestamp? {
            DeviceReading.due(
                silentAt: .day(30), reportingUntil: .day(20), zone: .utc, after: now, orAt: earlier)
        }
        #expect(due(after: .day(1)) == .day(20))
        #expect(due(after: .day(20) - .microseconds(1)) == .day(20))
        #expect(due(after: .day(20)) == .day(30))
        let expiry = Timestamp.day(30 + 365, hour: 0)
        #expect(due(after: .day(30)) == expiry)
        #expect(due(after: expiry) == nil)
        #expect(due(after: .day(1), orAt: .day(10)) == .day(10))
        #expect(due(after: .day(10), orAt: .day(10)) == .day(20))
        #expect(due(after: .day(10), orAt: .day(21)) == .day(20))
        #expect(due(after: expiry, orAt: .day(999)) == nil)
    }

    /// A broken client with a thousand kinds must not enter half a million pairs.
    @Test func `overlaps count on days with at most 30 kinds of a surface`() {
        let spans = (1...31).map { number in
            span(Placement(kind: "kind \(number)"), .day(Int64(number % 3 + 1)), to: .day(number == 31 ? 10 : 12))
        }
        let device = reading(spans)
        let found = DayCount(net(device), days: DayCount(device).days).overlaps
        #expect(found == DayCount(device).overlaps)
        let byDay = Dictionary(grouping: found.keys, by: \.kind.day).mapValues(\.count)
        // Ten or eleven kinds begin on each of the first three days.
        #expect(byDay[Self.day(1)] == 10 * 9 / 2)
        #expect(byDay[Self.day(2)] == 21 * 20 / 2)
        #expect(byDay[Self.day(3)] == nil)
        #expect(byDay[Self.day(9)] == nil)
        #expect(byDay[Self.day(10)] == 30 * 29 / 2)
        #expect(byDay[Self.day(12)] == nil)
    }

    private struct Other: CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout DeviceReading) -> Void
    }

    private static let others: [Other] = [
        .init(testDescription: "zone") { reading in
            if let zone = ReportingZone(identifier: "America/Sao_Paulo") { reading.zone = zone }
        },
        .init(testDescription: "cohorts") {
            $0.cohorts = Cohorts([KindCell(surface: .widget, kind: "weather"): .init(heldFrom: .day(1), week: day(4))])
        },
        .init(testDescription: "changed from") { $0.changedFrom = day(2) },
        .init(testDescription: "phases") { $0.phases[0].traits.appVersion = "2.0" },
        .init(testDescription: "due") { $0.dueAt = .day(30 + 365, hour: 0) },
        .init(testDescription: "level") { $0.spans[0].level.certain = 2 },
        .init(testDescription: "number of spans") { $0.spans.append($0.spans[0]) },
        .init(testDescription: "uses") { $0.uses.add(1, of: .heard, on: day(3)) },
        .init(testDescription: "nothing") { _ in },
    ]

    @Test(arguments: others)
    private func `any difference between two readings is entered`(other: Other) {
        let before = reading([span(), span(.search)])
        var after = before
        other.change(&after)
        var (entered, wanted) = (NetChanges(), NetChanges())
        entered.add(after, insteadOf: before)
        wanted.add(after, times: 1)
        wanted.add(before, times: -1)
        let isSame = entered == wanted
        #expect(isSame)
        #expect((wanted == NetChanges()) == (other.testDescription == "nothing"))
        var back = NetChanges()
        back.add(before, insteadOf: after)
        back.add(entered)
        let isNothing = back == NetChanges()
        #expect(isNothing)
    }

    @Test func `spans that begin at the erasure are dropped, and spans that end then are unchanged`() {
        let time = Timestamp.day(10)
        let whole = reading([
            span(to: time, ended: Change(.removed, by: .report)), span(.search, .day(2)),
            span(.weather("Prague"), time),
        ]) {
            $0.phases = [
                Phase(from: .day(1), to: time, traits: Self.traits), Phase(from: time, traits: Self.traits),
            ]
            $0.cohorts = Cohorts([
                KindCell(surface: .widget, kind: "weather"): .init(heldFrom: time - .microseconds(1), week: nil),
                KindCell(surface: .widget, kind: "search"): .init(heldFrom: time, week: nil),
            ])
        }
        let past = whole.forgotten(at: time)
        #expect(past.spans.map(\.placement) == [.weather, .search])
        #expect(past.spans.map(\.to) == [time, time])
        #expect(past.spans.map(\.ended?.cause) == [.removed, .forgotten])
        #expect(past.phases == [Phase(from: .day(1), to: time, traits: Self.traits)])
        #expect(past.cohorts.joined.keys.map(\.kind) == ["weather"])
    }
}
