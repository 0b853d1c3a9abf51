import Foundation
import Testing

@testable import WidgetCensusClient

/// Files outlive the version that wrote them: an update must read what waits.
@Suite struct `File formats` {
    /// As version 1 writes it. Never change this text.
    private static let first = """
        {"context":{"app":{"channel":"production","id":"com.example.weather","version":"20.12.1"},"device":{"os_build":"23B74",\
        "os_version":"26.1","platform":"ios"},"gallery_policy":17,"installation":{"first_launched_at":"2026-11-20T18:03:10.000Z",\
        "id":"A0C2","rebooted":false}},"event":{"at":"2026-11-21T09:59:58.250Z","id":"0193","source":"app",\
        "type":"widgets_reported","widgets":[{"count":2,"family":"systemSmall","intent":"CityIntent","kind":"weather_old"}]},\
        "format":1}
        """

    private static var event: QueuedEvent {
        get throws {
            QueuedEvent(
                context: EventContext(
                    app: .init(id: "com.example.weather", version: "20.12.1", channel: "production"),
                    device: .init(platform: "ios", osVersion: "26.1", osBuild: "23B74"),
                    installation: .init(
                        id: "A0C2", firstLaunchedAt: WireTime.date("2026-11-20T18:03:10Z"),
                        rebooted: false),
                    galleryPolicy: 17),
                event: Event(
                    id: "0193", type: .reported, at: try #require(WireTime.date("2026-11-21T09:59:58.250Z")),
                    source: "app",
                    widgets: [
                        Widget("weather_old", family: "systemSmall", intent: "CityIntent"),
                        Widget("weather_old", family: "systemSmall", intent: "CityIntent"),
                    ].counted))
        }
    }

    @Test func `the queue's first is read, and still written`() throws {
        #expect(QueuedEvent.read(Data(Self.first.utf8)) == .event(try Self.event))
        #expect(String(decoding: try JSONEncoder.ofWire.encode(try Self.event), as: UTF8.self) == Self.first)
    }

    @Test func `fields that an older version did not write, and those of a newer, do not matter`() throws {
        let text = """
            {"format":1,"new":1,"context":{"app":{"id":"a","version":"1","channel":"production"},"device":{"platform":"ios"},
            "later":{}},"event":{"id":"e","type":"widget_opened","at":"2026-11-21T09:59:58Z","widget":{"kind":"k","new":[]}}}
            """
        guard case .event(let event) = QueuedEvent.read(Data(text.utf8)) else {
            Issue.record("not read")
            return
        }
        #expect(event.event.widget == Widget("k") && event.context.installation == nil)
    }

    @Test func `the surface of a control is read back`() throws {
        var event = try Self.event
        event.event.surface = .control
        let data = try JSONEncoder.ofWire.encode(event)
        #expect(String(decoding: data, as: UTF8.self).contains(#""surface":"control""#))
        #expect(QueuedEvent.read(data) == .event(event))
    }

    @Test func `the pause's, the installation's and the gallery's first are read`() throws {
        let pause = #"{"failures":3,"length":7.5,"since":"2026-11-21T09:59:58.250Z"}"#
        #expect(try decoded(Pause.self, pause).failures == 3)
        let installation = """
            {"boot_session":"b","first_launched_at":"2026-11-20T18:03:10.000Z","id":"A0C2","is_from_first_launch":true}
            """
        #expect(try decoded(Installation.self, installation).rebooted(bootSession: "c") == true)
        let list =
            #"{"kinds":["weather_old"],"release":{"app_build":"1","app_version":"2","system":"26.1 "},"report":"r"}"#
        #expect(try decoded(NewestList.self, list).kinds == ["weather_old"])
        let answer = """
            {"clock_difference":1.5,"entity_tag":"\\"x\\"","fetched_at":"2026-11-21T09:59:58.250Z","hidden":["weather_old"],
            "release":{"app_build":"1","app_version":"2","system":"26.1 "},"report":"r",
            "valid_until":"2026-12-19T00:00:00.000Z","version":3}
            """
        #expect(try decoded(PolicyAnswer.self, answer).hidden == ["weather_old"])
        #expect(try decoded(Consent.self, #"{"objected":{}}"#) == .objected)
        #expect(try decoded(Consent.self, #"{"given":{"era":"6F1D"}}"#) == .given(era: "6F1D"))
    }

    private func decoded<Value: Codable & Equatable>(_ type: Value.Type, _ text: String) throws -> Value {
        let value = try JSONDecoder.ofWire.decode(type, from: Data(text.utf8))
        #expect(try JSONDecoder.ofWire.decode(type, from: JSONEncoder.ofWire.encode(value)) == value)
        return value
    }

    @Test(arguments: [0, 0.001, 0.25, 1_790_000_000.999, 1_790_000_000.0005, -1e15, 1e15, .infinity])
    func `times have four digits of year, milliseconds and a zone`(seconds: Double) throws {
        let text = WireTime.text(of: Date(timeIntervalSince1970: seconds))
        #expect(text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(text)")
        let back = try #require(WireTime.date(text))
        #expect(WireTime.text(of: back) == text)
        if abs(seconds) < 1e11 { #expect(abs(back.timeIntervalSince1970 - seconds) < 0.0011) }
    }
}
