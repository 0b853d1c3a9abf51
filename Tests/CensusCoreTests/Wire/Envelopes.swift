import Testing

@testable import CensusCore

@Suite struct `Envelopes` {
    private func error(_ change: (inout Body) -> Void) throws -> EnvelopeError {
        var body = Body()
        change(&body)
        return try #require(throws: EnvelopeError.self) { try body.decoded() }
    }

    private func error(of text: String) throws -> EnvelopeError {
        try #require(throws: EnvelopeError.self) {
            try BatchDecoder().decode(Array(text.utf8), received: Body.received)
        }
    }

    private func archived(_ received: String) throws -> Batch {
        var body = Body()
        body.more = #","received_at":"\#(received)""#
        return try BatchDecoder().decodeArchived(Array(body.text.utf8)).batch
    }

    /// Importing a line received in 1970 closed 20,782 days, and one received in the year 1 closed 740,000.
    @Test(arguments: ["1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "2008-12-31T23:59:59Z"])
    func `an archived envelope received before widgets existed is rejected`(received: String) throws {
        let error = try #require(throws: EnvelopeError.self) { try archived(received) }
        #expect(error.pointer == "/received_at" && error.message.contains("before 2009"))
        #expect(try archived("2009-01-01T00:00:00Z").appID == "com.example.weather")
    }

    @Test func `an archived envelope received in the future is rejected`() throws {
        let error = try #require(throws: EnvelopeError.self) { try archived("\(Timestamp.now + .hours(2))") }
        #expect(error.pointer == "/received_at" && error.message.contains("in the future"))
        #expect(try archived("\(Timestamp.now + .minutes(50))").appID == "com.example.weather")
    }

    @Test func `one error names every mistake in the envelope`() throws {
        let error = try error(
            of: #"""
                {"sentAt":"2026-11-21T10:00:00Z","app":{"id":"a","version":7},"device":{"id":"","platform":"symbian",
                 "booted_at":"yesterday"},"gallery_policy":-1,"events":{}}
                """#)
        #expect(
            error.all.map(\.pointer) == [
                "/sent_at", "/installation", "/device/platform", "/app/version", "/device/booted_at", "/gallery_policy",
                "/device/id", "/events",
            ])
        #expect(error.pointer == "/sent_at" && error.message == error.all.first?.message)
        #expect(error.all.allSatisfy { $0.verdict == .malformed && $0.code == "invalid_envelope" })
    }

    @Test(arguments: ["iOS", "IOS", "macOS", "iPadOS", "Android"])
    func `a platform is accepted in any letter case`(name: String) throws {
        var body = Body()
        body.device = #"{"id":"d","platform":"\#(name)"}"#
        #expect(try body.decoded().circumstances.platform.rawValue == name.lowercased())
    }

    @Test func `absent optional fields get their defaults`() throws {
        let batch = try Body().decoded()
        #expect(batch.appID == "com.example.weather" && batch.deviceID == "6F1D" && batch.installationID == "A0C2")
        #expect(batch.circumstances == .init(platform: .ios, appVersion: "20.12.1", channel: "production"))
        #expect(batch.circumstances.osBuild == nil && batch.circumstances.galleryPolicy == nil)
        let event = try #require(batch.events.first).get()
        #expect(event.surface == .widget && event.source == nil)
    }

    @Test func `optional fields are read if present`() throws {
        var body = Body()
        body.app = #"{"id":"a","version":"1","channel":"testflight"}"#
        body.device = #"""
            {"id":"d","platform":"android","os_version":"16","os_build":"BP2A","booted_at":"2026-11-18T08:12:44+01:00"}
            """#
        body.installation = #"{"id":"i","first_launched_at":"2026-11-20T18:03:10Z","rebooted":false}"#
        body.more = #","gallery_policy":17"#
        let batch = try body.decoded()
        #expect(
            batch.circumstances
                == .init(
                    platform: .android, osVersion: "16", osBuild: "BP2A", appVersion: "1", channel: "testflight",
                    bootedAt: Timestamp(rfc3339: "2026-11-18T07:12:44Z"), rebooted: false,
                    firstLaunchedAt: Timestamp(rfc3339: "2026-11-20T18:03:10Z"), galleryPolicy: 17))
    }

    @Test func `unknown fields are ignored, and null counts as absent`() throws {
        var body = Body()
        body.app = #"{"id":"a","version":"1","channel":null,"name":{"deep":[1e400]}}"#
        body.device = #"{"id":"d","platform":"ios","booted_at":null,"os_version":null,"os_build":null,"x":"\u0000"}"#
        body.installation = #"{"id":"i","first_launched_at":null,"rebooted":null}"#
        body.more = #","gallery_policy":null,"sdk":"1.2""#
        body.events = [
            Body.event(#""widget":{"kind":"k","family":null,"size":[2]},"surface":null,"source":null,"zzz":1"#)
        ]
        let batch = try body.decoded()
        #expect(batch.circumstances == .init(platform: .ios, appVersion: "1"))
        #expect(try batch.events[0].get().event.decoded() == .installed(Placement(kind: "k")))
    }

    @Test(arguments: Platform.allCases) func `every platform is accepted`(platform: Platform) throws {
        var body = Body()
        body.device = #"{"id":"d","platform":"\#(platform.rawValue)"}"#
        #expect(try body.decoded().circumstances.platform == platform)
    }

    @Test(arguments: ["[]", "1", "null", #""x""#]) func `a non-object body is malformed`(text: String) throws {
        let error = try error(of: text)
        #expect(error.verdict == .malformed && error.code == "invalid_envelope" && error.pointer == "")
    }

    @Test func `a body that isn't JSON is malformed, with the error's place`() throws {
        let error = try error(of: #"{"app":{"id":"a",}}"#)
        #expect(error.verdict == .malformed && error.code == "invalid_json" && error.pointer == "/app")
        #expect(error.message.hasSuffix("at byte 17"))
    }

    @Test func `a body may be nested 16 levels deep, and no deeper`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        var body = Body()
        body.more = ",\"x\":" + nested(15)
        #expect(throws: Never.self) { try body.decoded() }
        let error = try error { $0.more = ",\"x\":" + nested(16) }
        #expect(error.verdict == .malformed && error.code == "too_deep")
    }

    @Test(arguments: ["sent_at", "app", "device", "installation", "events"])
    func `a missing part is named by its pointer`(name: String) throws {
        let error = try error(of: Body().text.replacing("\"\(name)\":", with: "\"x\":"))
        #expect(error.verdict == .malformed && error.code == "invalid_envelope" && error.pointer == "/\(name)")
    }

    /// A spoilt field and where the error points.
    static let spoilt: [(String, String, String)] = [
        (#"2026-11-21T10:00:00Z","app"#, #"2026-11-21T10:00:00","app"#, "/sent_at"),
        (#""sent_at":"2026-11-21T10:00:00Z""#, #""sent_at":1795255200"#, "/sent_at"),
        (#""id":"com.example.weather""#, #""id":7"#, "/app/id"),
        (#""id":"com.example.weather""#, #""id":"""#, "/app/id"),
        (#""id":"com.example.weather""#, #""id":null"#, "/app/id"),
        (#""id":"com.example.weather""#, #""id":"a\u0000""#, "/app/id"),
        (#""version":"20.12.1""#, #""build":1"#, "/app/version"),
        (#""version":"20.12.1""#, #""version":20.12"#, "/app/version"),
        (#""version":"20.12.1""#, #""version":"1","channel":1"#, "/app/channel"),
        (#""id":"6F1D""#, #""id":null"#, "/device/id"), (#""id":"6F1D""#, #""id":["6F1D"]"#, "/device/id"),
        (#""platform":"ios""#, #""platform":"iPhone""#, "/device/platform"),
        (#""platform":"ios""#, #""platform":null"#, "/device/platform"),
        (#""platform":"ios""#, #""platform":"ios","os_version":18"#, "/device/os_version"),
        (#""platform":"ios""#, #""platform":"ios","os_build":{}"#, "/device/os_build"),
        (#""platform":"ios""#, #""platform":"ios","booted_at":"yesterday""#, "/device/booted_at"),
        (#""id":"A0C2""#, #""id":false"#, "/installation/id"),
        (#""id":"A0C2""#, #""id":"i","first_launched_at":0"#, "/installation/first_launched_at"),
        (#""id":"A0C2""#, #""id":"i","rebooted":"true""#, "/installation/rebooted"),
        (#""id":"A0C2""#, #""id":"i","rebooted":1"#, "/installation/rebooted"),
        (#","events""#, #","gallery_policy":-1,"events""#, "/gallery_policy"),
        (#","events""#, #","gallery_policy":1.5,"events""#, "/gallery_policy"),
        (#","events""#, #","gallery_policy":"17","events""#, "/gallery_policy"),
    ]

    @Test(arguments: spoilt) func `an invalid field is named by its pointer`(
        field: String, spoilt: String, pointer: String
    ) throws {
        let text = Body().text.replacing(field, with: spoilt)
        try #require(text != Body().text)
        let error = try error(of: text)
        #expect(error.verdict == .malformed && error.code == "invalid_envelope" && error.pointer == pointer)
    }
}
