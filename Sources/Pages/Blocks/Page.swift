/// A page as a value: what it says, in blocks. Text and HTML are renderings of it.
package struct Page: Sendable {
    var title: Phrase
    /// The app that it is about. A text names it; in the console it stands above every page.
    var app: String?
    /// What the page answers, in a few words.
    var answer: Phrase?
    /// Where it stands in the console.
    var place: Link.Place?
    var blocks: [Block]

    init(
        _ title: Phrase, of app: String? = nil, answer: Phrase? = nil, at place: Link.Place? = nil,
        @Blocks _ blocks: () -> [Block]
    ) {
        self.title = title
        self.app = app
        self.answer = answer
        self.place = place
        self.blocks = blocks()
    }
}

/// Blocks one after another; a phrase by itself is a paragraph.
@resultBuilder
enum Blocks {
    static func buildExpression(_ block: Block) -> [Block] { [block] }
    static func buildExpression(_ blocks: [Block]) -> [Block] { blocks }
    static func buildExpression(_ sentence: Phrase) -> [Block] { [.paragraph(sentence)] }
    static func buildBlock(_ parts: [Block]...) -> [Block] { parts.flatMap(\.self) }
    static func buildOptional(_ part: [Block]?) -> [Block] { part ?? [] }
    static func buildEither(first part: [Block]) -> [Block] { part }
    static func buildEither(second part: [Block]) -> [Block] { part }
    static func buildArray(_ parts: [[Block]]) -> [Block] { parts.flatMap(\.self) }
}
