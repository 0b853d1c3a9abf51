import Testing

@testable import CensusCore

/// Values that are accepted as sent, but are probably mistakes.
@Suite struct `Warnings` {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var field: String
        var sent: String
        var code: BatchWarning.Code
        var pointer: String
        var event: Int?
        var testDescription: String { sent }

        init(_ field: String, _ sent: String, _ code: BatchWarning.Code, _ pointer: String, event: Int? = nil) {
            (self.field, self.sent, self.code, self.pointer, self.event) = (field, sent, code, pointer, event)
        }
    }

    static let platform = #""platform":"ios""#
    static let version = #""version":"20.12.1""#
    static let device = #""id":"6F1D""#
    static let installation = #""id":"A0C2""#
    static let small = #""family":"systemSmall""#

    static let mistakes: [Mistake] = [
        Mistake(platform, platform + #","osVersion":"26.1""#, .unknownField, "/device/osVersion"),
        Mistake(platform, platform + #","os-build":"x""#, .unknownField, "/device/os-build"),
        Mistake(installation, installation + #","Rebooted":true"#, .unknownField, "/installation/Rebooted"),
        Mistake(small, #""Family":"systemSmall""#, .unknownField, "/events/0/widget/Family", event: 0),
        Mistake(#""at""#, #""Surface":"control","at""#, .unknownField, "/events/0/Surface", event: 0),
        Mistake(version, version + #","os_version":"26.1""#, .misplacedField, "/app/os_version"),
        Mistake(platform, platform + #","rebooted":true"#, .misplacedField, "/device/rebooted"),
        Mistake(#""events""#, #""channel":"debug","events""#, .misplacedField, "/channel"),
        Mistake(small, small + #","count":5"#, .misplacedField, "/events/0/widget/count", event: 0),
        Mistake(device, #""id":"00000000-0000-0000-0000-000000000000""#, .sharedDevice, "/device/id"),
        Mistake(device, #""id":"9774D56D682E549C""#, .sharedDevice, "/device/id"),
        Mistake(device, #""id":"Optional(nil)""#, .sharedDevice, "/device/id"),
        Mistake(platform, platform + #","os_version":"iOS 26.1""#, .osVersion, "/device/os_version"),
        Mistake(platform, platform + #","os_version":"iPhone OS 26""#, .osVersion, "/device/os_version"),
        Mistake(small, #""family":"system_small""#, .family, "/events/0/widget/family", event: 0),
        Mistake(small, #""family":".systemSmall""#, .family, "/events/0/widget/family", event: 0),
        Mistake(small, #""family":"small""#, .family, "/events/0/widget/family", event: 0),
        Mistake(
            installation, installation + #","first_launched_at":"2026-11-21T10:06:00Z""#, .futureTime,
            "/installation/first_launched_at"),
        Mistake(platform, platform + #","booted_at":"2026-11-20T10:00:00Z""#, .bootTime, "/device/booted_at"),
        Mistake(version, #""version":"20.12.1-debug""#, .channel, "/app/version"),
        Mistake(version, version + #","channel":"Production""#, .channel, "/app/channel"),
        Mistake(version, version + #","channel":"app_store""#, .channel, "/app/channel"),
    ]

    private func warnings(_ text: String) throws -> [BatchWarning] {
        try BatchDecoder().decode(Array(text.utf8), received: Body.received).warnings
    }

    @Test(arguments: mistakes) func `a warning has the mistake's code and pointer`(mistake: Mistake) throws {
        let text = Body().text.replacing(mistake.field, with: mistake.sent)
        try #require(text != Body().text)
        let warnings = try warnings(text)
        #expect(warnings.map(\.code) == [mistake.code])
        #expect(warnings.map(\.pointer) == [mistake.pointer])
        #expect(warnings.map(\.index) == [mistake.event])
    }

    static let proper = [
        (platform, platform + #","os_version":"26.1""#), (platform, #""platform":"android","os_version":"Tiramisu""#),
        (platform, #""platform":"android","booted_at":"2026-11-20T10:00:00Z""#),
        (platform, #""platform":"android","channel_count":3,"sdk":"1.2""#),
        (version, version + #","channel":"testflight""#), (version, #""version":"20.12.1-debug","channel":"debug""#),
        (version, #""version":"Latest 20""#), (small, #""family":"systemHuge""#), (small, #""family":"4x2""#),
        (device, #""id":"00000000-0000-0000-0000-000000000001""#),
    ]

    @Test(arguments: proper) func `values that might be intended get no warning`(field: String, sent: String) throws {
        #expect(try warnings(Body().text.replacing(field, with: sent)) == [])
    }

    static let together: [(String, String, warned: Bool)] = [
        ("widget_installed", "widget_removed", true), ("widget_opened", "widget_opened", true),
        ("widget_rendered", "widget_removed", false), ("widget_rendered", "widget_rendered", false),
    ]

    @Test(arguments: together)
    func `simultaneous events of one kind get a warning, except renderings`(one: String, other: String, warned: Bool)
        throws
    {
        let events = [Body.event(id: "1", type: one), Body.event(id: "2", type: other)]
        let warnings = try warnings(Body(events: events).text)
        #expect(warnings.map(\.code) == (warned ? [.sameInstant] : []))
        #expect(warnings.map(\.pointer) == (warned ? ["/events/1/at"] : []))
    }

    @Test func `two lists of one surface at one instant get a warning`() throws {
        let list = #""surface":"control","widgets":[]"#
        let reports = ["1", "2"].map { Body.event(id: $0, type: "widgets_reported", list) }
        #expect(try warnings(Body(events: reports).text).map(\.code) == [.sameInstant])
    }

    @Test func `another kind, surface or instant, a list beside an event, and a duplicate get no warning`()
        throws
    {
        let other = #""widget":{"kind":"search","family":"systemSmall"}"#
        let elsewhere = #""surface":"control","widget":{"kind":"weather","family":"systemSmall"}"#
        let events = [
            Body.event(), Body.event(id: "2", other), Body.event(id: "3", elsewhere), Body.event(),
            Body.event(id: "4", at: "2026-11-21T09:59:58.001Z"), Body.report(id: "5", ""),
        ]
        #expect(try warnings(Body(events: events).text) == [])
    }

    @Test func `two different events with one id and one instant get a warning`() throws {
        let other = #""widget":{"kind":"search","family":"systemSmall"}"#
        let elsewhere = #""surface":"control","widget":{"kind":"weather","family":"systemSmall"}"#
        for second in [Body.event(other), Body.event(elsewhere), Body.event(type: "widget_removed")] {
            let warnings = try warnings(Body(events: [Body.event(), second, Body.event()]).text)
            #expect(warnings.map(\.code) == [.sameID])
            #expect(warnings.map(\.pointer) == ["/events/1/id"])
        }
        let later = Body.event(at: "2026-11-21T09:59:58.001Z", other)
        #expect(try warnings(Body(events: [Body.event(), Body.event(), later]).text) == [])
    }

    @Test func `a batch gets at most 100 warnings`() throws {
        var body = Body()
        body.events = (0..<500).map { Body.event(id: "\($0)").replacing("systemSmall", with: "small") }
        #expect(try warnings(body.text).count == 100)
        body.events = (0..<500).map { Body.event(id: "\($0)") }
        #expect(try warnings(body.text).count == 100)
    }
}
