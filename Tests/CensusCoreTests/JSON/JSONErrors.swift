import Testing

@testable import CensusCore

/// Where an error says that parsing stopped.
@Suite struct `JSON errors` {
    struct Place: Sendable, CustomTestStringConvertible {
        var text: String
        var offset: Int
        var pointer: String
        var testDescription: String { text }
    }

    static let places = [
        Place(text: "", offset: 0, pointer: ""),
        Place(text: "  ?", offset: 2, pointer: ""),
        Place(text: "[] x", offset: 3, pointer: ""),
        Place(text: "[1,]", offset: 3, pointer: ""),
        Place(text: "[1 2]", offset: 3, pointer: ""),
        Place(text: #"{"a":1,}"#, offset: 7, pointer: ""),
        Place(text: #"{"a":trux}"#, offset: 8, pointer: ""),
        Place(text: #"{"a":[1,{"b":?}]}"#, offset: 13, pointer: "/a/1"),
        Place(text: #"{"events":[{},{},{"at":01}]}"#, offset: 24, pointer: "/events/2"),
        Place(text: #"[[[],[[?"#, offset: 7, pointer: "/0/1/0"),
        Place(text: #"{"x":1,"y":{"z":[[],"\q"]}}"#, offset: 21, pointer: "/y/z"),
        Place(text: #"{"a/b":{"c~d":{"":[?]}}}"#, offset: 19, pointer: "/a~1b/c~0d/"),
        Place(text: #"{"\u0061\n":[?]}"#, offset: 13, pointer: "/a\n"),
        // A long name isn't one of ours, so the pointer ends before it.
        Place(text: #"{"a":{"\#(String(repeating: "~", count: 41))":[?]}}"#, offset: 51, pointer: "/a"),
        Place(text: "{\"é\":[?]}", offset: 7, pointer: "/é"),
        Place(text: "[\"a\u{1}\"]", offset: 3, pointer: ""),
        Place(text: #"["a"#, offset: 3, pointer: ""),
        // A slash with an accent is one Character, but still a slash in RFC 6901.
        Place(text: "{\"/\u{301}\":[?]}", offset: 8, pointer: "/~1\u{301}"),
    ]

    @Test(arguments: places) func `an error names the byte and the container`(place: Place) throws {
        let error = try #require(throws: JSONError.self) { try JSONDocument(Array(place.text.utf8)) }
        #expect(error.offset == place.offset)
        #expect(Array(error.pointer.utf8) == Array(place.pointer.utf8))
    }

    @Test func `an encoding error names the invalid byte`() throws {
        let bytes = Array(#"["abc"#.utf8) + [0xFF] + Array(#""]"#.utf8)
        let error = try #require(throws: JSONError.self) { try JSONDocument(bytes) }
        #expect(error.offset == 5)
    }

    @Test(arguments: [1, 2, 15, 16]) func `a document as deep as the limit is accepted`(depth: Int) throws {
        let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try JSONDocument(Array(arrays.utf8)).nodes.count == depth)
        let objects = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        #expect(try JSONDocument(Array(objects.utf8)).nodes.count == 2 * depth + 1)
    }

    @Test(arguments: [17, 18, 100, 511]) func `a document deeper than the limit is rejected`(depth: Int) throws {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let error = try #require(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(error.reason == .tooDeep(limit: 16))
        #expect(error.offset == 16)
        #expect(error.pointer == String(repeating: "/0", count: 15))
    }

    @Test func `siblings don't add to the depth`() throws {
        let text = "[" + String(repeating: "[[]],", count: 1_000) + "[]]"
        #expect(try JSONDocument(Array(text.utf8), maximumDepth: 3).elements(of: 0).count == 1_001)
    }

    @Test(arguments: ["[", "{\"a\":", "[[],"]) func `a million brackets fail quickly at the limit`(unit: String) throws
    {
        let bomb = Array(String(repeating: unit, count: 1_000_000).utf8)
        let time = try processorTime {
            let error = try #require(throws: JSONError.self) { try JSONDocument(bomb) }
            #expect(error.reason == .tooDeep(limit: 16))
        }
        #expect(time < .seconds(1))
    }
}
