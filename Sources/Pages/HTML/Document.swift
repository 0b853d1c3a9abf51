/// What surrounds a page: the app, and what its visitor can see.
package struct Frame: Sendable {
    /// The ids of the apps that the visitor may see.
    package var apps: [String]
    /// The page's app.
    package var app: String?
    /// Whether there is a session to log out of.
    package var hasSession: Bool

    package init(apps: [String], app: String? = nil, hasSession: Bool = false) {
        self.apps = apps
        self.app = app
        self.hasSession = hasSession
    }
}

extension Page {
    /// The complete HTML document.
    package func document(in frame: Frame) -> HTML {
        let name = place?.name ?? title.text
        let window = app.map { "\(name) of \($0)" } ?? name
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(window) · Widget Census</title>
            <link rel="stylesheet" href="\(Stylesheet.path)">\(script)
            </head>
            <body>
            <a class="skip" href="#main">Skip to the content</a>
            <header class="top"><p class="brand">Widget Census</p>\(navigation(frame))\(logout(frame))</header>
            <main id="main">
            \(head)\(blocks.html(\.html))
            </main>
            <footer><p>Counts are bounds: <em>certain</em> means at least, <em>possible</em> means at most, <em>expected</em> is \
            the best estimate between them, and <em>reported</em> is what the OS claims.</p></footer>
            </body>
            </html>

            """
    }

    /// Only pages with charts need it.
    private var script: HTML {
        blocks.flatMap(\.flat).contains { if case .chart = $0 { true } else { false } }
            ? "\n<script src=\"\(HoverScript.path)\" defer></script>" : .empty
    }

    private var head: HTML {
        "<h1>\(title)</h1>\n\(answer.map { "<p class=\"verdict\">\($0.capitalized).</p>\n" } ?? .empty)"
    }

    private func navigation(_ frame: Frame) -> HTML {
        guard let app = frame.app else { return .empty }
        let links = Link.Place.allCases.html { place in
            guard let name = place.name else { return .empty }
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
