import Fleet
import Testing

@testable import CensusCore

/// R10: which instance an event without one might mean, and what the next list says about it.
@Suite struct `Questions about instances` {
    private let one = Self.widget("1")
    private let two = Self.widget("2")
    private let any = Placement(kind: "Weather")

    private static func widget(_ instance: String?, family: String? = nil) -> Placement {
        Placement(kind: "Weather", family: family, instance: instance)
    }

    private func reported(_ claims: [Placement: Int]) -> Device {
        var device = Device(.android)
        device.reports(claims, .day(1))
        return device
    }

    private func held(_ device: Device) -> [Placement: Level] { device.state.surfaces[.widget]?.holdings ?? [:] }

    private func began(_ placement: Placement, _ device: Device) -> Cause? {
        device.state.spans.last { $0.placement == placement }?.began.cause
    }

    @Test func `a use without an instance never means another kind's certain instance`() {
        var device = Device(.android)
        device.configures(Placement(kind: "Search", instance: "5"), .day(1))
        device.opens(any, .day(2))
        #expect(device.level(any) == Level(certain: 1))
    }

    @Test func `a removed instance is no candidate, so a later use means the one that the next list adds`() {
        var device = reported([one: 1])
        device.removes(one, .day(2))
        device.opens(any, .day(3))
        device.reports([two: 1], .day(4))
        #expect(held(device) == [any: Level(certain: 1), two: Level(either: 1, reported: 1)])
    }

    @Test func `a removal takes the only instance of its kind, and none of another kind`() {
        let search = Placement(kind: "Search")
        var device = reported([one: 1, search: 1])
        device.removes(any, .day(2))
        #expect(held(device) == [one: Level(reported: 1), search: .of(presumed: 1, reported: 1)])
    }

    @Test func `a removal of a used but never listed widget leaves nothing`() {
        var device = Device(.android)
        device.opens(two, .day(1))
        device.removes(any, .day(2))
        #expect(held(device) == [:])
        #expect(device.story == ["Weather#2 1…2 certain 1 possible 1 installed…removed"])
        var unnamed = Device(.android)
        unnamed.opens(any, .day(1))
        unnamed.removes(any, .day(2))
        #expect(unnamed.story == ["Weather 1…2 certain 1 possible 1 installed…removed"])
    }

    @Test func `a removal takes the certain one of several, and the one left began as configured`() {
        var device = Device(.android)
        device.adds(any, .day(1))
        device.opens(one, .day(2))
        device.removes(any, .day(3))
        #expect(
            device.story == [
                "Weather 1…2 certain 1 possible 1 installed…configured",
                "Weather 2… certain 0 possible 1 configured…",
                "Weather#1 2…3 certain 1 possible 1 configured…removed",
            ])
    }

    @Test func `an instance that an earlier unnamed event might mean is configured, not installed`() {
        var used = Device(.android)
        used.opens(any, .day(1))
        used.opens(one, .day(2))
        #expect(began(one, used) == .configured)
        var listed = Device(.android)
        listed.adds(any, .day(1))
        listed.reports([any: 1], .day(2))
        listed.opens(one, .day(3))
        #expect(began(one, listed) == .configured)
        #expect(listed.level(any) == .of(presumed: 1, reported: 1))
    }

    /// Instance 2 is the used one, so instance 1 is another.
    @Test func `an instance that is no candidate is installed beside the unnamed one`() {
        var device = Device(.android)
        device.opens(any, .day(1))
        device.reports([two: 1], .day(2))
        device.adds(one, .day(3))
        #expect(began(one, device) == .installed)
        #expect(device.level(any) == Level(certain: 1))
        #expect(device.level(one) == Level(certain: 1))
    }

    @Test func `removing an instance that might be the one listed without a name leaves one possible`() {
        var device = Device(.android)
        device.adds(any, .day(1))
        device.reports([any: 1], .day(2))
        device.removes(one, .day(3))
        #expect(held(device) == [any: .of(presumed: 1, reported: 1)])
    }

    @Test func `a named use doesn't push a doubted unnamed one below zero`() {
        var device = Device(.android, window: ActivityWindow(days: 1))
        device.opens(any, .day(1))
        device.opens(two, .day(3))
        #expect(held(device) == [any: Level(presumed: 1), two: Level(certain: 1)])
    }

    @Test func `only proved placements are recorded as proved`() {
        var device = Device(.android)
        device.adds(any, .day(1))
        #expect(device.state.surfaces[.widget]?.proven == [any: 1])
        device.adds(one, .day(2))
        #expect(device.state.surfaces[.widget]?.proven == [one: 1])
        #expect(reported([one: 1]).state.surfaces[.widget]?.proven == [:])
    }

    @Test func `a candidate that was never listed can't be one that stays on the list`() {
        var device = Device(.android)
        device.adds(any, .day(1))
        device.adds(any, .day(2))
        device.removes(any, .day(3))
        for day in 4...40 { device.failsToRead(.day(Int64(day))) }
        device.opens(any, .day(41))
        #expect(device.level(any) == Level(certain: 1, presumed: 1))
        device.reports([one: 1], .day(42))
        #expect(held(device) == [one: .of(presumed: 1, reported: 1)])
    }

    @Test func `the used one of several unnamed widgets might be the one that left`() {
        var device = reported([any: 2])
        device.opens(any, .day(2))
        device.reports([any: 1, one: 1], .day(3))
        #expect(held(device) == [any: .of(presumed: 1, reported: 1), one: .of(presumed: 1, reported: 1)])
    }

    @Test func `a list without instances or of another family doesn't show which one was used`() {
        let large = Self.widget(nil, family: "large")
        var unnamed = Device(.android)
        unnamed.opens(any, .day(1))
        unnamed.reports([large: 1], .day(2))
        #expect(held(unnamed) == [large: .of(presumed: 1, reported: 1)])
        var other = Device(.android)
        other.opens(Self.widget(nil, family: "small"), .day(1))
        other.reports([Self.widget("2", family: "large"): 1], .day(2))
        #expect(held(other) == [Self.widget("2", family: "large"): .of(presumed: 1, reported: 1)])
    }

    @Test func `an unnamed widget has the family of its candidates, or none if they differ`() {
        let (small, large) = (Self.widget("1", family: "small"), Self.widget("2", family: "large"))
        var same = reported([small: 1])
        same.opens(any, .day(2))
        same.reports([small: 1], .day(3))
        #expect(
            held(same) == [
                Self.widget(nil, family: "small"): Level(certain: 1), small: Level(either: 1, reported: 1),
            ])
        var several = reported([small: 1, large: 1])
        several.opens(any, .day(2))
        several.reports([small: 1, large: 1], .day(3))
        #expect(several.level(any) == Level(certain: 1))
    }

    @Test func `an unnamed removal takes the widget that is left, not one already removed`() {
        let small = Self.widget(nil, family: "small")
        var device = reported([one: 1, small: 1])
        device.removes(one, .day(2))
        device.removes(any, .day(3))
        #expect(held(device) == [one: Level(reported: 1), small: Level(reported: 1)])
    }

    @Test func `a removal leaves one of two unnamed installations proved`() {
        var device = Device(.android)
        device.adds(any, .day(1))
        device.adds(any, .day(2))
        device.removes(any, .day(3))
        #expect(device.level(any) == Level(certain: 1))
        #expect(device.state.surfaces[.widget]?.proven == [any: 1])
    }

    @Test func `an answer about one kind leaves the question about another kind open`() {
        let search = Placement(kind: "Search", instance: "5")
        var device = Device(.android)
        device.configures(any, .day(1))
        device.configures(Placement(kind: "Search"), .day(1))
        device.reports([search: 1, one: 1], .day(2))
        device.opens(one, .day(3))
        #expect(
            held(device) == [
                Placement(kind: "Search"): Level(certain: 1), search: Level(either: 1, reported: 1),
                one: .of(certain: 1, reported: 1),
            ])
    }

    @Test func `a restoration that withdraws the questions leaves each candidate presumed`() {
        let (large, small) = (Self.widget("1", family: "large"), Self.widget("2", family: "small"))
        var device = Device(.android)
        device.adds(any, .day(1))
        device.adds(any, .day(2))
        device.reports([large: 1, small: 1], .day(3))
        #expect(device.level(any) == Level(certain: 2))
        device.restores(["1": "3"], .day(4))
        #expect(
            held(device) == [
                Self.widget("3", family: "large"): .of(presumed: 1, reported: 1), small: .of(presumed: 1, reported: 1),
            ])
    }

    @Test func `a listed instance answers for only one of two unnamed installations`() {
        var device = Device(.android)
        device.adds(any, .day(1))
        device.adds(Self.widget(nil, family: "small"), .day(2))
        device.reports([Self.widget("1", family: "small"): 1], .day(3))
        #expect(
            held(device) == [
                Self.widget(nil, family: "small"): Level(certain: 1),
                Self.widget("1", family: "small"): Level(either: 1, reported: 1),
            ])
    }

    @Test func `another instance's restoration says nothing about an instance listed in two sizes`() {
        let (large, small) = (Self.widget("1", family: "large"), Self.widget("1", family: "small"))
        for names in [["2": "1", "3": "1"], ["2": "8"]] as [[Text: String]] {
            var device = reported([large: 1, small: 1])
            device.restores(names, .day(2))
            #expect(held(device) == [large: .of(presumed: 1, reported: 1), small: Level(reported: 1)])
        }
    }

    /// Several kinds, because a dictionary's order is random.
    @Test func `the first in order of two instances restored to one id continues`() {
        var (claims, names): ([Placement: Int], [Text: String]) = ([:], [:])
        for number in 0..<12 {
            claims[Placement(kind: "Kind \(number)", family: "small", instance: "\(number) a")] = 1
            claims[Placement(kind: "Kind \(number)", family: "large", instance: "\(number) b")] = 1
            for old in ["\(number) a", "\(number) b"] { names[Text(old)] = "\(number) c" }
        }
        var device = reported(claims)
        device.restores(names, .day(2))
        #expect(held(device).count == 12)
        #expect(Set(held(device).keys.map(\.family)) == ["large"])
    }

    @Test func `a doubted unnamed widget is installed, not returned, when a list has more`() {
        var device = Device(.android)
        device.adds(any, .day(1))
        for day in 2...40 { device.failsToRead(.day(Int64(day))) }
        device.reports([any: 2, one: 1], .day(41))
        #expect(began(any, device) == .installed)
    }

    @Test func `widgets that left the list might be the proved ones`() {
        var device = Device(.android)
        device.adds(any, .day(1))
        device.adds(any, .day(2))
        device.reports([any: 3], .day(3))
        #expect(device.level(any) == .of(certain: 2, presumed: 1, reported: 3))
        device.reports([any: 2], .day(4))
        #expect(device.level(any) == .of(certain: 1, presumed: 1, reported: 2))
        device.reports([any: 1], .day(5))
        #expect(device.level(any) == .of(presumed: 1, reported: 1))
        var unproved = reported([any: 2])
        unproved.reports([any: 1], .day(2))
        #expect(unproved.level(any) == .of(presumed: 1, reported: 1))
    }

    @Test func `an instance restored to a held id takes that id's size and counts once`() {
        let (small, large) = (Self.widget("7", family: "small"), Self.widget("2", family: "large"))
        var device = reported([small: 1, large: 1])
        device.restores(["2": "7"], .day(2))
        #expect(held(device) == [small: .of(presumed: 1, reported: 1)])
        var proved = reported([one: 1])
        proved.adds(two, .day(2))
        proved.restores(["1": "2"], .day(3))
        #expect(held(proved) == [two: Level(certain: 1)])
    }

    @Test func `an instance first listed beside a presumed one is installed`() {
        var device = reported([one: 1])
        device.reports([one: 1, two: 1], .day(2))
        #expect(began(two, device) == .installed)
    }

    @Test func `a used but never listed instance is removed when the next list lacks it`() {
        var device = Device(.android)
        device.opens(one, .day(1))
        device.reports([:], .day(2))
        #expect(device.state.spans.map(\.ended) == [Change(.removed, by: .report)])
    }
}
