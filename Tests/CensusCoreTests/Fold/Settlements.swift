import Fleet
import Testing

@testable import CensusCore

/// Outcomes of suspects in histories that the fold once got wrong.
@Suite struct `Settlement` {
    @Test func `a suspect that outlives a certain widget of its family was there`() {
        var device = Device()
        device.reports([:], .day(1))
        device.reinstalls(.day(3))
        device.reports([.weather("b"): 1], .day(4))
        device.reports([.weather("a"): 1, .weather("b"): 1], .day(5))
        device.boots(.day(6))
        device.reports([.weather("b"): 1], .day(7))
        let suspects = device.state.spans.filter { $0.level.suspect > 0 }
        #expect(suspects.map(\.stillThere) == [1])
        #expect(device.level(.weather("b")).certain == 1)
    }

    @Test func `an empty list claims nothing, so a suspect's claim has the OS of the first event`() {
        var device = Device()
        device.reports([:], .day(1))
        device.reinstalls(.day(3))
        device.reports([:], .day(4))
        device.circumstances.osVersion = "15.0"
        device.adds(.weather, .day(5))
        #expect(device.state.spans.last?.claim == Claim(platform: .ios, osVersion: "15.0"))
    }
}

@Suite struct `Implausible times` {
    @Test(arguments: ["0000-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-11-21T10:06:00Z", "9999-12-31T23:59:59Z"])
    func `an implausible boot or first launch counts as unknown`(time: String) throws {
        let body = """
            {"sent_at": "2026-11-21T10:00:00Z", "app": {"id": "a", "version": "1"},
             "device": {"id": "d", "platform": "ios", "booted_at": "\(time)"},
             "installation": {"id": "i", "first_launched_at": "\(time)"},
             "events": [{"id": "1", "type": "widgets_reported", "at": "2026-11-21T10:00:00Z", "widgets": []}]}
            """
        let received = try #require(Timestamp(rfc3339: "2026-11-21T10:00:00Z"))
        let batch = try BatchDecoder().decode(Array(body.utf8), received: received)
        #expect(batch.circumstances.bootedAt == nil)
        #expect(batch.circumstances.firstLaunchedAt == nil)
        #expect(try batch.events.map { try $0.get().id } == ["1"])
    }
}
