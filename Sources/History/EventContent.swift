internal import CensusCore

/// Why a record can't be counted.
struct HistoryFailure: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// What an event says about widgets.
enum EventContent {
    case change(String, Placement)
    /// Sorted, so that one list always has the same bytes.
    case list([ListedWidget])
    case readFailed(String)
    case opened

    typealias ListedWidget = (widget: Placement, count: Int)

    /// Writes the event's members.
    func write(to json: inout JSONBuilder) {
        switch self {
        case .change(let type, let widget):
            json.member("type", type)
            json.member("widget") { $0.object { json in widget.write(to: &json) } }
        case .list(let widgets):
            json.member("type", "widgets_reported")
            json.member("widgets") {
                $0.array(widgets) { json, listed in
                    json.object { json in
                        listed.widget.write(to: &json)
                        if listed.count != 1 { json.member("count", listed.count) }
                    }
                }
            }
        case .readFailed(let reason):
            json.member("type", "widgets_reported")
            json.member("error") {
                $0.object { json in
                    json.member("domain", reason)
                    json.member("code", 0)
                }
            }
        case .opened: json.member("type", "app_opened")
        }
    }
}

extension Placement {
    fileprivate func write(to json: inout JSONBuilder) {
        json.member("kind", kind)
        if let family { json.member("family", family) }
        if let intent { json.member("intent", intent) }
        if let configuration { json.member("configuration", configuration) }
        if let instance { json.member("instance", instance) }
    }
}

/// Reads what an event's properties say about widgets.
struct MappedProperties {
    private let properties: RecordValue
    /// ``HistoryMapping/names``.
    private let known: [String: HistoryMapping.Named]
    /// ``HistoryFormat/longestText``.
    private let longestText: Int?
    /// The app's names for widgets that were read.
    private(set) var names: Set<String> = []

    init(_ properties: RecordValue, known: [String: HistoryMapping.Named], longestText: Int?) {
        self.properties = properties
        self.known = known
        self.longestText = longestText
    }

    mutating func content(of event: HistoryMapping.Event) throws(HistoryFailure) -> EventContent {
        if let value = event.error.flatMap({ properties[$0] }), value.count != 0 {
            return .readFailed(String((value.scalar ?? "error").prefix(100)))
        }
        switch event.meaning {
        case .opened: return .opened
        case .change(let type, let widget):
            guard let name = widget.kind.text(in: properties) else {
                throw HistoryFailure("the event has no kind (\(widget.kind))")
            }
            var changed = placement(named: name, family: widget.family?.text(in: properties))
            changed.intent = widget.intent?.text(in: properties)
            changed.configuration = widget.configuration?.text(in: properties)
            changed.instance = widget.instance?.text(in: properties)
            return .change(type, changed)
        case .list(let place, let separator, let item): return .list(try list(at: place, separator, item))
        case .counts(let place, let item):
            guard let counts = properties[place]?.unwrapped.allMembers else {
                throw HistoryFailure("the event has no object `\(place)` with counts")
            }
            return .list(
                try listed(counts) { (reader: inout Self, name) throws(HistoryFailure) in
                    try reader.placement(of: name, item)
                })
        case .flags(let flags):
            let set = flags.compactMap { name, flag in properties[flag.path].map { (name, $0) } }
            return .list(
                try listed(set) { (_: inout Self, name) throws(HistoryFailure) in
                    flags[name].map { Placement(kind: $0.widget.kind, family: $0.widget.family) }
                })
        }
    }

    /// The widgets whose count is above 0.
    private mutating func listed(
        _ counts: [(name: String, value: RecordValue)],
        as widget: (inout Self, String) throws(HistoryFailure) -> Placement?
    ) throws(HistoryFailure) -> [EventContent.ListedWidget] {
        var widgets: [EventContent.ListedWidget] = []
        for (name, value) in counts {
            guard let count = value.count, count >= 0 else { throw HistoryFailure("`\(name)` is not a count") }
            if count > 0, let widget = try widget(&self, name) { widgets.append((widget, count)) }
        }
        return widgets.sorted(by: <)
    }

    /// An empty text is an empty list. A missing one is not: the app might not have read it.
    private mutating func list(
        at place: RecordPath, _ separator: String, _ item: HistoryMapping.Pattern
    ) throws(HistoryFailure) -> [EventContent.ListedWidget] {
        guard let value = properties[place] else { throw HistoryFailure("the event has no list `\(place)`") }
        var elements = value.elements
        if let text = value.text {
            guard text.utf8.count < longestText ?? .max else {
                throw HistoryFailure(
                    "the list `\(place)` is as long as the tool's texts can be, so it might be cut off")
            }
            elements = try parts(of: text, at: place, separator)
        }
        guard let elements else { throw noList(value, at: place) }
        var widgets: [EventContent.ListedWidget] = []
        for element in elements { widgets.append(try listed(element, item, in: place)) }
        return widgets.sorted(by: <)
    }

    /// Splits a text into the elements of a list. The text is JSON, or names with a separator between them; one more separator
    /// can follow the last name.
    private func parts(
        of text: String, at place: RecordPath, _ separator: String
    ) throws(HistoryFailure) -> [RecordValue] {
        let text = text[...].trimmed
        guard text != "null" else { throw HistoryFailure("`\(place)` is the text null, not a list") }
        guard text.first == "[" || text.first == "{" else {
            var parts = text.split(separator: separator, omittingEmptySubsequences: false).map(\.trimmed)
            if parts.last?.isEmpty == true { parts.removeLast() }
            return parts.map(RecordValue.text)
        }
        guard let json = RecordValue(inText: text) else {
            throw HistoryFailure("`\(place)` begins like JSON, but is not JSON; it might be cut off")
        }
        guard let elements = json.elements else { throw noList(json, at: place) }
        return elements
    }

    private func noList(_ value: RecordValue, at place: RecordPath) -> HistoryFailure {
        let fault = "`\(place)` is \(value.form), not a list"
        guard value.allMembers != nil else { return HistoryFailure(fault) }
        return HistoryFailure(fault + "; if its members are numbers of widgets, map it as `counts: \(place)`")
    }

    /// - Parameter element: a name, or an object as in a `widgets_reported` of the contract.
    private mutating func listed(
        _ element: RecordValue, _ item: HistoryMapping.Pattern, in place: RecordPath
    ) throws(HistoryFailure) -> EventContent.ListedWidget {
        func fault(_ fault: String) -> HistoryFailure {
            HistoryFailure(
                "the list `\(place)` has an element \(fault); elements are names, or objects with `kind`, `family` "
                    + "and `count`. Convert others when you export them")
        }
        func text(_ name: RecordPath) throws(HistoryFailure) -> String? {
            guard let value = element[name] else { return nil }
            guard let text = value.text else { throw fault("whose `\(name)` is \(value.form)") }
            return text.isEmpty ? nil : text
        }
        if let name = element.text {
            guard !name[...].trimmed.isEmpty else { throw fault("that is empty") }
            return (try placement(of: name, item), 1)
        }
        guard element.allMembers != nil else { throw fault("that is \(element.form)") }
        guard let kind = try text("kind") else { throw fault("without `kind`") }
        var widget = placement(named: kind, family: try text("family"))
        widget.intent = try text("intent")
        widget.configuration = try text("configuration")
        widget.instance = try text("instance")
        guard let count = element["count"] else { return (widget, 1) }
        guard count.form == "a number", let number = count.count, number > 0 else {
            throw fault("whose `count` is not a number from 1 on")
        }
        return (widget, number)
    }

    /// - Parameter family: as the event has it, which is more than what the mapping says of the name.
    private mutating func placement(named name: String, family: String?) -> Placement {
        names.insert(name)
        guard let known = known[name] else { return Placement(kind: name, family: family) }
        return Placement(kind: known.kind, family: family ?? known.family)
    }

    private mutating func placement(
        of name: String, _ item: HistoryMapping.Pattern
    ) throws(HistoryFailure) -> Placement {
        if known[name] != nil { return placement(named: name, family: nil) }
        guard let read = item.read(name) else {
            throw HistoryFailure("the name \(name.prefix(60)) is not made as `item` says")
        }
        return placement(named: read.kind, family: read.family)
    }
}

extension Substring {
    var trimmed: String {
        // Only its ends are looked at, because every name in every list is trimmed.
        var rest = self
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
