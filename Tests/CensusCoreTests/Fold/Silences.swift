import Fleet
import Testing

@testable import CensusCore

/// R8, the activity window.
@Suite struct `Silence` {
    @Test func `a silent device leaves every count when its window ends, and returns when heard from`() {
        var device = Device()
        device.reports([.weather: 1, .search: 2], .day(1))
        device.failsToRead(.day(60))
        #expect(
            device.story == [
                "search 1…29@0 certain 2 possible 2 installed…silent",
                "weather 1…29@0 certain 1 possible 1 installed…silent",
                "search 60… certain 0 possible 2 returned…",
                "weather 60… certain 0 possible 1 returned…",
            ])
        #expect(device.state.spans.allSatisfy { $0.ended == nil || $0.ended?.rule == .silent })
    }

    /// A history of events without lists.
    @Test func `opening the app keeps its device active, but no widget certain`() {
        var device = Device()
        device.adds(.weather, .day(1))
        for day in stride(from: Int64(10), through: 50, by: 20) { device.happens(.appOpened, .day(day)) }
        #expect(
            device.story == [
                "weather 1…29@0 certain 1 possible 1 installed…silent", "weather 29@0… certain 0 possible 1 silent…",
            ], "\(device.story)")
    }

    @Test func `the window includes the day of the last sign of life`() {
        let window = ActivityWindow()
        #expect(window.end(lastHeard: .day(1, hour: 0)) == .day(29, hour: 0))
        #expect(window.end(lastHeard: .day(1, hour: 23)) == .day(29, hour: 0))
        #expect(ActivityWindow(days: 1).end(lastHeard: .day(1)) == .day(2, hour: 0))
    }

    @Test(arguments: [Timestamp.day(28, hour: 23), .day(29, hour: 0)])
    func `a device heard from by the end of its window was never silent`(again: Timestamp) {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 1], again)
        #expect(device.story == ["weather 1… certain 1 possible 1 installed…"])
    }

    @Test func `a silent device keeps open spans until it is heard from again`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        #expect(device.state.spans.map(\.to) == [nil])
    }

    @Test func `widgets reported unchanged after a silence count as returned`() {
        var device = Device()
        device.adds(.weather, .day(1))
        device.reports([.weather: 1], .day(60))
        #expect(
            device.story == [
                "weather 1…29@0 certain 1 possible 1 installed…silent", "weather 60… certain 1 possible 1 returned…",
            ])
    }

    @Test func `fewer widgets reported after a silence count as returned, too`() {
        var device = Device()
        device.reports([.weather: 3, .search: 1], .day(1))
        device.reports([.weather: 2], .day(60))
        #expect(device.story.last == "weather 60… certain 2 possible 2 returned…")
        #expect(device.state.spans.count == 3)
    }

    @Test(arguments: [false, true]) func `a widget edited during silence or doubt counts as returned`(isSilent: Bool) {
        var device = Device()
        device.reports([.weather("Prague"): 1], .day(1))
        if !isSilent { for day in 2...59 { device.failsToRead(.day(Int64(day))) } }
        device.reports([.weather("Brno"): 1], .day(60))
        #expect(device.story.last == "weather(Brno) 60… certain 1 possible 1 returned…")
    }

    @Test func `a widget edited during a silence counts as returned, and an added one as installed`() {
        var device = Device()
        device.reports([.weather("Prague"): 2], .day(1))
        device.reports([.weather("Brno"): 3, .weather("Prague"): 1], .day(60))
        let added = device.state.spans.suffix(2)
        #expect(added.map(\.returned) == [1, 0])
        #expect(added.map(\.began.cause) == [.installed, .returned])
    }

    @Test func `an instance resized during a silence counts as returned`() {
        let (small, large) = (
            Placement(kind: "W", family: "4x1", instance: "5"), Placement(kind: "W", family: "4x2", instance: "5")
        )
        var device = Device(.android)
        device.adds(small, .day(1))
        device.reports([small: 1], .day(2))
        device.reports([large: 1], .day(60))
        #expect(device.state.spans.last?.began == Change(.returned, by: .report))
        #expect(device.state.spans.last?.level.certain == 1)
    }

    @Test func `widgets first reported after a silence count as installed`() {
        var device = Device()
        device.reports([:], .day(1))
        device.reports([.weather: 1], .day(60))
        #expect(device.story == ["weather 60… certain 1 possible 1 installed…"])
    }

    @Test func `suspects return as suspects, and their outcome covers the days before the silence`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(3))
        device.reports([.weather: 1], .day(4))
        device.failsToRead(.day(60))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
        device.boots(.day(61))
        device.reports([.weather: 1], .day(62))
        #expect(
            device.story.dropFirst() == [
                "weather 4…32@0 certain 0 possible 1 there 1 installed…silent",
                "weather 60…62 certain 0 possible 1 there 1 returned…reinstalled",
                "weather 62… certain 1 possible 1 reinstalled…",
            ])
    }

    @Test func `a suspect that returns after a reboot is settled by its first list`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(3))
        device.reports([.weather: 1], .day(4))
        device.boots(.day(59))
        device.reports([.weather: 1], .day(60))
        #expect(device.story.last == "weather 60… certain 1 possible 1 reinstalled…")
        #expect(device.state.spans.map(\.stillThere) == [nil, 1, nil])
    }

    @Test func `an app deleted within the window ends its widgets at the new first launch`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(10))
        device.reports([:], .day(60))
        #expect(device.story == ["weather 1…10 certain 1 possible 1 installed…reinstalled"])
    }

    @Test func `a device whose app is deleted after the window falls silent first`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(50))
        device.reports([.weather: 1], .day(60))
        #expect(
            device.story == [
                "weather 1…29@0 certain 1 possible 1 installed…silent", "weather 60… certain 0 possible 1 installed…",
            ])
    }

    @Test func `observations of an ended installation are no sign of life`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(2))
        device.reports([.weather: 1], .day(3))
        device.speaks(as: 1)
        device.failsToRead(.day(20))
        device.speaks(as: 2)
        device.failsToRead(.day(40))
        #expect(device.state.spans.contains { $0.ended?.cause == .silent && $0.to == .day(31, hour: 0) })
    }

    @Test func `the window ends at midnight in the app's zone`() throws {
        let zone = try #require(ReportingZone(identifier: "America/New_York"))
        let window = ActivityWindow(days: 28, zone: zone)
        // 03:00 UTC is still the previous evening; the window ends after the change to daylight saving time (March 8).
        #expect(window.end(lastHeard: .day(50, hour: 3)) == .day(77, hour: 4))
        var device = Device(window: window)
        device.reports([.weather: 1], .day(50, hour: 3))
        device.reports([.weather: 1], .day(77, hour: 3))
        device.failsToRead(.day(105, hour: 5))
        #expect(device.story.map { $0.prefix(22) } == ["weather 50@3…104@4 cer", "weather 105@5… certain"])
    }

    @Test func `a setting decides how long the window is`() {
        var device = Device(window: ActivityWindow(days: 7))
        device.reports([.weather: 1], .day(1))
        device.failsToRead(.day(9))
        #expect(device.state.spans.first?.to == .day(8, hour: 0))
    }
}
