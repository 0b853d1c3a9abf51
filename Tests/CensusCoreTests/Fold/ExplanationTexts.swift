import Fleet
import Testing

@testable import CensusCore

/// How an explanation describes observations.
@Suite struct `Explanation texts` {
    private func summary(_ event: Event, on surface: Surface = .widget, _ platform: Platform = .ios) -> String? {
        var device = Device(platform)
        device.happens(event, .day(1), on: surface)
        return device.observations.first?.summary
    }

    @Test func `a time is shown to the second`() {
        #expect(Timestamp.day(1).toTheSecond == "2026-01-02T09:00:00Z")
        #expect((Timestamp.day(1) + .microseconds(250_000)).toTheSecond == "2026-01-02T09:00:00Z")
    }

    @Test func `a device stops counting when its window ends, and has stopped from that instant on`() {
        var device = Device()
        device.reports([:], .day(1))
        let explanation = device.fold.explain(device.observations)
        let end = Timestamp.day(29, hour: 0)
        #expect(
            explanation.silence(now: end - .microseconds(1))
                == "stops counting at 2026-01-30T00:00:00Z unless it is heard from before")
        #expect(
            explanation.silence(now: end)
                == "stopped counting at 2026-01-30T00:00:00Z: it has not been heard from since")
        #expect(device.fold.explain([]).silence(now: end) == nil)
    }

    @Test func `suspects are shown with how many of them were there, once that is known`() {
        let level = Level(suspect: 2)
        #expect(level.fate(stillThere: nil) == " (2 suspect)")
        #expect(level.fate(stillThere: 0) == " (suspect; gone later)")
        #expect(level.fate(stillThere: 1) == " (suspect; 1 of 2 proved later)")
    }

    @Test func `a list names its placements in order, with a count if there are several`() {
        #expect(
            summary(.reported([.weather("Prague"): 1, .search: 2]))
                == "widgets_reported [2× search · systemMedium, weather · systemSmall · CityIntent · Prague] (1.0, ios 14.3)"
        )
        #expect(summary(.reported([:])) == "widgets_reported [] (1.0, ios 14.3)")
    }

    @Test func `a failed read is shown as a report with an error`() {
        #expect(
            summary(.readFailed(domain: "x", code: 1)) == "widgets_reported with an error (1.0, ios 14.3)")
    }

    @Test func `an event names its widget, and its surface unless that is the home screen`() {
        #expect(summary(.opened(.weather)) == "widget_opened weather · systemSmall (1.0, ios 14.3)")
        #expect(
            summary(.opened(Placement(kind: "lamp", instance: "a")), on: .control)
                == "widget_opened lamp · #a on control (1.0, ios 14.3)")
    }

    @Test func `a restoration names old and new instances in order`() {
        #expect(
            summary(.restored(["2": "8", "1": "7"]), .android) == "widgets_restored 1→7 2→8 (1.0, android 14.3)")
    }
}
