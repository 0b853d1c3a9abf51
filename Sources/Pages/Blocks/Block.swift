internal import CensusCore

/// One part of a page, as every renderer knows it. A text leaves out what only a browser can show.
enum Block: Sendable {
    /// The blocks after it are about this.
    case heading(Phrase)
    /// Sentences. A text has each on a line of its own.
    case paragraph([Phrase], Style)
    case list([Phrase])
    /// A name, and its value; without a value there is nothing to say.
    case facts([(name: String, value: Phrase?)])
    case checks([Check])
    /// What a person should look at, the most urgent first.
    case attention([Matter])
    case table(Table)
    /// Commands that can be pasted, and when to use each.
    case commands([(use: String, command: ShellCommand)])

    // For browsers.
    case chart(Figure)
    case sources(Sources)
    /// What the lines of charts mean.
    case key
    /// Small charts side by side.
    case gallery([Tile])
    /// Other views of the page.
    case choices([Phrase], label: String?)
    case form(Form)
    /// A command to go on with, which programs print beside their answer, not in it.
    case hint(String, ShellCommand)

    enum Style: Sendable {
        case plain, soft
        /// All is well.
        case calm
        /// Something is wrong.
        case alarm
        /// What somebody did failed.
        case fault
    }

    /// Sentences that are there.
    static func paragraph(_ sentences: Phrase?..., style: Style = .plain) -> Block {
        .paragraph(sentences.compactMap(\.self), style)
    }
}

/// Something that must be the case.
struct Check: Sendable, Hashable {
    var isMet: Bool
    /// What is the case, with its figure.
    var figure: String
    /// What must be the case; nil where the figure says it all.
    var limit: String?
}

/// Something that needs attention.
struct Matter: Sendable {
    /// The app that it is about, where that is not the page's own.
    var app: String?
    /// Without its full stop.
    var sentence: String
    /// The figures behind it.
    var more: [Phrase] = []
    /// Where more of it is shown.
    var link: Phrase?
    var command: ShellCommand

    static let none = "Nothing needs attention."
}
