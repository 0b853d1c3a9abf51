import Fleet
import Testing

@testable import CensusCore

@Suite struct `Explanations` {
    /// The effect of an event was once listed under a failed read of the same second.
    @Test func `an explanation lists each change under its cause, even among events of one instant`() throws {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.failsToRead(.day(1))
        device.adds(.search, .day(5))
        device.removes(.weather, .day(5))
        device.opens(.search, .day(5))
        device.failsToRead(.day(5))
        // A change by time alone has no observation, such as when day 1's list stops counting as reported.
        device.reports([.search: 1], .day(60))
        let steps = device.fold.explain(device.observations).steps
        let told = steps.flatMap { step in
            step.changes.map { change in
                let heard = step.heard.map { "\($0.event.type.rawValue) \($0.id)" } ?? "time"
                return "\(heard): \(change.placement.kind) \(change.before.certain) \(change.after.certain)"
            }
        }
        #expect(
            told == [
                "widgets_reported event 0: weather 0 1", "widget_installed event 2: search 0 1",
                "widget_removed event 3: weather 1 0", "time: search 1 0", "time: weather 0 0",
                "widgets_reported event 6: search 0 1",
            ])
    }
}
