internal import CensusCore

/// One part of a page, for all renderers. Text leaves out what only a browser can show.
enum Block: Sendable {
    /// The title of the blocks after it.
    case heading(Phrase)
    /// Sentences. In text, each has its own line.
    case paragraph([Phrase], Style)
    case list([Phrase])
    /// Names with values. Facts without a value are left out.
    case facts([(name: String, value: Phrase?)])
    case checks([Check])
    /// What needs a person's attention, most urgent first.
    case attention([Matter])
    case table(Table)
    /// Commands that can be pasted, and when to use each.
    case commands([(use: String, command: ShellCommand)])

    // For browsers.
    case chart(Figure)
    case sources(Sources)
    /// The legend of charts.
    case key
    /// Small charts side by side.
    case gallery([Tile])
    /// Other views of the page.
    case choices([Phrase], label: String?)
    case form(Form)
    /// A command for the next step. Commands print it on standard error, beside their output.
    case hint(String, ShellCommand)

    enum Style: Sendable {
        case plain, soft
        /// All is well.
        case calm
        /// Something is wrong.
        case alarm
        /// A person's action failed.
        case fault
    }

    /// A paragraph of the sentences that are not nil.
    static func paragraph(_ sentences: Phrase?..., style: Style = .plain) -> Block {
        .paragraph(sentences.compactMap(\.self), style)
    }
}

/// A condition that must be met.
struct Check: Sendable, Hashable {
    var isMet: Bool
    /// The current state, with its number.
    var figure: String
    /// What the condition requires; nil if the figure is enough.
    var limit: String?
}

/// Something that needs attention.
struct Matter: Sendable {
    /// Its app, if that isn't the page's own.
    var app: String?
    /// Without its full stop.
    var sentence: String
    /// The figures behind it.
    var more: [Phrase] = []
    /// A link to details.
    var link: Phrase?
    var command: ShellCommand

    static let none = "Nothing needs attention."
}
