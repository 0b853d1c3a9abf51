import Fleet
import Testing

@testable import CensusCore

/// Which week's cohort a device joins, and for which kinds the week is unknown.
@Suite struct `Joined cohorts` {
    private static let weather = KindCell(surface: .widget, kind: "weather")
    /// 2026-01-05, the Monday after day 1.
    private static let monday = ReportingZone.utc.day(of: .day(4))

    private func span(
        _ from: Timestamp, _ level: Level = .of(certain: 1, reported: 1),
        began: Change = Change(.installed, by: .report)
    ) -> Span {
        Span(surface: .widget, placement: .weather, from: from, level: level, began: began)
    }

    private func joined(_ spans: [Span], listedAt: Timestamp? = nil) -> Cohorts.Joined? {
        var cohorts = Cohorts()
        if let listedAt { cohorts.note(.widget, listedAt: listedAt) }
        cohorts.add(spans, zone: .utc)
        return cohorts.joined[Self.weather]
    }

    @Test func `a kind missing from an earlier list joins the cohort of its first week`() {
        #expect(joined([span(.day(7))], listedAt: .day(3)) == .init(heldFrom: .day(7), week: Self.monday))
        #expect(joined([span(.day(7))], listedAt: .day(7) - .microseconds(1))?.week == Self.monday)
        #expect(joined([span(.day(7))], listedAt: .day(7)) == .init(heldFrom: .day(7), week: nil))
        #expect(joined([span(.day(7))]) == .init(heldFrom: .day(7), week: nil))
    }

    @Test func `a kind with an installation event needs no list`() {
        let told = Change(.installed, by: .event)
        #expect(joined([span(.day(7), began: told)]) == .init(heldFrom: .day(7), week: Self.monday))
        #expect(joined([span(.day(7), began: Change(.configured, by: .event))])?.week == nil)
        #expect(joined([span(.day(7), began: Change(.installed, by: .signOfLife))])?.week == nil)
        // The event is about another widget, added later.
        #expect(joined([span(.day(7)), span(.day(8), began: told)], listedAt: .day(7))?.week == nil)
    }

    @Test func `a possible kind counts, and one that is only reported does not`() {
        let spans = [
            span(.day(2), .of(reported: 1), began: Change(.removed, by: .event)),
            span(.day(7), .of(presumed: 1, reported: 1)),
        ]
        #expect(joined(spans, listedAt: .day(1)) == .init(heldFrom: .day(7), week: Self.monday))
        #expect(joined([spans[0]], listedAt: .day(1)) == nil)
    }

    @Test func `a kind keeps its cohort`() {
        let known = Cohorts.Joined(heldFrom: .day(2), week: nil)
        var cohorts = Cohorts([Self.weather: known])
        cohorts.note(.widget, listedAt: .day(1))
        cohorts.add([span(.day(7))], zone: .utc)
        #expect(cohorts.joined == [Self.weather: known])
        #expect(cohorts.week(of: Self.weather) == nil)
    }

    @Test func `the first period with a kind ends when no widget of it is left`() {
        func ended(_ spans: [Span]) -> Cohorts.End? { joined(spans, listedAt: .day(1))?.ended }
        var (first, second, third) = (span(.day(2)), span(.day(4)), span(.day(9)))
        #expect(ended([first]) == nil)
        (first.to, first.ended) = (.day(6), Change(.removed, by: .report))
        #expect(ended([first]) == .init(at: .day(6), cause: .removed))
        #expect(ended([second, first]) == nil)
        (second.to, second.ended) = (.day(7), Change(.reinstalled, by: .reinstall))
        #expect(ended([second, first]) == .init(at: .day(7), cause: .reinstalled))
        // It was placed again.
        (third.to, third.ended) = (.day(10), Change(.removed, by: .report))
        #expect(ended([third, second, first]) == .init(at: .day(7), cause: .reinstalled))
        // Both ended at once.
        first.to = .day(7)
        #expect(ended([second, first]) == .init(at: .day(7), cause: .reinstalled))
        // The next one began at that instant.
        #expect(ended([first, span(.day(7))]) == nil)
    }

    @Test func `an end is fixed once the device was heard from later`() {
        let ended = Cohorts.Joined(heldFrom: .day(2), week: nil, ended: .init(at: .day(6), cause: .removed))
        var open = ended
        open.ended = nil
        let cohorts = Cohorts([Self.weather: ended])
        #expect(cohorts.fixed(before: .day(7), heard: .day(7)).joined == [Self.weather: ended])
        #expect(cohorts.fixed(before: .day(6), heard: .day(6)).joined == [Self.weather: open])
    }

    @Test func `the first list is the earliest one that was read in production`() {
        var device = Device()
        device.failsToRead(.day(1))
        device.adds(.weather, .day(1, hour: 10))
        device.reports([:], .day(3))
        device.reports([:], .day(2))
        device.circumstances.channel = "testflight"
        device.reports([:], .day(1, hour: 11))
        var cohorts = Cohorts()
        for observation in device.observations { cohorts.note(observation) }
        #expect(cohorts.firstLists == [.widget: .day(2)])
    }

    @Test func `cohorts that began before and lists heard by then are fixed`() {
        let search = KindCell(surface: .widget, kind: "search")
        var cohorts = Cohorts([
            Self.weather: .init(heldFrom: .day(6), week: nil), search: .init(heldFrom: .day(7), week: Self.monday),
        ])
        cohorts.note(.widget, listedAt: .day(5))
        cohorts.note(.control, listedAt: .day(6))
        let fixed = cohorts.fixed(before: .day(7), heard: .day(5))
        #expect(fixed.joined == [Self.weather: .init(heldFrom: .day(6), week: nil)])
        #expect(fixed.firstLists == [.widget: .day(5)])
    }
}
