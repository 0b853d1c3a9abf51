/// A page as a value: its content in blocks, which text and HTML render.
package struct Page: Sendable {
    var title: Phrase
    /// The page's app. Text names it in the title; the console shows it above every page.
    var app: String?
    /// The page's answer, in a few words.
    var answer: Phrase?
    /// Its place in the console's navigation.
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

/// Builds a list of blocks. A phrase by itself becomes a paragraph.
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
