extension Page {
    /// - Parameters:
    ///   - then: the page to open after it, within the console.
    ///   - fault: why the last attempt failed.
    package static func login(then: String, fault: String?) -> Page {
        Page("Log in") {
            Block.paragraph(
                """
                Log in with a key that has the role \(code: "read"), or \(code: "manage") to act. The console shows that key's \
                app.
                """,
                "An operator can create a key: \(code: "widget-census keys add --app APP_ID --role read")")
            if let fault { Block.paragraph(Phrase(withCode: fault), style: .fault) }
            Block.form(
                Form(
                    action: Link(.login), hidden: [("then", then)],
                    fields: [.init(name: "key", label: "Key", entry: .secret)], button: "Log in"))
        }
    }

    /// An error page: what went wrong, and what to do.
    ///
    /// - Parameters:
    ///   - again: the address for another try, within the console.
    ///   - back: the page from which the visitor came.
    package static func trouble(
        _ title: String, _ message: String, again: String? = nil, back: Link? = nil
    ) -> Page {
        Page(Phrase(title)) {
            Phrase(withCode: message)
            if let back { "\("Back to the page", to: back)" }
            if let again { "\("Try again", to: Link(address: again))" }
        }
    }
}
