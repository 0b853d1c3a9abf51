import Fleet
import Testing

@testable import CensusCore

/// Which observation of an instant caused a change.
@Suite struct `Explained causes` {
    /// Each change after the first instant, with the id of the observation that it is listed under.
    private func told(_ device: Device) -> [String] {
        device.fold.explain(device.observations).steps.drop { $0.at == device.observations.first?.at }
            .flatMap { step in
                step.changes.map { change in
                    let (before, after) = (change.before, change.after)
                    return "\(step.heard?.id ?? "time"): \(change.placement.kind) "
                        + "\(before.certain)…\(before.possible) → \(after.certain)…\(after.possible)"
                }
            }
    }

    private func reported(_ claims: [Placement: Int] = [:]) -> Device {
        var device = Device()
        device.reports(claims, .day(1))
        return device
    }

    @Test(arguments: [WidgetAct.opened, .configured])
    func `a new widget is listed under its installation, not under a use at the same instant`(use: WidgetAct) {
        var device = reported()
        device.happens(.installed(.weather), .day(2), id: "a")
        device.happens(.happened(use, to: .weather), .day(2), id: "b")
        #expect(told(device) == ["a: weather 0…0 → 1…2"])
    }

    @Test func `a new widget named only by uses is listed under the last of them`() {
        var device = reported()
        device.happens(.opened(.weather), .day(2), id: "a")
        device.happens(.configured(.weather), .day(2), id: "b")
        #expect(told(device) == ["b: weather 0…0 → 1…1"])
    }

    @Test func `a change isn't listed under an observation of another channel or surface`() {
        var device = reported()
        device.happens(.installed(.weather), .day(2), id: "a")
        device.circumstances.channel = "testflight"
        device.happens(.installed(.weather), .day(2), id: "b")
        #expect(told(device) == ["a: weather 0…0 → 1…1"])
        var other = reported()
        other.happens(.installed(.weather), .day(2), id: "a")
        other.happens(.opened(.search), .day(2), id: "b", on: .control)
        #expect(told(other).first == "a: weather 0…0 → 1…1")
    }

    @Test func `a loss is listed under the list that lacks the widget, not under another kind's event`() {
        var device = reported([.weather: 1])
        device.happens(.installed(.search), .day(2), id: "z")
        device.happens(.reported([.search: 1]), .day(2), id: "a")
        #expect(told(device) == ["a: search 0…0 → 1…1", "a: weather 1…1 → 0…0"])
    }

    @Test func `a change is listed under a list, not under a failed read`() {
        var device = reported([.weather: 1])
        device.happens(.reported([.search: 1]), .day(2), id: "a")
        device.happens(.readFailed(domain: "x", code: 1), .day(2), id: "b")
        #expect(told(device) == ["a: search 0…0 → 1…1", "a: weather 1…1 → 0…0"])
    }

    @Test func `a new id is listed under its restoration, not under another kind's event`() {
        var device = Device(.android)
        device.adds(Placement(kind: "W", instance: "1"), .day(1))
        device.happens(.restored(["1": "8"]), .day(2), id: "a")
        device.happens(.opened(Placement(kind: "S", instance: "5")), .day(2), id: "b")
        #expect(told(device) == ["a: W 1…1 → 0…0", "a: W 0…0 → 1…1", "b: S 0…0 → 1…1"])
    }

    /// The level stays the same, but the span is a new one.
    @Test func `a widget that starts over with a new installation is listed under its report`() {
        var device = reported([.weather: 1])
        device.reinstalls(nil)
        device.circumstances.rebooted = true
        device.happens(.reported([.weather: 1]), .day(4), id: "a")
        device.happens(.readFailed(domain: "x", code: 1), .day(4), id: "b")
        #expect(told(device) == ["a: weather 1…1 → 1…1"])
    }

    /// The widgets end without an observation of their own surface.
    @Test func `a widget that ends with an installation is listed under the next one's first observation`() {
        var device = reported([.weather: 1])
        device.reinstalls(nil)
        device.happens(.opened(.search), .day(4), id: "a", on: .control)
        #expect(told(device).contains("a: weather 1…1 → 0…0"))
    }
}
