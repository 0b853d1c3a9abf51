/// What is wrong with a manifest, and what to do about it.
public struct ManifestProblem: Hashable, Sendable, CustomStringConvertible {
    /// RFC 6901: the place in the file; empty for the whole.
    public var pointer: String
    /// A sentence that names the field. It quotes names of fields, never values.
    public var message: String

    public init(pointer: String, message: String) {
        self.pointer = pointer
        self.message = message
    }

    public var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}

/// Why a file is not a manifest: every problem that was found, in its order.
public struct ManifestError: Error, Hashable, Sendable {
    public var problems: [ManifestProblem]
    /// Not JSON at all: there is one problem.
    public var isMalformed = false
}

/// Reads manifests strictly: an unknown field is refused, since a misspelled `families` would drop all of them.
public struct ManifestReader: Sendable {
    /// Bytes of a file.
    public static let bytes = 1 << 20
    public static let kinds = 1_000
    /// Families of a kind, and intents that it migrates from.
    public static let names = 100
    /// Problems that are reported: a thousand kinds may share one.
    static let problems = 100

    private let document: JSONDocument
    private let limits = Limits()
    private var found: [ManifestProblem] = []

    /// - Throws: ``ManifestError`` with every problem.
    public static func read(_ bytes: [UInt8]) throws(ManifestError) -> Manifest {
        guard bytes.count <= ManifestReader.bytes else {
            throw ManifestError(problems: [.init(pointer: "", message: "the manifest is larger than 1 MiB")])
        }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes)
        } catch {
            let error = EnvelopeError(error)
            throw ManifestError(problems: [.init(pointer: error.pointer, message: error.message)], isMalformed: true)
        }
        var reader = ManifestReader(document: document)
        let manifest = reader.manifest()
        guard let manifest, reader.found.isEmpty else { throw ManifestError(problems: reader.reported) }
        return manifest
    }

    private init(document: JSONDocument) { self.document = document }

    private var reported: [ManifestProblem] {
        let rest = found.count - ManifestReader.problems
        guard rest > 0 else { return found }
        return found.prefix(ManifestReader.problems)
            + [.init(pointer: "", message: "there are \(rest) more problems")]
    }

    private mutating func report(_ pointer: String, _ message: String) {
        found.append(ManifestProblem(pointer: pointer, message: message))
    }

    private mutating func manifest() -> Manifest? {
        guard let root = object(at: JSONDocument.root, "the manifest", "", fields: ["app", "kinds"]) else { return nil }
        let app = root["app"].flatMap { object(at: $0, "`app`", "/app", fields: ["id", "version"]) }
        if root["app"] == nil { report("", "`app` is missing: {\"id\": …, \"version\": …}") }
        let id = app.flatMap { string("id", of: $0, "/app", "the bundle id or package name") }
        let version = app.flatMap { string("version", of: $0, "/app", "the version that ships these kinds") }
        let kinds = kinds(root["kinds"])
        guard let id, let version, let kinds else { return nil }
        return Manifest(appID: id, appVersion: version, kinds: kinds)
    }

    private mutating func kinds(_ index: JSONDocument.Index?) -> [Manifest.Kind]? {
        guard let index else {
            report("", "`kinds` is missing: a list, empty if the version ships no widget")
            return nil
        }
        guard document.kind(at: index) == .array else {
            report("/kinds", "`kinds` must be a list")
            return nil
        }
        let elements = document.elements(of: index)
        guard elements.count <= ManifestReader.kinds else {
            report("/kinds", "`kinds` has \(elements.count) entries; there may be \(ManifestReader.kinds)")
            return nil
        }
        var places: [Manifest.Kind.ID: Int] = [:]
        var kinds: [Manifest.Kind] = []
        for (place, element) in elements.enumerated() {
            guard let kind = kind(at: element, "/kinds/\(place)") else { continue }
            if let first = places.updateValue(place, forKey: kind.id) {
                places[kind.id] = first
                report("/kinds/\(place)/kind", "`kind` repeats /kinds/\(first) on the same surface: merge the two")
            }
            kinds.append(kind)
        }
        return kinds
    }

    private mutating func kind(at index: JSONDocument.Index, _ pointer: String) -> Manifest.Kind? {
        let fields = ["kind", "surface", "families", "intent", "migrates_from", "replaces"]
        guard let members = object(at: index, "a kind", pointer, fields: fields) else { return nil }
        let name = string("kind", of: members, pointer, "the widget's kind string")
        let surface = surface(members["surface"], pointer)
        let families = names("families", of: members, pointer, "families, such as systemSmall")
        let intent = optionalString("intent", of: members, pointer)
        let migratesFrom = names("migrates_from", of: members, pointer, "the class names of former intents")
        let replaces = optionalString("replaces", of: members, pointer)
        if migratesFrom?.isEmpty == false, isAbsent("intent", of: members) {
            report(
                "\(pointer)/migrates_from", "`migrates_from` needs an `intent` that takes the settings over: name it")
        }
        if let intent, let place = migratesFrom?.firstIndex(where: { $0.hasBytes(of: intent) }) {
            report(
                "\(pointer)/migrates_from/\(place)", "`migrates_from` names the kind's own `intent`: leave it out")
        }
        if let name, let replaces, name.hasBytes(of: replaces) {
            report(
                "\(pointer)/replaces", "`replaces` names the kind itself: name the kind it replaces")
        }
        guard let name, let surface else { return nil }
        return Manifest.Kind(
            name, surface: surface, families: families, intent: intent, migratesFrom: migratesFrom ?? [],
            replaces: replaces)
    }

    private mutating func surface(_ index: JSONDocument.Index?, _ pointer: String) -> Surface? {
        guard let index, document.kind(at: index) != .null else { return .widget }
        if let surface = document.string(at: index).flatMap(Surface.init) { return surface }
        let all = Surface.allCases.map(\.rawValue).joined(separator: ", ")
        let nearest = document.string(at: index)?.nearest(among: Surface.allCases.map(\.rawValue))
        report(
            "\(pointer)/surface", "`surface` must be one of \(all)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
        return nil
    }

    /// The members of an object: each must be one of the fields, given once.
    private mutating func object(
        at index: JSONDocument.Index, _ name: String, _ pointer: String, fields: [String]
    ) -> [String: JSONDocument.Index]? {
        guard document.kind(at: index) == .object else {
            report(pointer, "\(name) must be an object")
            return nil
        }
        var members: [String: JSONDocument.Index] = [:]
        for (key, value) in document.members(of: index) {
            let field = document.string(at: key) ?? ""
            let place = "\(pointer)/\(JSONPointer.escaped(field))"
            guard fields.contains(where: { $0.hasBytes(of: field) }) else {
                let advice =
                    field.nearest(among: fields).map { "did you mean `\($0)`?" }
                    ?? "there are \(fields.map { "`\($0)`" }.joined(separator: ", "))"
                report(place, "unknown field; \(advice)")
                continue
            }
            if members[field] != nil {
                report(place, "`\(field)` is given twice: keep one")
            } else {
                members[field] = value
            }
        }
        return members
    }

    private func isAbsent(_ field: String, of members: [String: JSONDocument.Index]) -> Bool {
        members[field].map { document.kind(at: $0) == .null } ?? true
    }

    private mutating func string(
        _ field: String, of members: [String: JSONDocument.Index], _ pointer: String, _ meaning: String
    ) -> String? {
        guard let index = members[field] else {
            report(pointer, "`\(field)` is missing: \(meaning)")
            return nil
        }
        return text(at: index, field, "\(pointer)/\(field)")
    }

    private mutating func optionalString(
        _ field: String, of members: [String: JSONDocument.Index], _ pointer: String
    ) -> String? {
        guard let index = members[field], document.kind(at: index) != .null else { return nil }
        return text(at: index, field, "\(pointer)/\(field)")
    }

    private mutating func text(at index: JSONDocument.Index, _ field: String, _ pointer: String) -> String? {
        guard let text = document.string(at: index), !text.isEmpty else {
            report(pointer, "`\(field)` must be a string that is not empty")
            return nil
        }
        guard !text.holdsNull else {
            report(pointer, "`\(field)` holds U+0000: leave it out")
            return nil
        }
        guard text.fits(limits) else {
            report(pointer, "`\(field)` is longer than \(limits.ofStrings)")
            return nil
        }
        return text
    }

    private mutating func names(
        _ field: String, of members: [String: JSONDocument.Index], _ pointer: String, _ meaning: String
    ) -> [String]? {
        guard let index = members[field], document.kind(at: index) != .null else { return nil }
        let place = "\(pointer)/\(field)"
        guard document.kind(at: index) == .array else {
            report(place, "`\(field)` must be a list: \(meaning)")
            return nil
        }
        let elements = document.elements(of: index)
        guard elements.count <= ManifestReader.names else {
            report(place, "`\(field)` has \(elements.count) entries; there may be \(ManifestReader.names)")
            return nil
        }
        var seen: Set<Text> = []
        var names: [String] = []
        for (position, element) in elements.enumerated() {
            guard let name = text(at: element, field, "\(place)/\(position)") else { continue }
            if !seen.insert(Text(name)).inserted {
                report("\(place)/\(position)", "`\(field)` lists this twice: keep one")
            }
            names.append(name)
        }
        return names
    }
}
