internal import CensusCore

/// What an act would do, before anybody confirms it.
package struct ActPreview: Sendable {
    let act: ConsoleAct
    let actor: String
    /// What it would do, most important first.
    var effects: [Phrase] = []
    /// Why it can't be carried out.
    var hindrance: Phrase?
    /// What it is based on: if that changes, it is not carried out.
    var seen: Int64 = 0

    /// - Parameter token: of the visitor's forms.
    package func page(token: String) -> Page {
        Page(act.title, of: act.app) {
            Block.paragraph("This is a preview: nothing has changed yet.", style: .soft)
            if let hindrance {
                Block.paragraph(hindrance, style: .fault)
            } else {
                Block.list(effects)
                Block.facts([("signed by", Phrase(actor)), ("reason", Phrase(act.reason))])
                Block.form(
                    Form(
                        action: act.link(.act),
                        hidden: [("token", token), ("seen", "\(seen)"), ("entries", Link.encoded(act.entries))],
                        fields: [], button: act.verb.button))
            }
            "\("Back, without changing anything", to: act.origin)"
        }
    }
}

/// What came of an act.
package struct ActResult: Sendable {
    let act: ConsoleAct
    let lines: [String]
    /// Whether the act can't be carried out as it was confirmed. Otherwise its state is reached, by now or before.
    package var isRefused = false

    package var page: Page {
        Page(isRefused ? "Nothing was changed" : "Done", of: act.app) {
            for line in lines { Block.paragraph(Phrase(withCode: line.ended), style: isRefused ? .fault : .plain) }
            if isRefused { "Look at the page again, and decide by what it says now." }
            "\("Back to the page", to: act.origin)"
        }
    }
}

extension String {
    /// With a full stop.
    var ended: String { hasSuffix(".") ? self : self + "." }
}

extension ConsoleAct {
    fileprivate var title: Phrase {
        switch verb {
        case .mark: "Mark \(name: kind) as legacy?"
        case .replace: "Name the kind that replaces \(name: kind)?"
        case .retire: "Retire \(name: kind)?"
        case .reopen: "Reopen \(name: kind)?"
        case .acknowledge: "Acknowledge the loss of \(name: kind) after updates to \(name: version)?"
        case .close: "Close the loss of \(name: kind) after updates to \(name: version)?"
        case .acknowledgeDrop: "Acknowledge the loss of dropping \(name: kind)?"
        case .limit: "Change the limits of \(name: app)?"
        }
    }
}

extension ConsoleAct.Verb {
    /// The words of the button that carries it out.
    fileprivate var button: String {
        switch self {
        case .mark: "Mark as legacy"
        case .replace: "Name it"
        case .retire: "Retire"
        case .reopen: "Reopen"
        case .acknowledge, .acknowledgeDrop: "Acknowledge"
        case .close: "Close"
        case .limit: "Change the limits"
        }
    }
}
