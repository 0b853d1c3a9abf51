/// Fields that choose what a page shows. A browser puts them into the URL, so it needs no script.
struct Filters: Sendable {
    enum Control: Sendable {
        case text
        /// From an earliest to a latest day.
        case day(String, String)
        case choice([(value: String, label: String)])
    }

    struct Field: Sendable {
        /// The parameter in the URL.
        var name: String
        var label: String
        /// Empty: the default.
        var value: String
        var control: Control
    }

    /// What the URL keeps. A field replaces a parameter of its name.
    var link: Link
    var fields: [Field]
    var button = "Show"
}

extension Filters {
    var html: HTML {
        let kept = link.query.filter { kept in !fields.contains { $0.name == kept.name } }
        return """
            <form class="filters" method="get" action="\(link.path)">\
            \(kept.html { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })\
            \(fields.html(\.html))<button>\(button)</button></form>

            """
    }
}

extension Filters.Field {
    fileprivate var html: HTML { "<label>\(label) \(input)</label>" }

    private var input: HTML {
        switch control {
        case .text: "<input type=\"search\" name=\"\(name)\" value=\"\(value)\" size=\"14\" spellcheck=\"false\">"
        case .day(let first, let last):
            "<input type=\"date\" name=\"\(name)\" value=\"\(value)\" min=\"\(first)\" max=\"\(last)\">"
        case .choice(let options): "<select name=\"\(name)\">\(options.html(option))</select>"
        }
    }

    private func option(_ value: String, _ label: String) -> HTML {
        let mark: HTML = value.utf8.elementsEqual(self.value.utf8) ? " selected" : .empty
        return "<option value=\"\(value)\"\(mark)>\(label)</option>"
    }
}
