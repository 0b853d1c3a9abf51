import Fleet
import Testing

@testable import CensusCore

/// What a report's changes are called, and how many of the newly certain ones had only been doubted.
@Suite struct `Causes of a report` {
    private static let large = Placement(kind: "weather", family: "systemLarge")
    private static let any = Placement(kind: "weather")

    /// A report of day 1, which is doubted since day 29; it is day 40.
    private func doubted(_ claims: [Placement: Int]) -> Device {
        var device = Device()
        device.reports(claims, .day(1))
        for day in 2...40 { device.failsToRead(.day(Int64(day))) }
        return device
    }

    /// Why the spans that began on a day did, and how many of each returned.
    private func began(_ device: Device, _ day: Int64) -> [String] {
        device.state.spans.filter { $0.from == .day(day) }.map { span in
            "\(span.placement.kind)\(span.placement.configuration.map { "(\($0))" } ?? "") "
                + "\(span.began.cause) \(span.returned)"
        }
    }

    @Test func `widgets in a first list are installed, and none returned`() {
        var device = Device()
        device.reports([.weather: 2], .day(1))
        #expect(began(device, 1) == ["weather installed 0"])
    }

    @Test func `if a doubted widget is listed with another one, one is installed and one returned`() {
        var device = doubted([.weather: 1])
        device.reports([.weather: 2], .day(41))
        #expect(began(device, 41) == ["weather installed 1"])
    }

    @Test func `beside a widget that is certain again the other one returns`() {
        var device = doubted([.weather: 2])
        device.opens(.weather, .day(41))
        device.reports([.weather: 2], .day(42))
        #expect(began(device, 42) == ["weather returned 0"])
    }

    @Test func `one of two that are doubted was edited, and returns as both`() {
        var device = doubted([.weather("a"): 2])
        device.reports([.weather("a"): 1, .weather("b"): 1], .day(41))
        #expect(began(device, 41) == ["weather(a) returned 0", "weather(b) returned 0"])
    }

    @Test func `one that was doubted returns once`() {
        var device = doubted([.weather("a"): 1])
        device.reports([.weather("b"): 1, .weather("c"): 1], .day(41))
        #expect(began(device, 41) == ["weather(b) returned 0", "weather(c) installed 0"])
    }

    @Test func `a doubted widget does not return as another family or kind`() {
        var device = doubted([Self.large: 1])
        device.reports([.weather: 1, .search: 1], .day(41))
        #expect(began(device, 41) == ["search installed 0", "weather installed 0"])
    }

    @Test func `a doubted widget without a family is installed when a list names its family`() {
        var device = Device()
        device.adds(Self.any, .day(1))
        for day in 2...40 { device.failsToRead(.day(Int64(day))) }
        device.reports([.weather: 1], .day(41))
        #expect(began(device, 41) == ["weather installed 0"])
    }

    @Test func `a widget without a family is configured when a list names its family`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.adds(Placement(kind: "search"), .day(2))
        device.reports([.weather: 1, .search: 1], .day(3))
        #expect(began(device, 3) == ["search configured 0"])
        device.reports([.weather: 1], .day(4))
        #expect(device.state.spans.last { $0.placement == .search }?.ended == Change(.removed, by: .report))
    }

    @Test func `a widget without a family that is listed twice is installed`() {
        var device = Device()
        device.adds(Placement(kind: "search"), .day(2))
        device.reports([.search: 2], .day(3))
        #expect(began(device, 3) == ["search installed 0"])
    }

    @Test func `a widget without a family that is not listed is removed`() {
        var device = Device()
        device.adds(Self.any, .day(1))
        device.reports([:], .day(2))
        #expect(device.state.spans.map(\.ended) == [Change(.removed, by: .report)])
    }

    @Test func `a widget with a family that is not listed is removed, whatever else of the kind is listed`() {
        var device = Device()
        device.opens(.weather("a"), .day(1))
        device.reports([Self.large: 1], .day(2))
        #expect(
            device.story == [
                "weather(a) 1…2 certain 1 possible 1 installed…removed",
                "weather 2… certain 1 possible 1 installed…",
            ])
    }

    @Test func `a certain one of a kind that is presumed, too, is removed when the list lacks both`() {
        let any = Placement(kind: "Weather")
        var device = Device(.android)
        device.reports([any: 1], .day(1))
        device.adds(any, .day(2))
        device.reports([:], .day(3))
        #expect(device.state.spans.last?.ended == Change(.removed, by: .report))
    }

    @Test func `a suspect that was used and that the next list lacks is removed`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.reports([:], .day(6))
        #expect(device.state.spans.last?.ended == Change(.removed, by: .report))
    }

    @Test func `widgets listed beyond the suspects are installed, although a suspect was used`() {
        var device = Device.suspected([.weather("a"): 2, .weather("b"): 1])
        device.opens(.weather("b"), .day(5))
        device.reports([.weather("b"): 2, .weather("c"): 1], .day(6))
        #expect(device.level(.weather("b")) == .of(certain: 1, suspect: 1, reported: 2))
        #expect(began(device, 6).first == "weather(b) installed 0")
    }

    @Test func `with 200 known versions an upgrade can still lose a kind, and with 201 none can`() {
        for (known, cause) in [(200, Cause.upgradeLoss), (201, .removed)] {
            var device = Device()
            for number in 0..<known {
                device.upgrades(to: "\(number)")
                device.reports([.weather: 1], .day(1) + .hours(Int64(number)))
            }
            device.upgrades(to: "new")
            device.reports([:], .day(20))
            #expect(device.state.spans.map(\.ended?.cause) == [cause], "\(known) versions")
            #expect(device.state.reportedVersions[.widget]?.count == 201)
            var pairs: [ReportPair] = []
            _ = device.fold.fold(device.observations) { pairs.append($0) }
            #expect(pairs.contains { $0.toVersion == "new" } == (known == 200))
        }
    }

    @Test func `reports under one version make a pair again 20 hours after the last one`() {
        for (hours, pairs) in [(Duration.hours(20) - .microseconds(1), 1), (.hours(20), 2)] {
            var device = Device()
            device.reports([.weather: 1], .day(1))
            device.reports([.weather: 1], .day(1, hour: 10))
            device.reports([.weather: 1], .day(1, hour: 10) + hours)
            var found = 0
            _ = device.fold.fold(device.observations) { _ in found += 1 }
            #expect(found == pairs)
        }
    }

    @Test func `the gap of a pair is the time between its reports`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 1], .day(3))
        var gaps: [Duration] = []
        _ = device.fold.fold(device.observations) { gaps.append($0.gap) }
        #expect(gaps == [.days(2)])
    }

    @Test func `the first report of an installation follows no upgrade`() {
        var device = Device()
        device.adds(.weather, .day(1))
        device.reports([:], .day(2))
        #expect(device.state.spans.map(\.ended) == [Change(.removed, by: .report)])
    }
}
