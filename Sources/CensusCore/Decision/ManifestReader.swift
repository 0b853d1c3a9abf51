/// One thing that is wrong with a manifest, and how to fix it.
public struct ManifestProblem: Hashable, Sendable, CustomStringConvertible {
    /// The place in the file (RFC 6901); empty for the whole file.
    public var pointer: String
    /// A sentence that names the field. It quotes field names, never values.
    public var message: String

    public init(pointer: String, message: String) {
        self.pointer = pointer
        self.message = message
    }

    public var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}

/// Why a file is not a manifest: every problem found, in file order.
public struct ManifestError: Error, Hashable, Sendable {
    public var problems: [ManifestProblem]
    /// Whether it isn't JSON at all. There is one problem then.
    public var isMalformed = false
}

/// Reads manifests strictly. It rejects unknown fields, because a misspelled `families` would drop all of them.
public struct ManifestReader: Sendable {
    /// The largest file, in bytes.
    public static let bytes = 1 << 20
    public static let kinds = 1_000
    /// The most families of a kind, and the most intents it migrates from.
    public static let names = 100
    /// The most problems reported: a thousand kinds might share one.
    static let problems = 100

    private let document: JSONDocument
    private static let limits = Limits()
    private var found: [ManifestProblem] = []
    /// How many more problems there are.
    private var more = 0

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
        guard more > 0 else { return found }
        return found + [
            .init(pointer: "", message: "there \(more == 1 ? "is" : "are") \(more.counted("more problem"))")
        ]
    }

    /// Past ``problems`` it only counts them, because finding the nearest valid name costs more than reading one.
    private mutating func report(_ pointer: @autoclosure () -> String, _ message: @autoclosure () -> String) {
        guard found.count < ManifestReader.problems else {
            more += 1
            return
        }
        found.append(ManifestProblem(pointer: pointer(), message: message()))
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
            report("", "`kinds` is missing: a list, empty if the version ships no widgets")
            return nil
        }
        guard document.kind(at: index) == .array else {
            report("/kinds", "`kinds` must be a list")
            return nil
        }
        let elements = document.elements(of: index)
        guard elements.count <= ManifestReader.kinds else {
            report("/kinds", "`kinds` has \(elements.count) entries; the limit is \(ManifestReader.kinds)")
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
        let stated: Manifest.Kind.Intent = members["intent"] == nil ? .unstated : .init(intent)
        let migratesFrom = names("migrates_from", of: members, pointer, "the class names of former intents")
        let replaces = optionalString("replaces", of: members, pointer)
        if migratesFrom?.isEmpty == false, isAbsent("intent", of: members) {
            report(
                "\(pointer)/migrates_from", "`migrates_from` needs an `intent` to migrate the settings to: name it")
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
            name, surface: surface, families: families, intent: stated,
            migratesFrom: migratesFrom ?? [], replaces: replaces)
    }

    private mutating func surface(_ index: JSONDocument.Index?, _ pointer: String) -> Surface? {
        guard let index, document.kind(at: index) != .null else { return .widget }
        if let surface = document.string(at: index).flatMap(Surface.init) { return surface }
        let sent = document.string(at: index)
        report("\(pointer)/surface", ManifestReader.surfaces(insteadOf: sent))
        return nil
    }

    private static func surfaces(insteadOf name: String?) -> String {
        let all = Surface.allCases.map(\.rawValue)
        let nearest = name?.nearest(among: all).map { "; did you mean \($0)?" } ?? ""
        return "`surface` must be one of \(all.joined(separator: ", "))" + nearest
    }

    /// The members of an object. Each must be one of the fields, given once.
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
            guard fields.contains(where: { $0.hasBytes(of: field) }) else {
                report(
                    "\(pointer)/\(JSONPointer.escaped(field))",
                    "unknown field; \(ManifestReader.advice(on: field, among: fields))")
                continue
            }
            if members[field] != nil {
                report("\(pointer)/\(field)", "`\(field)` is given twice: keep one")
            } else {
                members[field] = value
            }
        }
        return members
    }

    private static func advice(on field: String, among fields: [String]) -> String {
        field.nearest(among: fields).map { "did you mean `\($0)`?" }
            ?? "the fields are \(fields.map { "`\($0)`" }.joined(separator: ", "))"
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
            report(pointer, "`\(field)` must be a non-empty string")
            return nil
        }
        guard !text.holdsNull else {
            report(pointer, "`\(field)` contains U+0000: remove it")
            return nil
        }
        guard text.fits(ManifestReader.limits) else {
            report(pointer, "`\(field)` is longer than \(ManifestReader.limits.ofStrings)")
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
            report(place, "`\(field)` has \(elements.count) entries; the limit is \(ManifestReader.names)")
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
