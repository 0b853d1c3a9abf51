extension Page {
    /// - Parameters:
    ///   - then: the page to open after it, within the console.
    ///   - fault: why the last attempt failed.
    package static func login(then: String, fault: String?) -> Page {
        Page("Log in") {
            Block.paragraph(
                "Log in with a key that has the role \(code: "read"). The console shows that key's app.",
                "An operator can create a key: \(code: "widget-census keys add --app APP_ID --role read")")
            if let fault { Block.paragraph(Phrase(withCode: fault), style: .fault) }
            Block.form(
                Form(
                    action: Link(.login), hidden: ("then", then), field: "key", label: "Key", isSecret: true,
                    button: "Log in"))
        }
    }

    /// An error page: what went wrong, and what to do.
    ///
    /// - Parameter again: the address for another try, within the console.
    package static func trouble(_ title: String, _ message: String, again: String? = nil) -> Page {
        Page(Phrase(title)) {
            Phrase(withCode: message)
            if let again { "\("Try again", to: Link(address: again))" }
        }
    }
}
