import Fleet
import Testing

@testable import CensusCore

/// R10.
@Suite struct `Android instance` {
    private static func widget(_ instance: String, kind: String = "Weather", family: String? = nil) -> Placement {
        Placement(kind: kind, family: family, instance: instance)
    }
    private let one = Self.widget("1")
    private let two = Self.widget("2")
    private let three = Self.widget("3")

    private func reported(_ placements: Placement...) -> Device {
        var device = Device(.android)
        device.reports(Dictionary(uniqueKeysWithValues: placements.map { ($0, 1) }), .day(1))
        return device
    }

    private func causes(_ device: Device) -> Set<Cause> {
        Set(device.state.spans.flatMap { [$0.began.cause, $0.ended?.cause] }.compactMap(\.self))
    }

    @Test func `an instance that was only reported is possible, but neither certain nor suspect`() {
        #expect(reported(one).level(one) == .of(presumed: 1, reported: 1))
        #expect(reported(one).state.spans.map(\.claim) == [nil])
    }

    @Test(arguments: WidgetAct.allCases.filter { [.added, .used].contains($0.sign) })
    func `an instance becomes certain once it is installed or used`(act: WidgetAct) {
        var device = reported(one, two)
        device.happens(.happened(act, to: one), .day(2))
        #expect(device.level(one) == .of(certain: 1, reported: 1))
        #expect(device.level(two) == .of(presumed: 1, reported: 1))
        #expect(device.state.spans.last { $0.placement == one }?.began.rule == .androidInstance)
    }

    @Test func `widget_rendered doesn't prove an instance`() {
        var device = reported(one)
        device.renders(one, .day(2))
        #expect(device.level(one) == .of(presumed: 1, reported: 1))
        device.renders(two, .day(2))
        #expect(device.level(two) == .none)
    }

    @Test func `a certain instance stays certain in later reports`() {
        var device = reported(one, two)
        device.opens(one, .day(2))
        device.reports([one: 1, two: 1, three: 1], .day(3))
        #expect(device.level(one) == .of(certain: 1, reported: 1))
        #expect(device.level(two) == .of(presumed: 1, reported: 1))
        #expect(device.level(three) == .of(presumed: 1, reported: 1))
    }

    @Test func `an instance counts once, however often it is reported`() {
        var device = Device(.android)
        for minute in 0..<5 { device.adds(one, .day(1, minute: Int64(minute))) }
        device.reports([one: 3], .day(2))
        device.opens(one, .day(3))
        device.adds(one, .day(4))
        #expect(device.level(one).possible == 1 && device.level(one).certain == 1)
    }

    @Test func `an installation event makes an instance certain before any report`() {
        var device = Device(.android)
        device.adds(one, .day(1))
        #expect(device.level(one) == .of(certain: 1, reported: 0))
    }

    @Test func `using an instance that no report lists proves it`() {
        var device = reported(one)
        device.opens(two, .day(2))
        #expect(device.level(two).certain == 1)
        #expect(device.level(one) == .of(presumed: 1, reported: 1))
    }

    @Test func `a removal ends the instance it names and no other`() {
        var device = reported(one, two)
        device.opens(two, .day(2))
        device.removes(one, .day(3))
        #expect(device.level(one).possible == 0)
        #expect(device.level(two).certain == 1)
        device.removes(three, .day(4))
        #expect(device.level(two).certain == 1)
    }

    @Test func `a report without an instance ends it and discards its proof`() {
        var device = reported(one)
        device.opens(one, .day(2))
        device.reports([:], .day(3))
        #expect(device.level(one) == .none)
        device.reports([one: 1], .day(4))
        #expect(device.level(one) == .of(presumed: 1, reported: 1))
    }

    @Test func `a removed instance must be proved again`() {
        var device = reported(one)
        device.opens(one, .day(2))
        device.removes(one, .day(3))
        device.reports([one: 1], .day(4))
        #expect(device.level(one) == .of(presumed: 1, reported: 1))
    }

    @Test func `a resized instance counts as configured and keeps its proof`() {
        let (small, large) = (Self.widget("1", family: "small"), Self.widget("1", family: "large"))
        var device = reported(small)
        device.opens(small, .day(2))
        device.reports([large: 1], .day(3))
        #expect(device.level(small) == .none)
        #expect(device.level(large) == .of(certain: 1, reported: 1))
        #expect(causes(device).isDisjoint(with: [.removed]))
        #expect(device.state.spans.last?.began.cause == .configured)
    }

    @Test func `a reboot doesn't make a listed instance certain`() {
        var device = reported(one)
        device.reinstalls(.day(2))
        device.reports([one: 1], .day(3))
        device.boots(.day(4))
        device.reports([one: 1], .day(5))
        #expect(device.level(one) == .of(presumed: 1, reported: 1))
    }

    @Test func `a failed read changes nothing`() {
        var device = reported(one)
        device.opens(one, .day(2))
        device.failsToRead(.day(3))
        #expect(device.level(one).certain == 1)
    }

    @Test func `a reinstallation ends instances and discards their proof`() {
        var device = reported(one)
        device.opens(one, .day(2))
        device.reinstalls(.day(3))
        device.reports([one: 1], .day(4))
        #expect(device.level(one).certain == 0)
        #expect(device.state.spans.first?.ended != nil)
    }

    @Test func `an instance that nothing confirms for a whole window becomes only possible`() {
        var device = Device(.android)
        device.adds(one, .day(1))
        for day in 2...40 { device.failsToRead(.day(Int64(day))) }
        #expect(device.level(one).certain == 0 && device.level(one).possible == 1)
    }

    @Test func `placements without an instance count as a multiset`() {
        var device = Device(.android)
        device.reports([Placement(kind: "Weather"): 3], .day(1))
        #expect(device.level(Placement(kind: "Weather")) == .of(presumed: 3, reported: 3))
        device.adds(Placement(kind: "Weather"), .day(2))
        #expect(device.level(Placement(kind: "Weather")) == .of(certain: 1, presumed: 3, reported: 3))
    }
}

/// R10, `widgets_restored`.
@Suite struct `Restored instance` {
    private func widget(_ instance: String) -> Placement { Placement(kind: "Weather", instance: instance) }

    /// Instance 1 is proved, and instance 2 is only reported.
    private func held() -> Device {
        var device = Device(.android)
        device.reports([widget("1"): 1, widget("2"): 1], .day(1))
        device.opens(widget("1"), .day(2))
        return device
    }

    private func levels(_ device: Device) -> [String: Int] {
        let held = device.state.surfaces[.widget]?.holdings ?? [:]
        return Dictionary(
            uniqueKeysWithValues: held.map { ("\($0.key.instance ?? "")", $0.value.certain * 10 + $0.value.possible) })
    }

    @Test func `a restored instance continues under its new id`() {
        var device = held()
        let before = device.state.spans
        device.restores(["1": "7"], .day(3))
        #expect(levels(device) == ["7": 11, "2": 1])
        #expect(device.state.spans.allSatisfy { $0.ended?.cause != .removed })
        // Past spans keep the old id.
        let now = device.state.spans.filter { $0.from == .day(3) }
        #expect(now.map(\.placement.instance) == ["7"])
        #expect(now.map(\.began.cause) == [.configured])
        #expect(device.state.spans.count == before.count + 1)
    }

    /// Events of one instant come before its reports, in the order of their ids.
    @Test func `an instance restored at the instant of its installation is installed under its newest id`() {
        var device = Device(.android)
        device.adds(widget("1"), .day(1))
        device.restores(["1": "7"], .day(1))
        device.restores(["7": "8"], .day(1))
        #expect(levels(device) == ["8": 11])
        #expect(device.state.spans.map(\.began.cause) == [.installed])
    }

    @Test func `a restored instance keeps its proof in the next report`() {
        var device = held()
        device.restores(["1": "7", "2": "8"], .day(3))
        device.reports([widget("7"): 1, widget("8"): 1], .day(4))
        #expect(levels(device) == ["7": 11, "8": 1])
        #expect(device.state.spans.allSatisfy { $0.ended?.cause != .removed })
        #expect(!device.state.spans.contains { $0.from == .day(4) })
    }

    @Test func `two instances that swap ids keep their own proof`() {
        var device = held()
        device.restores(["1": "2", "2": "1"], .day(3))
        #expect(levels(device) == ["2": 11, "1": 1])
    }

    @Test func `a chain of ids moves each instance by one`() {
        var device = held()
        device.restores(["1": "2", "2": "3"], .day(3))
        #expect(levels(device) == ["2": 11, "3": 1])
    }

    @Test func `restoring an unknown or unchanged id changes nothing`() {
        var device = held()
        device.restores(["8": "9"], .day(3))
        #expect(levels(device) == ["1": 11, "2": 1])
        device.restores(["1": "1"], .day(4))
        #expect(levels(device) == ["1": 11, "2": 1])
    }

    @Test func `an instance restored to an id that is already held counts once`() {
        var device = held()
        device.reports([widget("1"): 1, widget("2"): 1, widget("7"): 1], .day(3))
        device.restores(["2": "7"], .day(4))
        #expect(levels(device) == ["1": 11, "7": 1])
        #expect(device.state.spans.allSatisfy { $0.ended?.cause != .removed })
    }

    @Test func `an event can name the new id right after the restoration`() {
        var device = held()
        device.restores(["1": "7"], .day(3))
        device.removes(widget("7"), .day(4))
        #expect(device.level(widget("7")).possible == 0)
        #expect(device.level(widget("2")).possible == 1)
    }

    @Test func `widgets_restored changes nothing on WidgetKit`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.restores(["1": "2"], .day(2))
        #expect(device.story == ["weather 1… certain 1 possible 1 installed…"])
    }
}

/// R10: a control's token doesn't identify it.
@Suite struct `Control token` {
    private func control(_ token: String?) -> Placement { Placement(kind: "lamp", instance: token) }

    @Test func `a rotated token is neither a removal nor an installation`() {
        var device = Device()
        device.reports([control("a"): 1], .day(1), on: .control)
        device.reports([control("b"): 1], .day(2), on: .control)
        #expect(device.story == ["lamp 1… certain 1 possible 1 installed…"])
    }

    @Test func `controls that differ only in their tokens are counted together`() {
        var device = Device()
        device.reports([control("a"): 1, control("b"): 1, control(nil): 1], .day(1), on: .control)
        #expect(device.level(control(nil), on: .control) == .of(certain: 3, reported: 3))
    }

    @Test func `a removal matches its control under any token`() {
        var device = Device()
        device.reports([control("a"): 2], .day(1), on: .control)
        device.removes(control("b"), .day(2), on: .control)
        #expect(device.level(control(nil), on: .control).certain == 1)
    }

    @Test func `a use matches its suspect under any token`() {
        var device = Device()
        device.reports([:], .day(1), on: .control)
        device.reinstalls(.day(2))
        device.reports([control("a"): 1], .day(3), on: .control)
        device.opens(control("b"), .day(4), on: .control)
        device.reports([control("c"): 1], .day(5), on: .control)
        #expect(device.level(control(nil), on: .control) == .of(certain: 1, reported: 1))
    }
}
