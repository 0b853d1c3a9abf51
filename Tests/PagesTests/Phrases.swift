import CensusCore
import Testing

@testable import Pages

/// Phrases of a page, as text, on a screen and as HTML.
@Suite struct `Phrases` {
    private static let wicked = "<b>\"\u{301}`\u{1B}[31m\u{202E}"

    @Test func `interpolated text is escaped in every style`() {
        let phrase: Phrase =
            "\(Self.wicked)\(name: Self.wicked)\(code: Self.wicked)\(strong: Self.wicked)\(soft: Self.wicked)\(Self.wicked, to: Link(.losses))"
        let html = phrase.html.description
        #expect(html.count(of: "&lt;b&gt;&quot;\u{301}`\u{FFFD}[31m\\u202e") == 6, "\(html)")
        #expect(!html.contains("<b>"))
        #expect(phrase.text.count(of: "<b>\"\u{301}`\u{FFFD}[31m\\u202e") == 6)
    }

    @Test func `a conditional literal is text, not markup`() {
        let isMany = [1, 2].count > 1
        let phrase: Phrase = "\(isMany ? "<i>many</i>" : "few")"
        #expect(phrase.html.description == "&lt;i&gt;many&lt;/i&gt;")
    }

    @Test func `numbers, shares and days are formatted for text and for HTML`() {
        let phrase: Phrase =
            "\(12_000) of \(1, "device") and \(2, "device"), \(share: 0.5), on \(Day(daysSince1970: 20_779))"
        #expect(phrase.text == "12,000 of 1 device and 2 devices, 50%, on 2026-11-22")
        #expect(phrase.html.description == "12,000 of 1 device and 2 devices, 50%, on 22 Nov 2026")
    }

    @Test func `a verdict is emphasized in plain text, on a screen and in a browser`() {
        let page = Page("weather", of: "com.example.a", answer: "\(verdict: "not ready", .bad) to be dropped") { "No." }
        #expect(page.text() == "weather of com.example.a: NOT READY to be dropped\n\nNo.\n")
        #expect(page.text(on: Screen(width: 80, colours: true)).contains("\u{1B}[31mNOT READY\u{1B}[0m to be dropped"))
        #expect(
            page.document(in: Frame(apps: [])).description.contains(
                "<h1>weather</h1>\n<p class=\"verdict\"><strong class=\"unmet\">Not ready</strong> to be dropped.</p>"))
    }

    @Test func `plain text omits a heading that has nothing under it`() {
        let page = Page("x") {
            Block.heading("Drawn")
            Block.choices(["one"], label: nil)
            Block.heading("Is it said?")
            Block.list(["yes", "no"])
            Block.paragraph("one", nil, "two")
        }
        #expect(page.text() == "Is it said?\n  yes\n  no\n\none\ntwo\n")
    }
}

extension String {
    /// How often these bytes occur.
    fileprivate func count(of part: String) -> Int { Array(utf8).ranges(of: Array(part.utf8)).count }
}
