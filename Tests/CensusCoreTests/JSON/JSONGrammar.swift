import Testing

@testable import CensusCore

/// What RFC 8259 allows and what it doesn't, in the style of JSONTestSuite.
@Suite struct `JSON grammar` {
    static let accepted = [
        "null", "true", "false", "0", "-0", "\"\"", "[]", "{}", " [ ] ", "\t{\r\n}\n", "[1,2,3]", "[[],[[]],{}]",
        #"{"":0}"#, #"{"a":{"a":{}}}"#, #"{"a":1,"a":2}"#, "[1,\n2]", "-1", "123456789012345678901234567890",
        "1.5", "-0.0", "1e5", "1E5", "1e+5", "1e-5", "0e0", "1.0E+2", "1e400", "-1e99999999999999999999",
        #""\"\\\/\b\f\n\r\t""#, #""\u0041""#, #""\u0000""#, #""\ud83d\ude00""#, #""\uD83D\uDE00""#, #""\uFFFF""#,
        "\"\u{7F}\"", "\"\u{2028}\u{2029}\"", "\"é e\u{301} 日本 👩🏽‍🚀\"", "\"\u{10FFFF}\"", #""a\u0000b""#,
        #"{"\u0061":1}"#, #"["\\u0041"]"#,
    ]

    static let rejected = [
        "", " ", "nul", "nulll", "True", "NULL", "tru", "falsy", "nan", "NaN", "Infinity", "-Infinity", "undefined",
        "[1,]", #"{"a":1,}"#, "[,1]", "[1,,2]", "[", "]", "{", "}", "[1", #"{"a""#, #"{"a":"#, #"{"a":1"#, "[}", "{]",
        "[1 2]", #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, #"{'a':1}"#, "{1:1}", "{null:1}", #"{"a":}"#, #"{:1}"#,
        #"{"a":1}}"#, "[]]", "1 2", "[] []", "nulltrue", "// a\n1", "/**/1", "[1]#",
        "01", "-01", "00", "+1", "-", "--1", ".5", "1.", "1.e5", "-.5", "1e", "1e+", "1e-", "1ee5", "1.5.5", "0x10",
        "1_000", "1,5", "０", "１",
        #"""#, #""a"#, "'a'", #""\"#, #""\""#, #""\x41""#, #""\a""#, #""\ ""#, #""\u""#, #""\u12""#, #""\u12g4""#,
        #""\U0041""#, #""\u 041""#, #""\u+041""#, "\"\u{0}\"", "\"\u{1}\"", "\"\t\"", "\"\n\"", "\"\u{1F}\"",
        #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800x""#, #""\ud800\n""#, #""\udc00\ud800""#,
        #""\ud83d\u0041""#, #""\ud83d\ude0""#, #""\ud83d\"#, #"{"\ud800":1}"#,
        "\u{FEFF}[]", "[]\u{FEFF}", "\u{A0}[]", "[\u{2003}1]", "[\u{B}1]", "[\u{C}1]", "\u{0}", "[]\u{0}",
    ]

    @Test(arguments: accepted) func `documents that the grammar allows are parsed`(text: String) throws {
        let document = try JSONDocument(Array(text.utf8))
        #expect(document.nodes.first?.next == UInt32(document.nodes.count))
    }

    @Test(arguments: rejected) func `documents that the grammar forbids are rejected`(text: String) throws {
        let error = try #require(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
        guard case .malformed = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect((0...text.utf8.count).contains(error.offset))
    }

    /// Bytes that are not UTF-8, and UTF-16 with and without a byte order mark.
    static let notUTF8: [[UInt8]] = [
        [0x22, 0xFF, 0x22], [0x22, 0x80, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xE2, 0x82, 0x22],
        // Overlong spellings of "/", of U+0000 and of "\u{7FF}".
        [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xE0, 0x9F, 0xBF, 0x22],
        [0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22],
        // Surrogates, and code points past U+10FFFF.
        [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xED, 0xBF, 0xBF, 0x22],
        [0x22, 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0x22],
        [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22],
        [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], [0xFE, 0xFF, 0x00, 0x5B, 0x00, 0x5D],
        [0x5B, 0x00, 0x5D, 0x00], [0x00, 0x5B, 0x00, 0x5D], [0xFF, 0xFE, 0x00, 0x00], [0x5B, 0x00, 0x00, 0x00],
    ]

    @Test(arguments: notUTF8) func `bytes in another or a broken encoding are rejected`(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONDocument(bytes) }
    }
}
