import Fleet
import Testing

@testable import CensusCore

/// No device's history, however odd, may hold up the fold of other devices.
@Suite struct `Fold cost` {
    @Test func `thousands of events at one instant after a long history fold within 3 seconds`() {
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
