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
    /// The legend of a chart that compares two kinds.
    case comparison(String, String)
    /// A page's most important numbers.
    case numbers([Headline])
    /// Fields that choose what the page shows.
    case filters(Filters)
    /// Blocks that a browser arranges together.
    case group(Use, [Block])
    /// Small charts side by side.
    case gallery([Tile])
    /// Other views of the page.
    case choices([Phrase], label: String?)
    case form(Form)
    /// A command for the next step. Commands print it on standard error, beside their output.
    case hint(String, ShellCommand)

    enum Use: String, Sendable {
        /// Not printed on paper.
        case screen
        /// Side by side on paper.
        case columns
    }

    /// The block, or those in it.
    var flat: [Block] {
        guard case .group(_, let blocks) = self else { return [self] }
        return blocks.flatMap(\.flat)
    }

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

/// One number with its name.
struct Headline: Sendable {
    var label: String
    var figure: String
    var note: Phrase?
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
