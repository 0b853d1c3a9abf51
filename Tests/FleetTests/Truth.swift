import CensusCore
@testable import Fleet
import Testing

@Suite struct `Truth` {
    private static let small = Placement(kind: "weather", family: "systemSmall")
    private static let large = Placement(kind: "radar", family: "systemLarge")
    private static let start = FoldedFleet.end - .days(60)

    /// A life written by hand: hours after the start, and what was heard then.
    private struct Life {
        var notes: [Note] = []

        mutating func hear(
            _ event: Event, _ testimony: Testimony = .nothing, naming: Naming = .full, at hours: Int64,
            installation: String = "first", launched: Int64 = -1_000
        ) {
            notes.append(
                Note(
                    number: notes.count, id: RandomUUID(high: 0, low: UInt64(notes.count)),
                    at: Truth.start + .hours(hours), event: event, testimony: testimony,
                    naming: naming,
                    context: Note.Context(
                        device: "6F1D", system: OperatingSystem(14, 3), installation: installation,
                        firstLaunchedAt: Truth.start + .hours(launched), appVersion: "20.12.0", rebooted: false,
                        bootWords: .time)))
        }

        mutating func report(_ held: [Placement: Int], listed: [Placement: Int]? = nil, at hours: Int64) {
            hear(.reported(listed ?? held), .holds(held), at: hours)
        }

        var truth: DeviceTruth {
            var recorder = TruthRecorder()
            for note in notes { recorder.hear(note) }
            return recorder.truth()
        }

        func held(at hours: Int64) -> [Placement: Int] {
            truth.held(at: Truth.start + .hours(hours))[.widget] ?? [:]
        }
    }

    @Test func `the truth is what was there at the last report, not what the OS listed`() {
        var life = Life()
        life.report([Self.small: 2], listed: [Self.small: 2, Self.large: 1], at: 10)
        life.report([Self.large: 1], at: 20)
        #expect(life.held(at: 9) == [:])
        #expect(life.held(at: 10) == [Self.small: 2])
        #expect(life.held(at: 19) == [Self.small: 2])
        #expect(life.held(at: 20) == [Self.large: 1])
    }

    @Test func `the truth follows later events, but not those that an app derives from its lists`() {
        var life = Life()
        life.report([Self.small: 1], at: 10)
        life.hear(.installed(Self.large), .placed(Self.large), at: 12)
        life.hear(.installed(Self.large), at: 13)
        life.hear(.removed(Self.small), .removed(Self.small), at: 14)
        life.hear(.removed(Self.small), .removed(Self.small), at: 15)
        #expect(life.held(at: 12) == [Self.small: 1, Self.large: 1])
        #expect(life.held(at: 14) == [Self.large: 1])
        #expect(life.held(at: 15) == [Self.large: 1])
    }

    @Test func `the truth follows a widget through its configurations`() {
        let cities = ["5f1c", "9f2c", "a07e"].map {
            Placement(kind: "forecast", family: "systemSmall", intent: "City", configuration: $0)
        }
        var life = Life()
        life.report([cities[0]: 1], at: 10)
        life.hear(.configured(cities[1]), .replaced(cities[0], by: cities[1]), at: 12)
        #expect(life.held(at: 12) == [cities[1]: 1])
        // The app missed another configuration, and the widget is gone now.
        life.hear(.removed(cities[2]), .removed(cities[2]), at: 14)
        #expect(life.held(at: 14) == [:])
    }

    @Test func `a failed read leaves the truth unchanged`() {
        var life = Life()
        life.report([Self.small: 1], at: 10)
        life.hear(.readFailed(domain: "CHSErrorDomain", code: 1101), at: 20)
        #expect(life.held(at: 21) == [Self.small: 1])
    }

    @Test func `an installation's widgets end at the first launch of the next one`() {
        var life = Life()
        life.report([Self.small: 1], at: 10)
        life.hear(.readFailed(domain: "CHSErrorDomain", code: 1101), at: 30, installation: "second", launched: 28)
        #expect(life.held(at: 27) == [Self.small: 1])
        #expect(life.held(at: 28) == [:])
        #expect(life.held(at: 31) == [:])
    }

    @Test func `a device that is silent for longer than the window holds nothing`() {
        var life = Life()
        life.report([Self.small: 1], at: 0)
        life.hear(.readFailed(domain: "CHSErrorDomain", code: 1101), at: 24 * 40)
        // The start is at 10 in the morning, and the day on which the device was heard from is the first of 28.
        #expect(life.held(at: 24 * 28 - 11) == [Self.small: 1])
        #expect(life.held(at: 24 * 28 - 10) == [:])
        #expect(life.held(at: 24 * 40 - 1) == [:])
        #expect(life.held(at: 24 * 40) == [Self.small: 1])
        #expect(life.held(at: 24 * 68 - 11) == [Self.small: 1])
        #expect(life.held(at: 24 * 68 - 10) == [:])
    }

    @Test func `the widgets of an app deleted before a silence end at the next first launch`() {
        var life = Life()
        life.report([Self.small: 1], at: 0)
        life.hear(.readFailed(domain: "CHSErrorDomain", code: 1101), at: 24 * 40, installation: "second", launched: 240)
        #expect(life.held(at: 239) == [Self.small: 1])
        #expect(life.held(at: 240) == [:])
    }

    @Test func `the truth tracks Android's instances`() {
        let widget = Placement(kind: "Provider", instance: "7")
        var life = Life()
        life.hear(.opened(widget), .alive(widget), at: 1)
        life.hear(.opened(widget), .alive(widget), at: 2)
        #expect(life.held(at: 2) == [widget: 1])
        life.hear(.restored(["7": "19"]), .renamed(["7": "19"]), at: 3)
        #expect(life.held(at: 3) == [Placement(kind: "Provider", instance: "19"): 1])
    }

    @Test func `an event that names only a kind counts for one widget of it`() {
        let medium = Placement(kind: "weather", family: "systemMedium")
        let unnamed = Placement(kind: "weather")
        var life = Life()
        life.report([Self.small: 1, Self.large: 1], at: 10)
        // The medium one was placed since. The event says only that one of the kind is there.
        life.hear(.opened(unnamed), .alive(medium), naming: .sparse, at: 12)
        life.hear(.removed(unnamed), .removed(medium), naming: .sparse, at: 14)
        life.hear(.installed(unnamed), .placed(medium), naming: .sparse, at: 16)
        #expect(life.held(at: 12) == [Self.small: 1, Self.large: 1])
        #expect(life.held(at: 14) == [Self.large: 1])
        #expect(life.held(at: 16) == [medium: 1, Self.large: 1])
        life.hear(.configured(unnamed), .replaced(Self.small, by: Self.small), naming: .sparse, at: 18)
        #expect(life.held(at: 18) == [medium: 1, Self.large: 1])
    }

    @Test func `a use without an instance reveals an Android widget only if none of the kind is known`() {
        let widgets = ["7", "8"].map { Placement(kind: "Provider", instance: $0) }
        var life = Life()
        for (hours, widget) in zip([Int64(1), 2], widgets) {
            life.hear(.opened(Placement(kind: "Provider")), .alive(widget), naming: .sparse, at: hours)
        }
        #expect(life.held(at: 2) == [widgets[0]: 1])
    }

    @Test func `the truth counts only delivered notes, and each once`() {
        var life = Life()
        life.report([Self.small: 1], at: 10)
        life.hear(.installed(Self.large), .placed(Self.large), at: 12)
        life.report([:], at: 20)
        let body = Delivery(receivedAt: Self.start + .hours(15), body: [])
        let story = DeviceStory([
            Sent(delivery: body, notes: life.notes[1...1]), Sent(delivery: body, notes: life.notes[0...1]),
        ])
        #expect(story.events == 3)
        #expect(story.truths.keys.sorted() == ["6F1D"])
        #expect(story.truths["6F1D"]?.held(at: Self.start + .hours(30))[.widget] == [Self.small: 1, Self.large: 1])
    }

    @Test func `the table sums the truth by day and kind, for days that have ended`() {
        let plan = WeatherFleet.Plan(days: 3, end: FoldedFleet.end)
        func interval(_ placement: Placement, _ count: Int, _ from: Int64, _ to: Int64) -> DeviceTruth.Interval {
            DeviceTruth.Interval(
                surface: .widget, placement: placement, count: count, from: FoldedFleet.end - .hours(from),
                to: FoldedFleet.end - .hours(to))
        }
        let other = Placement(kind: "weather", family: "systemMedium")
        var table = TruthTable(plan)
        table.add(DeviceTruth(intervals: [interval(Self.small, 2, 72, -99), interval(other, 1, 40, 8)]))
        table.add(DeviceTruth(intervals: [interval(Self.small, 1, 36, -99), interval(Self.large, 1, 36, 30)]))
        #expect(
            table.csv == """
                day,surface,kind,devices,widgets,zone,app_id
                2026-11-18,widget,weather,1,2,UTC,com.example.weather
                2026-11-19,widget,radar,1,1,UTC,com.example.weather
                2026-11-19,widget,weather,2,4,UTC,com.example.weather
                2026-11-20,widget,weather,2,4,UTC,com.example.weather

                """)
    }

    @Test(arguments: [("UTC", [18, 19]), ("Europe/Prague", [19]), ("America/Sao_Paulo", [18])] as [(String, [Int])])
    func `the table uses the days of the plan's zone`(zone: String, days: [Int]) throws {
        let plan = WeatherFleet.Plan(days: 3, end: FoldedFleet.end, zone: try #require(ReportingZone(acceptable: zone)))
        // From 23:30 on the 18th to 00:30 on the 20th, in UTC.
        let interval = DeviceTruth.Interval(
            surface: .widget, placement: Self.small, count: 1, from: FoldedFleet.end - .minutes(58 * 60 + 30),
            to: FoldedFleet.end - .minutes(33 * 60 + 30))
        var table = TruthTable(plan)
        table.add(DeviceTruth(intervals: [interval]))
        #expect(table.rows.map { "\($0.key.day)" } == days.map { "2026-11-\($0)" })
        #expect(table.csv.hasSuffix(",\(zone),\(plan.appID)\n"))
    }

    @Test func `a silent device's widgets end with the window, by the days of its zone`() throws {
        let body = Delivery(receivedAt: Self.start + .hours(1), body: [])
        var life = Life()
        life.report([Self.small: 1], at: 0)
        let zone = try #require(ReportingZone(acceptable: "America/Sao_Paulo"))
        let story = DeviceStory([Sent(delivery: body, notes: life.notes[...])], zone: zone)
        // The start is at 7 in the morning there.
        #expect(story.truths["6F1D"]?.intervals.map(\.to) == [Self.start + .hours(24 * 28 - 7)])
    }

    @Test func `a window in which clocks go forward ends on time, however late on its first day the device was heard`()
        throws
    {
        let zone = try #require(ReportingZone(acceptable: "Australia/Sydney"))
        // 23:30 there. By the clock, the window's 28th day ends 27 days and half an hour later.
        let heard = Self.start + .minutes(3 * 60 + 30)
        let end = heard + .days(27) - .minutes(30)
        var life = Life()
        life.report([Self.small: 1], at: 0)
        life.report([Self.small: 1], at: 0)
        life.notes[0].at = heard
        life.notes[1].at = end + .minutes(5)
        let body = Delivery(receivedAt: Self.start + .days(30), body: [])
        let story = DeviceStory([Sent(delivery: body, notes: life.notes[...])], zone: zone)
        let intervals = try #require(story.truths["6F1D"]).intervals
        #expect(intervals.map(\.from) == [heard, end + .minutes(5)])
        #expect(intervals.first?.to == end)
    }
}
