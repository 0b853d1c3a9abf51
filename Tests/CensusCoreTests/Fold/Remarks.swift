import Fleet
import Testing

@testable import CensusCore

/// What an explanation says besides the changes.
@Suite struct `Remarks` {
    private func remarks(_ device: Device, foldedThrough: Timestamp? = nil) -> [String?] {
        device.fold.explain(device.observations, foldedThrough: foldedThrough).steps.filter { $0.heard != nil }
            .map { step in step.remark.map { ($0.rule.map { "\($0.number) " } ?? "") + $0.text } }
    }

    @Test func `the first installation is remarked as new, and the next one as a reinstallation`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 1], .day(2))
        device.reinstalls(nil)
        device.reports([.weather: 1], .day(4))
        #expect(
            remarks(device) == [
                "a new installation, first launched 2026-01-01T09:00:00Z", nil,
                "R4 a new installation, first launch unknown",
            ])
    }

    @Test func `a boot is remarked once, with the first observation after it`() {
        var device = Device.suspected()
        device.boots(.day(5))
        device.failsToRead(.day(6))
        device.reports([.weather: 1], .day(7))
        #expect(
            remarks(device).suffix(2) == [
                "R2 the device has booted since the first launch, so its lists are true from now on; "
                    + "the read failed (CHSErrorDomain 1101): says nothing about widgets",
                nil,
            ])
        var settled = Device()
        settled.boots(.day(1))
        settled.reports([:], .day(2))
        #expect(remarks(settled) == ["a new installation, first launched 2026-01-01T09:00:00Z"])
    }

    @Test func `rendering proves nothing on WidgetKit, except on the Today surface`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.renders(.weather, .day(2))
        device.renders(.weather, .day(3), on: .today)
        #expect(remarks(device).dropFirst() == ["R7 rendering proves nothing, because galleries render, too", nil])
        var android = Device(.android)
        android.reports([:], .day(1))
        android.renders(Placement(kind: "W", instance: "1"), .day(2))
        #expect(remarks(android).dropFirst() == [nil])
    }

    private static let echo = "R3 repeats the report before it, so it changes nothing"

    @Test func `an event up to 60 s after a report that says the same is remarked as repeating it`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.adds(.weather, .day(1, second: 60))
        device.adds(.search, .day(1, second: 60) + .microseconds(1))
        #expect(remarks(device).dropFirst() == [Self.echo, nil])
    }

    @Test func `an event soon after a report doesn't repeat it if it changes something`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.adds(.search, .day(1, second: 10))
        #expect(remarks(device).dropFirst() == [nil])
    }

    @Test func `an event doesn't repeat a report of an earlier installation`() {
        var device = Device()
        device.reports([.weather: 1], .day(3))
        device.reinstalls(nil)
        device.removes(.weather, .day(3, second: 30))
        #expect(remarks(device).dropFirst() == ["R4 a new installation, first launch unknown"])
    }

    /// Two surfaces at one instant: the second one's event is compared with the state that the first one left.
    @Test func `a new installation is remarked once among events of one instant, and has no report to repeat`() {
        var device = Device()
        device.reports([.weather: 1], .day(3))
        device.reinstalls(nil)
        device.opens(.search, .day(3, second: 30), on: .control)
        device.removes(.weather, .day(3, second: 30))
        #expect(remarks(device).dropFirst() == ["R4 a new installation, first launch unknown", nil])
        var same = Device()
        same.reports([.weather: 1], .day(3))
        same.opens(.search, .day(3, second: 30), on: .control)
        same.adds(.weather, .day(3, second: 30))
        #expect(remarks(same).dropFirst() == [nil, Self.echo])
    }

    private static let tied = "its order among others of this instant is unknown: the bounds hold in every order"

    @Test func `an unknown order is remarked only where it matters`() {
        var device = Device()
        device.reports([:], .day(1))
        device.adds(.weather, .day(2))
        device.removes(.weather, .day(2))
        device.adds(.search, .day(2), on: .control)
        device.adds(.weather, .day(3))
        device.adds(.weather, .day(3))
        device.removes(.weather, .day(4))
        device.removes(.weather, .day(4))
        #expect(remarks(device).dropFirst() == [Self.tied, Self.tied, nil, nil, nil, nil, nil])
    }

    @Test func `an uncounted observation doesn't make an order unknown`() {
        var device = Device()
        device.reports([:], .day(1))
        device.adds(.weather, .day(2))
        device.circumstances.channel = "testflight"
        device.removes(.weather, .day(2))
        #expect(remarks(device).dropFirst() == [nil, "channel testflight: stored, but never counted"])
    }

    @Test func `an observation of an ended installation is remarked as a sign of cloning`() {
        var device = Device.suspected()
        device.speaks(as: 1)
        device.reports([:], .day(5))
        #expect(
            remarks(device).last == "R4 from an installation that has ended: changes nothing; the device is cloned")
    }

    /// Everything up to that instant was folded, and the instant itself, too.
    @Test func `observations up to the folded time are left out, and later ones are not`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 1], .day(2))
        device.reports([.weather: 1], .day(3))
        let steps = device.fold.explain(device.observations, foldedThrough: .day(2)).steps
        #expect(steps.map(\.isLeftOut) == [true, true, false])
        #expect(
            steps.map(\.remark?.text) == [
                "left out: arrived too late to count, or is counted already",
                "left out: arrived too late to count, or is counted already",
                "a new installation, first launched 2026-01-01T09:00:00Z",
            ])
        #expect(steps.map(\.changes.count) == [0, 0, 1])
    }
}
