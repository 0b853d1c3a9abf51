internal import CensusCore
internal import Yams

/// What an app's events in another tool mean: a YAML file, written by the app's team.
package struct HistoryMapping: Sendable {
    /// Where a text comes from: `size` or `payload.size` among the event's properties, or `=systemSmall`, which is itself.
    enum Source: Hashable, Sendable, CustomStringConvertible {
        case property(RecordPath)
        case constant(String)

        init(_ text: String) {
            self = text.hasPrefix("=") ? .constant(String(text.dropFirst())) : .property(RecordPath(text))
        }

        var description: String {
            switch self {
            case .property(let path): path.description
            case .constant(let text): "=\(text)"
            }
        }

        func text(in properties: RecordValue) -> String? {
            switch self {
            case .property(let path): properties[path]?.scalar
            case .constant(let text): text
            }
        }
    }

    /// A widget as the app calls it.
    struct Widget: Hashable, Sendable {
        var kind: Source
        var family: Source?
        var intent: Source?
        var configuration: Source?
        var instance: Source?
    }

    enum Meaning: Hashable, Sendable {
        /// The device was heard from, and nothing more.
        case opened
        /// One of the event types with a widget.
        case change(String, Widget)
        /// A list of widgets: elements, or a text with a separator; each names a widget as ``item`` says.
        case list(RecordPath, separator: String, item: Pattern)
        /// How many there are by name: an object.
        case counts(RecordPath, item: Pattern)
        /// By property: the widget that it counts.
        case flags([String: Flag])
    }

    struct Event: Hashable, Sendable {
        var meaning: Meaning
        /// If this property has a value, the read of the list failed.
        var error: RecordPath?
        /// Only events with these values in their properties have this meaning.
        var conditions: [RecordPath: String]
        var surface: String?
    }

    /// What one of the app's names for a widget means.
    struct Named: Hashable, Sendable {
        var kind: String
        var family: String?
    }

    /// A property that counts one widget.
    struct Flag: Hashable, Sendable {
        var path: RecordPath
        var widget: Named
    }

    /// A name's parts, such as `{kind}-{family}`.
    struct Pattern: Hashable, Sendable {
        /// What stands before `{kind}`, between it and `{family}`, and after that.
        private var before: String
        private var between: String?
        private var after: String

        /// - Returns: nil unless it has `{kind}`, and at most one `{family}` after it.
        init?(_ text: String) {
            guard let kind = text.firstRange(of: "{kind}") else { return nil }
            before = String(text[..<kind.lowerBound])
            let rest = text[kind.upperBound...]
            guard !before.contains("{"), let family = rest.firstRange(of: "{family}") else {
                guard !rest.contains("{"), !before.contains("{") else { return nil }
                (between, after) = (nil, String(rest))
                return
            }
            between = String(rest[..<family.lowerBound])
            after = String(rest[family.upperBound...])
            guard between?.isEmpty == false, !after.contains("{") else { return nil }
        }

        /// - Returns: nil if the name is made otherwise.
        func read(_ name: String) -> Named? {
            guard name.hasPrefix(before), name.hasSuffix(after), name.count >= before.count + after.count else {
                return nil
            }
            let middle = name.dropFirst(before.count).dropLast(after.count)
            guard let between else { return middle.isEmpty ? nil : Named(kind: String(middle)) }
            // From the end, because kinds contain hyphens and underscores more often than families.
            guard let gap = middle.ranges(of: between).last, gap.lowerBound > middle.startIndex else { return nil }
            return Named(kind: String(middle[..<gap.lowerBound]), family: String(middle[gap.upperBound...]))
        }
    }

    /// In place of the format's own.
    var fields: [String: String] = [:]
    /// For all records, where the export lacks the field.
    var constants: [String: String] = [:]
    /// Of times that don't name their zone.
    var zone = ReportingZone.utc
    /// By the event's name; several if conditions tell them apart.
    var events: [String: [Event]] = [:]
    var ignored: Set<String> = []
    /// By the app's name for a widget, of a pattern or a property `kind`.
    var names: [String: Named] = [:]
}

/// What is wrong with a mapping, and where.
package struct HistoryMappingError: Error, CustomStringConvertible {
    /// Counted from 1; nil if the file has none.
    var line: Int?
    var text: String

    package var description: String { (line.map { "line \($0): " } ?? "") + text }
}

extension HistoryMapping {
    /// - Throws: ``HistoryMappingError``.
    package init(yaml: String) throws {
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch let error as YamlError {
            throw HistoryMappingError(text: "not YAML: \(error)")
        }
        let top = try Fields(
            root, "the mapping", known: HistoryMapping.constantNames + ["zone", "fields", "events", "ignore", "kinds"])
        for name in HistoryMapping.constantNames { constants[name] = try top.text(name) }
        if let platform = constants["platform"], Platform(otherName: platform) == nil {
            throw HistoryMappingError(
                top["platform"], "platform must be one of \(Platform.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let name = try top.text("zone") {
            guard let zone = ReportingZone(acceptable: name) else {
                throw HistoryMappingError(top["zone"], "zone must be UTC, or a name such as America/New_York")
            }
            self.zone = zone
        }
        if let places = top["fields"] {
            let places = try Fields(places, "fields", known: HistoryMapping.fieldNames)
            for name in HistoryMapping.fieldNames { fields[name] = try places.text(name) }
        }
        for (name, node) in try top.members("events") {
            events[name] = try (node.sequence.map(Array.init) ?? [node]).map { try Event($0, named: name) }
        }
        if let list = top["ignore"] {
            guard let list = list.sequence else {
                throw HistoryMappingError(list, "ignore must be a list of event names")
            }
            ignored = Set(list.compactMap(\.string))
        }
        for (name, node) in try top.members("kinds") { names[name] = try Named(node, of: "kinds.\(name)") }
        guard !events.isEmpty else {
            throw HistoryMappingError(text: "the mapping has no `events`, so nothing would be counted")
        }
    }

    static let constantNames = ["app", "platform", "version", "channel"]
    static let fieldNames = [
        "event", "time", "received", "device", "id", "app", "version", "platform", "os_version", "properties",
    ]
}

extension HistoryMappingError {
    fileprivate init(_ node: Node?, _ text: String) { self.init(line: node?.mark?.line, text: text) }
}

extension HistoryMapping.Named {
    fileprivate init(_ node: Node, of place: String) throws {
        if let kind = node.string {
            self.init(kind: kind)
            return
        }
        let fields = try Fields(node, place, known: ["kind", "family"])
        self.init(kind: try fields.required("kind"), family: try fields.text("family"))
    }
}

extension HistoryMapping.Event {
    private static let changes = [
        "widget_installed", "widget_removed", "widget_configured", "widget_opened", "widget_rendered",
    ]

    static let fields = [
        "type", "kind", "family", "intent", "configuration", "instance", "surface", "list", "separator", "item",
        "counts", "flags", "error", "where",
    ]

    /// - Parameter node: an object, or a type alone.
    fileprivate init(_ node: Node, named name: String) throws {
        let place = "events.\(name)"
        if node.string == "app_opened" {
            (meaning, conditions) = (.opened, [:])
            return
        }
        let fields = try Fields(node, place, known: Self.fields)
        let type = try fields.required("type")
        conditions = [:]
        for (name, node) in try fields.members("where") { conditions[RecordPath(name)] = node.string ?? "" }
        error = try fields.text("error").map { RecordPath($0) }
        surface = try fields.text("surface")
        if let surface, Surface(rawValue: surface) == nil {
            throw HistoryMappingError(
                fields["surface"],
                "\(place).surface must be one of \(Surface.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if Self.changes.contains(type) {
            meaning = .change(
                type,
                HistoryMapping.Widget(
                    kind: .init(try fields.required("kind")), family: try fields.text("family").map { .init($0) },
                    intent: try fields.text("intent").map { .init($0) },
                    configuration: try fields.text("configuration").map { .init($0) },
                    instance: try fields.text("instance").map { .init($0) }))
            return
        }
        if type == "app_opened" {
            meaning = .opened
            return
        }
        guard type == "widgets_reported" else {
            let types = Self.changes + ["widgets_reported", "app_opened"]
            let meant =
                type.nearest(among: types).map { "; did you mean \($0)?" } ?? ": \(types.joined(separator: ", "))"
            throw HistoryMappingError(fields.node, "\(place).type must be an event type\(meant)")
        }
        guard let item = HistoryMapping.Pattern(try fields.text("item") ?? "{kind}") else {
            throw HistoryMappingError(
                fields.node, "\(place).item must be like `{kind}` or `{kind}-{family}`, with something between the two")
        }
        guard ["list", "counts", "flags"].filter({ fields[$0] != nil }).count < 2 else {
            throw HistoryMappingError(fields.node, "\(place) can have only one of `list`, `counts` and `flags`")
        }
        if let list = try fields.text("list") {
            let separator = try fields.text("separator") ?? ","
            guard !separator.isEmpty else {
                throw HistoryMappingError(fields["separator"], "\(place).separator is empty")
            }
            meaning = .list(RecordPath(list), separator: separator, item: item)
        } else if let counts = try fields.text("counts") {
            meaning = .counts(RecordPath(counts), item: item)
        } else {
            let flags = try fields.members("flags")
            guard !flags.isEmpty else {
                throw HistoryMappingError(
                    fields.node, "\(place) needs `list`, `counts` or `flags`: where its widgets are")
            }
            meaning = .flags(
                Dictionary(
                    uniqueKeysWithValues: try flags.map {
                        (
                            $0.name,
                            HistoryMapping.Flag(
                                path: RecordPath($0.name),
                                widget: try HistoryMapping.Named($0.node, of: "\(place).flags.\($0.name)"))
                        )
                    }))
        }
    }
}

/// The members of a YAML object.
private struct Fields {
    let node: Node
    private let place: String
    private let members: [(name: String, node: Node)]

    /// - Throws: if it is not an object, or has other members than the known ones.
    init(_ node: Node?, _ place: String, known: [String]) throws {
        guard let node, let mapping = node.mapping else {
            throw HistoryMappingError(line: node?.mark?.line, text: "\(place) must be an object with names and values")
        }
        self.node = node
        self.place = place
        members = mapping.map { ($0.key.string ?? "", $0.value) }
        for (name, node) in members where !known.contains(name) {
            let meant = name.nearest(among: known).map { "; did you mean `\($0)`?" } ?? ""
            throw HistoryMappingError(node, "\(place) has an unknown field `\(name)`\(meant)")
        }
    }

    subscript(name: String) -> Node? { members.first { $0.name == name }?.node }

    func text(_ name: String) throws -> String? {
        guard let node = self[name] else { return nil }
        guard let text = node.string else { throw HistoryMappingError(node, "\(place): `\(name)` must be a text") }
        return text
    }

    func required(_ name: String) throws -> String {
        guard let text = try text(name) else { throw HistoryMappingError(node, "\(place) has no `\(name)`") }
        return text
    }

    func members(_ name: String) throws -> [(name: String, node: Node)] {
        guard let node = self[name] else { return [] }
        guard let mapping = node.mapping else {
            throw HistoryMappingError(node, "\(name) must be an object with names and values")
        }
        return mapping.map { ($0.key.string ?? "", $0.value) }
    }
}
