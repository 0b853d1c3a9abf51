/// The setting of a page: which app, and who is looking.
package struct Frame: Sendable {
    /// The apps that the visitor may see, by id.
    package var apps: [String]
    /// The one that the page is about.
    package var app: String?
    /// Whether there is a session to log out of.
    package var hasSession: Bool

    package init(apps: [String], app: String? = nil, hasSession: Bool = false) {
        self.apps = apps
        self.app = app
        self.hasSession = hasSession
    }
}

/// One page: what stands between the header and the footer, which all pages share.
package struct Page: Sendable {
    package var title: String
    package var place: Link.Place?
    package var body: HTML

    package init(title: String, place: Link.Place? = nil, body: HTML) {
        self.title = title
        self.place = place
        self.body = body
    }

    private static let places: [(Link.Place, String)] = [
        (.overview, "Overview"), (.losses, "Losses"), (.quirks, "OS quirks"), (.coverage, "Coverage and refusals"),
        (.device, "A device"), (.status, "Status"),
    ]

    /// The whole document.
    package func document(in frame: Frame) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title) · Widget Census</title>
        <link rel="stylesheet" href="\(Stylesheet.path)">
        </head>
        <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top"><p class="brand">Widget Census</p>\(navigation(frame))\(logout(frame))</header>
        <main id="main">
        \(body)
        </main>
        <footer><p>Counts are bounds: <em>certain</em> is what the evidence forces, <em>possible</em> what it allows, \
        <em>expected</em> the estimate between them, <em>reported</em> what the OS claims.</p></footer>
        </body>
        </html>

        """
    }

    private func navigation(_ frame: Frame) -> HTML {
        guard let app = frame.app else { return .empty }
        let links = Page.places.html { place, name in
            let link = Link(place).with("app", app)
            return place == self.place
                ? "<li><a href=\"\(link)\" aria-current=\"page\">\(name)</a></li>"
                : "<li><a href=\"\(link)\">\(name)</a></li>"
        }
        let others = frame.apps.filter { !$0.utf8.elementsEqual(app.utf8) }
        let switcher: HTML =
            others.isEmpty
            ? .empty
            : "<details class=\"apps\"><summary>Other apps</summary><ul>\(others.html { "<li><a href=\"\(Link(.overview).with("app", $0))\">\($0)</a></li>" })</ul></details>"
        return
            "<p class=\"app\"><span class=\"name\">\(app)</span></p><nav aria-label=\"Pages\"><ul>\(links)</ul></nav>\(switcher)"
    }

    private func logout(_ frame: Frame) -> HTML {
        frame.hasSession
            ? "<form class=\"logout\" method=\"post\" action=\"\(Link(.logout))\"><button>Log out</button></form>"
            : .empty
    }
}

extension Page {
    /// The apps to choose from.
    package static func apps(_ frame: Frame) -> Page {
        let list: HTML =
            frame.apps.isEmpty
            ? "<p>There is no app yet. Add one: <code>widget-census apps add APP_ID</code></p>"
            : "<ul>\(frame.apps.html { "<li><a href=\"\(Link(.overview).with("app", $0))\">\($0)</a></li>" })</ul>"
        return Page(title: "Apps", body: "<h1>Apps</h1>\(list)")
    }

    /// - Parameters:
    ///   - then: where to go after it, within the console.
    ///   - fault: why the last attempt failed.
    package static func login(then: String, fault: String?) -> Page {
        let told: HTML = fault.map { "<p class=\"fault\" role=\"alert\">\($0)</p>" } ?? .empty
        return Page(
            title: "Log in",
            body: """
                <h1>Log in</h1>
                <p>The console takes a key with the role <code>read</code>, and shows that key's app. \
                An operator makes one: <code>widget-census keys add --app APP_ID --role read</code></p>
                \(told)
                <form class="fields" method="post" action="\(Link(.login))">
                <input type="hidden" name="then" value="\(then)">
                <label for="key">Key</label>
                <input id="key" name="key" type="password" required autocomplete="current-password" spellcheck="false">
                <button>Log in</button>
                </form>
                """)
    }

    /// Why there is no page, and what to do.
    package static func trouble(_ title: String, _ message: String, again: String? = nil) -> Page {
        let link: HTML = again.map { "<p><a href=\"\($0)\">Try again</a></p>" } ?? .empty
        return Page(title: title, body: "<h1>\(title)</h1><p>\(message)</p>\(link)")
    }
}
