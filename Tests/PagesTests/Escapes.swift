import CensusCore
import Foundation
import FoundationXML
import SeededRandom
import Testing

@testable import Pages

/// Text from clients and people stays text. A real parser reads the output back.
@Suite struct `Escapes` {
    /// Each joins the quotation mark before it into one `Character`.
    static let joiners = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}", "\u{1F3FD}", "\u{E0020}"]

    @Test(arguments: ["\"", "'", "<", ">", "&"], joiners)
    func `a mark is escaped even if a combining character follows it`(mark: String, joiner: String) throws {
        let text = "a\(mark)\(joiner) onmouseover=\(mark)\(joiner)x"
        #expect(text.count < text.unicodeScalars.count)
        let html: HTML = "<p title=\"\(text)\">\(text)</p>"
        #expect(try Parsed(html) == Parsed(title: text.showingInvisible, text: text.showingInvisible))
    }

    @Test(arguments: UInt64(0)..<64) func `no text escapes its attribute or element`(seed: UInt64) throws {
        var random = Seeded(seed)
        let pieces =
            Self.joiners + [
                "\"", "'", "<", ">", "&", "&quot;", "</p>", "<!--", "]]>", "\\", "/", " ", "=", "é", "x", "𝒳",
            ]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            #expect(
                try Parsed("<p title=\"\(text)\">\(text)</p>")
                    == Parsed(title: text.showingInvisible, text: text.showingInvisible))
        }
    }

    @Test func `control characters are replaced, and line ends stay`() {
        let text = "a\u{0}b\u{1B}c\u{7F}\n\t"
        let html: HTML = "\(text)"
        #expect(html.description == "a\u{FFFD}b\u{FFFD}c\u{FFFD}\n\t")
    }

    @Test(arguments: [
        "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{200F}", "\u{61C}", "\u{200B}", "\u{2060}",
        "\u{FEFF}", "\u{2028}", "\u{3164}", "\u{1160}", "\u{115F}", "\u{FFA0}", "\u{200C}", "\u{200D}", "\u{FE0F}",
        "\u{34F}", "\u{AD}", "\u{A0}", "\u{3000}", "\u{2800}", "\u{17B4}", "\u{180B}",
    ])
    func `what shows nothing, or turns the direction of what follows, is written by its number`(mark: String) throws {
        let number = try #require(mark.unicodeScalars.first).value
        let shown =
            "\\u" + String(repeating: "0", count: 4 - String(number, radix: 16).count) + String(number, radix: 16)
        let text = "a\(mark)b"
        #expect(("<p>\(text)</p>" as HTML).description == "<p>a\(shown)b</p>")
    }

    @Test func `interpolated markup is not escaped again`() {
        let text = "<"
        let inner: HTML = "<b>\(text)</b>"
        #expect(("<p>\(inner)\([inner])\(7)</p>" as HTML).description == "<p><b>&lt;</b><b>&lt;</b>7</p>")
    }

    @Test(arguments: [0, 7]) func `a literal in an interpolation is markup, even within a condition`(count: Int) {
        let name: String? = count > 0 ? "<i>" : nil
        let html: HTML = "\(count > 5 ? "<p>\(count) more</p>" : "")\(name.map { "<b>\($0)</b>" } ?? "<hr>")"
        #expect(html.description == (count > 5 ? "<p>7 more</p><b>&lt;i&gt;</b>" : "<hr>"))
    }

    @Test func `a URL carries any value and returns it byte for byte`() throws {
        let value = "caf\u{E9} \"\u{301}&=+#%?/"
        let link = Link(.kind).with("app", "a").with("kind", value)
        #expect(link.text == "/console/kind?app=a&kind=caf%C3%A9%20%22%CC%81%26%3D%2B%23%25%3F%2F")
        #expect(URLComponents(string: link.text)?.queryItems?.last?.value?.utf8.elementsEqual(value.utf8) == true)
    }
}

/// An element as a parser reads it.
private struct Parsed: Equatable {
    var title: String?
    var text = ""

    init(title: String?, text: String) {
        self.title = title
        self.text = text
    }

    init(_ html: HTML) throws {
        let reader = Reader()
        let parser = XMLParser(data: Data(html.description.utf8))
        parser.delegate = reader
        guard parser.parse(), reader.elements == 1 else { throw Broken(html: html.description) }
        title = reader.title
        text = reader.text
    }

    /// Compares bytes, because Swift equates texts that are canonically equivalent.
    static func == (left: Parsed, right: Parsed) -> Bool {
        (left.title ?? "").utf8.elementsEqual((right.title ?? "").utf8) && left.text.utf8.elementsEqual(right.text.utf8)
    }

    private struct Broken: Error {
        var html: String
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var elements = 0
        var title: String?
        var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            elements += 1
            title = attributes.count == 1 ? attributes["title"] : nil
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    }
}
