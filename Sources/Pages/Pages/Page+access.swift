extension Page {
    /// The apps to choose from.
    package static func apps(_ frame: Frame) -> Page {
        Page("Apps") {
            if frame.apps.isEmpty { "There is no app yet. Add one: \(code: "widget-census apps add APP_ID")" }
            Block.list(frame.apps.map { "\($0, to: Link(.overview).with("app", $0))" })
        }
    }

    /// - Parameters:
    ///   - then: where to go after it, within the console.
    ///   - fault: why the last attempt failed.
    package static func login(then: String, fault: String?) -> Page {
        Page("Log in") {
            Block.paragraph(
                "The console takes a key with the role \(code: "read"), and shows that key's app.",
                "An operator makes one: \(code: "widget-census keys add --app APP_ID --role read")")
            if let fault { Block.paragraph(Phrase(withCode: fault), style: .fault) }
            Block.form(
                Form(
                    action: Link(.login), hidden: ("then", then), field: "key", label: "Key", isSecret: true,
                    button: "Log in"))
        }
    }

    /// Why there is no page, and what to do.
    ///
    /// - Parameter again: the address to try again, within the console.
    package static func trouble(_ title: String, _ message: String, again: String? = nil) -> Page {
        Page(Phrase(title)) {
            Phrase(withCode: message)
            if let again { "\("Try again", to: Link(address: again))" }
        }
    }
}
