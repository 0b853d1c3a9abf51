import Testing

@testable import CensusCore

@Suite struct `JSON members` {
    private func text(_ json: String, _ name: StaticString) throws -> String? {
        let document = try JSONDocument(Array(json.utf8))
        return document.member(name, of: JSONDocument.root).map {
            String(decoding: document.source(at: $0), as: UTF8.self)
        }
    }

    @Test func `the first of equal keys wins, even if one is escaped`() throws {
        #expect(try text(#"{"id":1,"id":2}"#, "id") == "1")
        #expect(try text(#"{"\u0069d":1,"id":2}"#, "id") == "1")
        #expect(try text(#"{"id":1,"\u0069\u0064":2}"#, "id") == "1")
    }

    @Test func `null counts as absent, even as the first of equal keys`() throws {
        #expect(try text(#"{"id":null}"#, "id") == nil)
        #expect(try text(#"{"id":null,"id":2}"#, "id") == nil)
    }

    @Test func `a key is found after nested values that contain the same key`() throws {
        #expect(try text(#"{"a":{"id":1},"b":[{"id":2},"id"],"id":{"id":3}}"#, "id") == #"{"id":3}"#)
    }

    @Test func `keys are compared byte by byte`() throws {
        #expect(try text(#"{"ID":1,"id ":2,"i":3,"idd":4}"#, "id") == nil)
    }

    @Test(arguments: ["[1]", "1", "null", #""id""#]) func `a non-object has no members`(json: String) throws {
        let document = try JSONDocument(Array(json.utf8))
        #expect(document.member("id", of: 0) == nil)
        #expect(document.members(of: 0).isEmpty)
    }

    @Test func `a non-array has no elements`() throws {
        #expect(try JSONDocument(Array(#"{"a":[1]}"#.utf8)).elements(of: 0).isEmpty)
    }

    @Test func `members are read in order, including duplicates`() throws {
        let document = try JSONDocument(Array(#"{"a":1,"b":[2],"a":{"c":3}}"#.utf8))
        #expect(document.members(of: 0).map { document.string(at: $0.key) } == ["a", "b", "a"])
        #expect(document.members(of: 0).map { document.kind(at: $0.value) } == [.number, .array, .object])
    }

    @Test func `escapes in strings are decoded`() throws {
        let document = try JSONDocument(Array(#"["\"\\\/\b\f\n\r\t","\u00e9\ud83d\ude00","é😀","\\u0041",""]"#.utf8))
        #expect(
            document.elements(of: 0).map { document.string(at: $0) }
                == ["\"\\/\u{8}\u{C}\n\r\t", "é😀", "é😀", "\\u0041", ""])
    }

    @Test func `only true and false are read as booleans`() throws {
        let document = try JSONDocument(Array(#"[true,false,1,"true",null]"#.utf8))
        #expect(document.elements(of: 0).map { document.boolean(at: $0) } == [true, false, nil, nil, nil])
    }

    @Test func `a value's source is the text that was sent`() throws {
        let parts = [#"{ "a" : 1 }"#, #""\u0041""#, "1.0e5", "[ ]", "null"]
        let document = try JSONDocument(Array("[\(parts.joined(separator: " ,\n"))]".utf8))
        #expect(document.elements(of: 0).map { String(decoding: document.source(at: $0), as: UTF8.self) } == parts)
    }
}
