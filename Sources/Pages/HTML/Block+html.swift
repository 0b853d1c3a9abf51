internal import CensusCore

extension Block {
    /// The block as HTML.
    var html: HTML {
        switch self {
        case .heading(let phrase): "<h2>\(phrase)</h2>\n"
        case .paragraph(let sentences, let style): sentences.isEmpty ? .empty : style.html(sentences)
        case .list(let items): items.isEmpty ? .empty : "<ul>\(items.html { "<li>\($0.capitalized)</li>" })</ul>\n"
        case .facts(let facts):
            facts.html { name, value in
                value.map { "<p><strong>\(name.capitalizingFirst):</strong> \($0)</p>\n" } ?? .empty
            }
        case .checks(let checks): Table(checks).html
        case .attention(let matters):
            matters.isEmpty
                ? "<p class=\"calm\">\(Matter.none)</p>"
                : "<ul class=\"attention\">\(matters.html(\.html))</ul>"
        case .table(let table): table.html
        case .commands(let commands):
            commands.html { "<p>\($0):</p><pre tabindex=\"0\"><code>\($1.description)</code></pre>\n" }
        case .chart(let figure): figure.html
        case .sources(let sources): "<div class=\"links\">\(sources.html)</div>\n"
        case .choices(let choices, let label):
            label.map { "<nav class=\"filters\" aria-label=\"\($0)\">\(choices.html { "<p>\($0)</p>" })</nav>" }
                ?? "<div class=\"filters\">\(choices.html { "<p>\($0)</p>" })</div>"
        case .form(let form): form.html
        case .key: ChartKey.html
        case .comparison(let one, let two): ChartKey.html(one, two)
        case .numbers(let numbers): "<dl class=\"numbers\">\(numbers.html(\.html))</dl>\n"
        case .filters(let filters): filters.html
        case .group(let use, let blocks): "<div class=\"\(use.rawValue)\">\(blocks.html(\.html))</div>\n"
        case .gallery(let tiles): "<div class=\"grid\">\(tiles.html(\.html))</div>\n"
        case .hint(let use, let command): "<p>\(use): <code>\(command.description)</code></p>\n"
        }
    }
}

extension Block.Style {
    fileprivate func html(_ sentences: [Phrase]) -> HTML {
        let text = sentences.enumerated().html { $0 == 0 ? "\($1)" : " \($1)" }
        return switch self {
        case .plain: "<p>\(text)</p>\n"
        case .soft: "<p class=\"soft\">\(text)</p>\n"
        case .calm: "<p class=\"calm\">\(text)</p>\n"
        case .alarm: "<ul class=\"attention\"><li><p>\(text)</p></li></ul>\n"
        case .fault: "<p class=\"fault\" role=\"alert\">\(text)</p>\n"
        }
    }
}

extension Phrase {
    var html: HTML { parts.html(\.html) }

    /// The phrase with its first letter capitalized.
    var capitalized: Phrase {
        var phrase = self
        switch parts.first {
        case .text(let text): phrase.parts[0] = .text(text.capitalizingFirst)
        case .verdict(let words, let tone): phrase.parts[0] = .verdict(words.capitalizingFirst, tone)
        default: break
        }
        return phrase
    }
}

extension Phrase.Part {
    fileprivate var html: HTML {
        switch self {
        case .text(let text): "\(text)"
        case .name(let name): "<span class=\"name\">\(HTML.name(name))</span>"
        case .code(let text): "<code>\(text)</code>"
        case .strong(let text): "<strong>\(text)</strong>"
        case .current(let text): "<strong aria-current=\"true\">\(text)</strong>"
        case .verdict(let words, .good): "<strong class=\"met\">\(words)</strong>"
        case .verdict(let words, .bad), .verdict(let words, .doubtful): "<strong class=\"unmet\">\(words)</strong>"
        case .verdict(let words, .plain): "<strong>\(words)</strong>"
        case .soft(let text): "<span class=\"soft\">\(text)</span>"
        case .day(let day): "\(day.spoken)"
        case .link(let words, let link): "<a href=\"\(link)\">\(HTML.name(words))</a>"
        }
    }
}

extension HTML.StringInterpolation {
    /// Disfavoured, so that a literal is markup.
    @_disfavoredOverload
    mutating func appendInterpolation(_ phrase: Phrase) { appendInterpolation(phrase.html) }
}

extension Matter {
    fileprivate var html: HTML {
        let text = app.map { "\($0): \(sentence)" } ?? sentence.capitalizingFirst
        let others = more.html { "<p>\($0)</p>" } + (link.map { "<p>\($0)</p>" } ?? .empty)
        return """
            <li><p><strong>\(Phrase(withCode: text)).</strong></p>\(others)<p><code>\(command.description)</code></p></li>

            """
    }
}

extension Figure {
    fileprivate var html: HTML {
        let numbers: HTML = table.map { "<details><summary>Table</summary>\($0.html)</details>" } ?? .empty
        return """
            <figure>
            <figcaption class="finding">\(finding)</figcaption>
            \(drawing.html)\(note.map { "<p class=\"soft narrow\">\($0)</p>" } ?? .empty)
            \(sources.map { "<div class=\"links\">\(numbers)\($0.html)</div>" } ?? .empty)
            </figure>

            """
    }
}

extension Headline {
    fileprivate var html: HTML {
        let note: HTML = note.map { "<dd class=\"soft\">\($0)</dd>" } ?? .empty
        return "<div><dt>\(label)</dt><dd class=\"figure\">\(figure)</dd>\(note)</div>"
    }
}

extension Tile {
    fileprivate var html: HTML {
        let badge: HTML = badge.map { " <span class=\"badge\">\($0)</span>" } ?? .empty
        return """
            <figure><figcaption><h3>\(finding)\(badge)</h3></figcaption>\(drawing.html)<p class="soft">\(note)</p></figure>

            """
    }
}

extension Sources {
    fileprivate var html: HTML {
        "<a href=\"\(csv)\">CSV</a><details><summary>SQL</summary><pre tabindex=\"0\"><code>\(sql)</code></pre></details>"
    }
}

extension Form {
    fileprivate var html: HTML {
        let form: HTML = """
            <form class="fields" method="post" action="\(action)">\(hidden.html { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })
            \(fields.html { $0.html(id: name.isEmpty ? $0.name : "\(name)-\($0.name)") })<button>\(button)</button>
            </form>

            """
        return summary.map { "<details class=\"decide\"><summary>\($0)</summary>\n\(form)</details>\n" } ?? form
    }
}

extension Form.Field {
    fileprivate func html(id: String) -> HTML {
        if case .tick = entry {
            return
                "<label for=\"\(id)\"><input id=\"\(id)\" name=\"\(name)\" type=\"checkbox\" value=\"yes\"> \(label)</label>\n"
        }
        let kind: HTML =
            switch entry {
            case .secret: "type=\"password\" autocomplete=\"current-password\""
            case .day: "type=\"date\""
            case .text, .kind, .tick: "type=\"text\" autocomplete=\"off\""
            }
        let options: HTML =
            suggestions.isEmpty
            ? .empty : "<datalist id=\"\(id)-options\">\(suggestions.html { "<option value=\"\($0)\">" })</datalist>\n"
        let list: HTML = suggestions.isEmpty ? .empty : " list=\"\(id)-options\""
        let preset: HTML = value.isEmpty ? .empty : " value=\"\(value)\""
        return """
            <label for="\(id)">\(label)</label>
            <input id="\(id)" name="\(name)" \(kind)\(list)\(preset)\(isRequired ? " required" : "") spellcheck="false">
            \(options)
            """
    }
}
