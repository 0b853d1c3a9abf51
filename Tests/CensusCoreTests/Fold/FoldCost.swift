import Fleet
import Testing

@testable import CensusCore

/// No history of a device, however odd, may hold up the fold of the others.
@Suite struct `Fold cost` {
    @Test func `thousands of events at one instant after a long history are no work`() {
        var device = Device()
        for hour in 0..<4_000 {
            device.reports(
                hour % 2 == 0 ? [.weather: 1] : [:], .day(1, hour: Int64(hour % 24)) + .days(Int64(hour / 24)))
        }
        for _ in 0..<4_000 { device.happens(.removed(.search), .day(300)) }
        for _ in 0..<4_000 { device.adds(.search, .day(300)) }
        let time = processorTime { _ = device.state }
        #expect(time < .seconds(3))
    }
}
