internal import CensusCore
internal import CensusStore

/// An act that somebody asks for in the console: first for a preview, then to carry it out.
package struct ConsoleAct: Sendable {
    package enum Verb: String, Sendable, CaseIterable {
        case mark, retire, reopen
        /// Names the kind that replaces a legacy one.
        case replace
        /// A loss after an update.
        case acknowledge, close
        /// The loss that a release without the kind will cause.
        case acknowledgeDrop = "acknowledge-drop"
        /// The app's limits for when a kind can be dropped.
        case limit
    }

    /// A field that isn't filled in as it must be, in a sentence without its full stop.
    package struct Fault: Error {
        package var sentence: String

        init(_ sentence: String) { self.sentence = sentence }
    }

    package let verb: Verb
    let app: String
    let kind: String
    /// The surface of the page from which the act comes; only the acknowledgement of a drop is for this surface alone.
    let surface: String?
    /// That devices updated to, in a loss.
    let version: String
    /// What the person filled in, without empty fields.
    let entries: [(name: String, value: String)]
    let reason: String
    /// The app's new limits; nil for other acts.
    let limits: AppSettings?
    /// The acknowledged loss in devices, and until when; nil for other acts.
    let allowed: (devices: Int, until: Day)?

    /// - Parameters:
    ///   - query: the value of a field in the URL; nil if it is missing.
    ///   - entry: the value of a field that the person filled in; nil if it is missing or empty.
    package init(app: String, query: (String) -> String?, entry: (String) -> String?) throws(Fault) {
        guard let verb = query("act").flatMap(Verb.init) else { throw Fault("the URL has no known `act`") }
        guard let kind = query("kind") else { throw Fault("the URL has no `kind`") }
        self.verb = verb
        self.app = app
        self.kind = kind
        surface = query("surface")
        version = query("version") ?? ""
        var entries: [(name: String, value: String)] = []
        for field in verb.fields {
            if let value = entry(field.name) { entries.append((field.name, value)) }
        }
        self.entries = entries
        reason = entry("reason") ?? ""
        guard ActWords.acceptsReason(reason) else {
            throw Fault("give a reason of 1 to 1000 characters; it is kept with the act")
        }
        for field in verb.fields where field.name != "reason" {
            if let value = entry(field.name) {
                guard value.unicodeScalars.count <= 200 else { throw Fault("too long: \(field.label)") }
            } else if field.isRequired {
                throw Fault("fill in: \(field.label)")
            }
        }
        limits = verb == .limit ? try ConsoleAct.limits(entry) : nil
        allowed = verb == .acknowledgeDrop ? try ConsoleAct.allowed(entry) : nil
    }

    /// What the person filled in.
    subscript(name: String) -> String? { entries.first { $0.name == name }?.value }

    /// The page from which it comes.
    package var origin: Link {
        switch verb {
        case .acknowledge, .close: Link(.losses).with("app", app)
        case .mark, .replace, .retire, .reopen, .acknowledgeDrop, .limit:
            Link(.kind).with("app", app).with("kind", kind).with("surface", surface)
        }
    }

    /// The address of its preview, or of the act itself.
    func link(_ place: Link.Place) -> Link {
        ConsoleAct.link(
            place, verb, app: app, kind: kind, surface: surface, version: version.isEmpty ? nil : version)
    }

    static func link(
        _ place: Link.Place, _ verb: Verb, app: String, kind: String, surface: String?, version: String? = nil
    ) -> Link {
        Link(place).with("app", app).with("act", verb.rawValue).with("kind", kind).with("surface", surface)
            .with("version", version)
    }
}

extension ConsoleAct.Verb {
    /// What a person fills in.
    var fields: [Form.Field] {
        let own: [Form.Field] =
            switch self {
            case .mark:
                [
                    .init(
                        name: "replaced_by", label: "The kind that replaces it, if there is one", entry: .kind,
                        isRequired: false)
                ]
            case .replace: [.init(name: "replaced_by", label: "The kind that replaces it", entry: .kind)]
            case .retire:
                [.init(name: "anyway", label: "Retire it even if it is not ready", entry: .tick, isRequired: false)]
            case .reopen, .acknowledge, .close: []
            case .acknowledgeDrop:
                [
                    .init(name: "release", label: "The version that drops it", isRequired: false),
                    .init(
                        name: "max_loss", label: "At most how many devices can lose it; 0 withdraws an acknowledgement"),
                    .init(
                        name: "until", label: "The last day on which this is valid", entry: .day, isRequired: false),
                ]
            case .limit:
                [
                    .init(name: "limit", label: "Devices that can still have a kind that is ready"),
                    .init(name: "limit_share", label: "The same, as a share of the active devices"),
                    .init(name: "ready_days", label: "Days on which the limit must hold"),
                    .init(name: "coverage", label: "Share of the active devices that must report"),
                ]
            }
        return own + [.init(name: "reason", label: "Why")]
    }

    /// What unfolds its form.
    private var summary: String {
        switch self {
        case .mark: "Mark it as legacy"
        case .replace: "Name the kind that replaces it"
        case .retire: "Retire it"
        case .reopen: "Reopen it"
        case .acknowledge: "Acknowledge it: it is known, and goes on"
        case .close: "Close it: it is over, or a false alarm"
        case .acknowledgeDrop: "Acknowledge the loss that dropping it will cause"
        case .limit: "Change the app's limits"
        }
    }

    /// The form that leads to its preview.
    ///
    /// - Parameters:
    ///   - token: of the visitor's forms.
    ///   - presets: what the fields begin with.
    ///   - kinds: suggestions where a kind is filled in.
    ///   - name: distinguishes the form from others of its verb on the page.
    func form(
        _ token: String, to link: Link, presets: [String: String] = [:], kinds: [String] = [], name: String = ""
    ) -> Form {
        let fields = self.fields.map { field in
            var field = field
            field.value = presets[field.name] ?? ""
            if case .kind = field.entry { field.suggestions = kinds }
            return field
        }
        return Form(
            action: link, hidden: [("token", token)], fields: fields, button: "Preview", summary: summary,
            name: rawValue + name)
    }
}
