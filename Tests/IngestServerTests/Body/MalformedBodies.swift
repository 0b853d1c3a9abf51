import Testing

/// A body that is not JSON, or not the envelope, gets 400 with the place of the error. Nothing is stored.
@Suite(.serialized, .server) struct `Malformed bodies` {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var body: [UInt8]
        var code: String
        var pointer: String
        var testDescription: String { name }

        init(_ name: String, _ body: [UInt8], code: String = "invalid_json", at pointer: String = "") {
            self.name = name
            self.body = body
            self.code = code
            self.pointer = pointer
        }

        init(_ name: String, _ body: String, code: String = "invalid_json", at pointer: String = "") {
            self.init(name, Array(body.utf8), code: code, at: pointer)
        }
    }

    private static let good = Sample(Sample.opened()).json

    private static func replacing(_ old: String, by new: String) -> String {
        precondition(good.contains(old), "the sample has no \(old)")
        return good.replacing(old, with: new)
    }

    private static func bytes(_ old: String, by new: [UInt8]) -> [UInt8] {
        let all = Array(good.utf8)
        guard let range = all.firstRange(of: Array(old.utf8)) else { preconditionFailure("no \(old)") }
        return all[..<range.lowerBound] + new + all[range.upperBound...]
    }

    static let notJSON: [Case] = [
        Case("nothing", ""),
        Case("spaces", " \r\n\t "),
        Case("cut in the middle", good.prefix { $0 != "[" } + "[{", at: "/events/0"),
        Case("no JSON at all", "device=1&kind=weather"),
        Case("something after the end", good + "{}"),
        Case("NDJSON", good + "\n" + good),
        Case("single quotes", "{'app':1}"),
        Case("a comment", "/* hello */" + good),
        Case("NaN", replacing(#""events""#, by: #""x":NaN,"events""#)),
        Case("a leading zero", replacing(#""events""#, by: #""x":01,"events""#)),
        Case("a trailing comma in the envelope", String(good.dropLast()) + ",}"),
        Case("a trailing comma in an event", replacing(#""weather"}}"#, by: #""weather"},}"#), at: "/events/0"),
        Case("a trailing comma among the events", replacing("}}]", by: "}},]"), at: "/events"),
        Case("a raw line break in a string", replacing(#""1.0""#, by: "\"1\n0\""), at: "/app"),
        Case("a broken escape", replacing(#""1.0""#, by: #""\x31""#), at: "/app"),
        Case("half a surrogate pair", replacing(#""1.0""#, by: #""\ud83d""#), at: "/app"),
        Case("invalid UTF-8", bytes("1.0", by: [0xC3, 0x28])),
        Case("overlong UTF-8", bytes("1.0", by: [0xC0, 0xAF])),
        Case("a surrogate in UTF-8", bytes("1.0", by: [0xED, 0xA0, 0x80])),
        Case("a byte order mark", [0xEF, 0xBB, 0xBF] + Array(good.utf8)),
        Case("UTF-16", good.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
        Case(
            "UTF-16 with a byte order mark", [0xFF, 0xFE] + good.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
        Case("a NUL after the end", Array(good.utf8) + [0]),
        Case(
            "depth 17", replacing(#""events""#, by: #""x":"# + nested(16) + #","events""#), code: "too_deep",
            at: "/x" + String(repeating: "/0", count: 14)),
        Case("a million brackets", String(repeating: "[", count: 1_000_000), code: "too_deep", at: deep),
    ]

    private static let deep = String(repeating: "/0", count: 15)

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    static let notTheEnvelope: [Case] = [
        envelope("an array", "[]", ""),
        envelope("null", "null", ""),
        envelope("no sent_at", replacing(#""sent_at":"2026-11-21T10:00:00Z","#, by: ""), "/sent_at"),
        envelope("sent_at as a number", replacing(#""2026-11-21T10:00:00Z""#, by: "1795255200"), "/sent_at"),
        envelope("sent_at without a zone", replacing("10:00:00Z", by: "10:00:00"), "/sent_at"),
        envelope("sent_at on February 30th", replacing("2026-11-21T10", by: "2026-02-30T10"), "/sent_at"),
        envelope("app as a string", replacing(#"{"id":"com.example.weather","version":"1.0"}"#, by: #""a""#), "/app"),
        envelope("no version", replacing(#","version":"1.0""#, by: ""), "/app/version"),
        envelope("version as a number", replacing(#""1.0""#, by: "1.0"), "/app/version"),
        envelope("an empty app id", replacing("com.example.weather", by: ""), "/app/id"),
        envelope("an unknown platform", replacing(#""ios""#, by: #""symbian""#), "/device/platform"),
        envelope("platform with a space", replacing(#""ios""#, by: #""ios ""#), "/device/platform"),
        envelope("os_version as a number", replacing(#""17.1""#, by: "17.1"), "/device/os_version"),
        envelope("no device", replacing(#""device":"#, by: #""gerät":"#), "/device"),
        envelope("device null", replacing(#""device":{"#, by: #""device":null,"x":{"#), "/device"),
        envelope(
            "installation as an array", replacing(#""installation":{"#, by: #""installation":[],"x":{"#),
            "/installation"),
        envelope("no events", replacing(#""events""#, by: #""event""#), "/events"),
        envelope("events as an object", replacing(#""events":["#, by: #""events":{},"x":["#), "/events"),
        envelope(
            "gallery_policy as a string", replacing(#""events""#, by: #""gallery_policy":"1","events""#),
            "/gallery_policy"),
        envelope(
            "gallery_policy below zero", replacing(#""events""#, by: #""gallery_policy":-1,"events""#),
            "/gallery_policy"),
        envelope(
            "gallery_policy 1e400", replacing(#""events""#, by: #""gallery_policy":1e400,"events""#), "/gallery_policy"),
        envelope("NUL in the version", replacing("1.0", by: #"1\u00000"#), "/app/version"),
        envelope("NUL in the device id", replacing("raw-device", by: #"raw\u0000device"#), "/device/id"),
        envelope("201 characters", replacing("1.0", by: String(repeating: "é", count: 201)), "/app/version"),
        envelope(
            "a broken booted_at", replacing(#""17.1""#, by: #""17.1","booted_at":"yesterday""#), "/device/booted_at"),
        envelope(
            "the first of duplicate keys counts", replacing(#""version":"1.0""#, by: #""version":1,"version":"1.0""#),
            "/app/version"),
    ]

    private static func envelope(_ name: String, _ body: String, _ pointer: String) -> Case {
        Case(name, body, code: "invalid_envelope", at: pointer)
    }

    @Test(arguments: notJSON + notTheEnvelope) func `a malformed body gets 400 with its code and place`(
        example: Case
    ) async throws {
        let server = try server()
        let response = try await server.post(example.body)
        #expect(response.status == 400)
        let answer = try response.answer
        #expect(answer.code == example.code)
        #expect(answer.pointer == example.pointer)
        #expect(answer.message?.isEmpty == false)
        #expect(response.headers["content-type"] == "application/json")
        #expect(try await server.sql("select count(*) from census.observation, census.refused") == "0")
    }

    @Test func `no response repeats the invalid data`() async throws {
        let server = try server()
        for body in [Self.replacing("1.0", by: #"s3cret\u0000"#)] {
            #expect(try await !server.post(body).text.contains("s3cret"))
        }
    }
}
