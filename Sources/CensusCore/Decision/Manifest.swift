/// The widget kinds that one version of an app ships, with each kind's families and configuration intent.
///
/// docs/reference/manifest.schema.json defines the file format, and ``ManifestReader`` reads it.
public struct Manifest: Hashable, Sendable {
    @Bytewise public var appID: String
    @Bytewise public var appVersion: String
    /// Ordered by surface and name; each pair once.
    public let kinds: [Kind]

    /// - Parameter kinds: in any order; of two with the same surface and name, the first is kept.
    public init(appID: String, appVersion: String, kinds: [Kind]) {
        self.appID = appID
        self.appVersion = appVersion
        var seen: Set<Kind.ID> = []
        self.kinds = kinds.filter { seen.insert($0.id).inserted }.sorted { $0.id < $1.id }
    }

    /// One widget kind as a version ships it.
    public struct Kind: Hashable, Sendable {
        public let id: ID
        /// Sorted by name, each once. Nil: the manifest doesn't say, so any. Empty: the kind offers none, such as one that
        /// hides from the gallery.
        public let families: [Text]?
        public let intent: Intent
        /// The intents whose stored settings ``intent`` migrates (`CustomIntentMigratedAppIntent`), sorted by name.
        public let migratesFrom: [Text]
        /// The kind that this one replaces.
        @Bytewise public var replaces: String?

        public init(
            _ kind: String, surface: Surface = .widget, families: [String]? = nil, intent: Intent = .unstated,
            migratesFrom: [String] = [], replaces: String? = nil
        ) {
            self.id = ID(surface: surface, kind: Text(kind))
            self.families = families.map { Set($0.map { Text($0) }).sorted() }
            self.intent = intent
            self.migratesFrom = Set(migratesFrom.map { Text($0) }).sorted()
            self.replaces = replaces
        }

        public var surface: Surface { id.surface }
        public var name: String { id.kind.text }
    }
}

extension Manifest.Kind {
    /// The class of the configuration intent, as far as the manifest states it.
    public enum Intent: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The manifest doesn't say, so any, or none.
        case unstated
        /// A static configuration: there is none.
        case `static`
        case named(Text)

        /// - Parameter name: the class name; nil for a static configuration.
        public init(_ name: String?) { self = name.map { .named(Text($0)) } ?? .static }

        public init(stringLiteral name: String) { self = .named(Text(name)) }

        /// The class name, if one is stated.
        public var name: String? {
            guard case .named(let name) = self else { return nil }
            return name.text
        }
    }

    /// A kind's surface and name; surfaces can share names.
    public struct ID: Hashable, Comparable, Sendable, Decodable, CustomStringConvertible {
        public var surface: Surface
        public var kind: Text

        public init(surface: Surface, kind: Text) {
            self.surface = surface
            self.kind = kind
        }

        public static func < (left: ID, right: ID) -> Bool {
            (left.surface, left.kind) < (right.surface, right.kind)
        }

        /// For people, without the surface if it is `widget`.
        public var description: String { surface == .widget ? kind.text : "\(kind.text) (\(surface.rawValue))" }
    }
}

extension Manifest {
    /// The manifest in canonical form: equal manifests have equal bytes.
    public var canonical: [UInt8] {
        var json = JSONBuilder()
        json.object { json in
            json.member("app") { json in
                json.object { json in
                    json.member("id", appID)
                    json.member("version", appVersion)
                }
            }
            json.member("kinds") { json in
                json.array(kinds) { json, kind in kind.write(to: &json) }
            }
        }
        return json.bytes
    }

    /// How this manifest differs from the stored one of the same version, one sentence a difference.
    ///
    /// An unstated intent doesn't differ from a static one, because it meant that when older manifests were stored.
    public func differences(from stored: Manifest) -> [String] {
        let before = Dictionary(uniqueKeysWithValues: stored.kinds.map { ($0.id, $0) })
        let after = Dictionary(uniqueKeysWithValues: kinds.map { ($0.id, $0) })
        let gone = stored.kinds.filter { after[$0.id] == nil }.map { "\($0.id) is only in the stored manifest" }
        let changed = kinds.flatMap { kind in
            before[kind.id].map { kind.differences(from: $0) } ?? ["\(kind.id) is only in the new manifest"]
        }
        return gone + changed
    }
}

extension Manifest.Kind {
    fileprivate func write(to json: inout JSONBuilder) {
        json.object { json in
            json.member("kind", name)
            json.member("surface", surface.rawValue)
            if let families { json.member("families", families.map(\.text)) }
            if intent != .unstated { json.member("intent", intent.name) }
            json.member("migrates_from", migratesFrom.map(\.text))
            json.member("replaces", replaces)
        }
    }

    fileprivate func differences(from stored: Manifest.Kind) -> [String] {
        func list(_ names: [Text]?) -> String {
            names.map { $0.isEmpty ? "none" : $0.map(\.text).joined(separator: ", ") } ?? "any"
        }
        var found: [String] = []
        func compare(_ field: String, _ before: String, _ after: String) {
            if !before.hasBytes(of: after) { found.append("\(id): `\(field)` was \(before) and is now \(after)") }
        }
        compare("families", list(stored.families), list(families))
        if intent != .unstated || stored.intent != .static {
            compare("intent", stored.intent.inWords, intent.inWords)
        }
        compare("migrates_from", list(stored.migratesFrom), list(migratesFrom))
        compare("replaces", stored.replaces ?? "null", replaces ?? "null")
        return found
    }
}

extension Manifest.Kind.Intent {
    fileprivate var inWords: String {
        switch self {
        case .unstated: "not stated"
        case .static: "null"
        case .named(let name): name.text
        }
    }
}
