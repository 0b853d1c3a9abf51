import Fleet
import Testing

@testable import CensusCore

/// Which causes a report's changes get, and how many of the newly certain widgets had only been doubted.
@Suite struct `Causes of reported changes` {
    private static let large = Placement(kind: "weather", family: "systemLarge")
    private static let any = Placement(kind: "weather")

    /// A report of day 1, doubted since day 29, as of day 40.
    private func doubted(_ claims: [Placement: Int]) -> Device {
        var device = Device()
        device.reports(claims, .day(1))
        for day in 2...40 { device.failsToRead(.day(Int64(day))) }
        return device
    }

    /// The cause of each span that began on a day, and how many of its widgets returned.
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

    @Test func `a doubted widget listed with an equal one is installed, and one of the two returned`() {
        var device = doubted([.weather: 1])
        device.reports([.weather: 2], .day(41))
        #expect(began(device, 41) == ["weather installed 1"])
    }

    @Test func `a doubted widget returns beside one that a use has made certain`() {
        var device = doubted([.weather: 2])
        device.opens(.weather, .day(41))
        device.reports([.weather: 2], .day(42))
        #expect(began(device, 42) == ["weather returned 0"])
    }

    @Test func `two doubted widgets return under both configurations if one was edited`() {
        var device = doubted([.weather("a"): 2])
        device.reports([.weather("a"): 1, .weather("b"): 1], .day(41))
        #expect(began(device, 41) == ["weather(a) returned 0", "weather(b) returned 0"])
    }

    @Test func `one doubted widget returns only once`() {
        var device = doubted([.weather("a"): 1])
        device.reports([.weather("b"): 1, .weather("c"): 1], .day(41))
        #expect(began(device, 41) == ["weather(b) returned 0", "weather(c) installed 0"])
    }

    @Test func `a doubted widget doesn't return as another family or kind`() {
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

    @Test func `a widget without a family is installed when a list has two of its kind`() {
        var device = Device()
        device.adds(Placement(kind: "search"), .day(2))
        device.reports([.search: 2], .day(3))
        #expect(began(device, 3) == ["search installed 0"])
    }

    @Test func `a widget without a family is removed when the next list lacks its kind`() {
        var device = Device()
        device.adds(Self.any, .day(1))
        device.reports([:], .day(2))
        #expect(device.state.spans.map(\.ended) == [Change(.removed, by: .report)])
    }

    @Test func `an unlisted widget with a family is removed, even if others of its kind are listed`() {
        var device = Device()
        device.opens(.weather("a"), .day(1))
        device.reports([Self.large: 1], .day(2))
        #expect(
            device.story == [
                "weather(a) 1…2 certain 1 possible 1 installed…removed",
                "weather 2… certain 1 possible 1 installed…",
            ])
    }

    @Test func `a certain widget beside a presumed one is removed when the list lacks both`() {
        let any = Placement(kind: "Weather")
        var device = Device(.android)
        device.reports([any: 1], .day(1))
        device.adds(any, .day(2))
        device.reports([:], .day(3))
        #expect(device.state.spans.last?.ended == Change(.removed, by: .report))
    }

    @Test func `a used suspect is removed when the next list lacks it`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.reports([:], .day(6))
        #expect(device.state.spans.last?.ended == Change(.removed, by: .report))
    }

    @Test func `widgets listed beyond the suspects are installed, even if a suspect was used`() {
        var device = Device.suspected([.weather("a"): 2, .weather("b"): 1])
        device.opens(.weather("b"), .day(5))
        device.reports([.weather("b"): 2, .weather("c"): 1], .day(6))
        #expect(device.level(.weather("b")) == .of(certain: 1, suspect: 1, reported: 2))
        #expect(began(device, 6).first == "weather(b) installed 0")
    }

    @Test func `an upgrade can lose a kind with 200 known versions, but not with 201`() {
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

    @Test func `reports under one version make a pair again 20 hours after the last pair`() {
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
