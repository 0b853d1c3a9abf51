/// What one version of an app ships: its widget kinds, with the families that each offers and the intent that configures it.
///
/// Spelled in a file by docs/reference/manifest.schema.json, read by ``ManifestReader``.
public struct Manifest: Hashable, Sendable {
    @Bytewise public var appID: String
    @Bytewise public var appVersion: String
    /// By surface and name, each pair once.
    public let kinds: [Kind]

    /// - Parameter kinds: in any order; of two with the same surface and name, the first stays.
    public init(appID: String, appVersion: String, kinds: [Kind]) {
        self.appID = appID
        self.appVersion = appVersion
        var seen: Set<Kind.ID> = []
        self.kinds = kinds.filter { seen.insert($0.id).inserted }.sorted { $0.id < $1.id }
    }

    /// One widget kind as a version ships it.
    public struct Kind: Hashable, Sendable {
        public let id: ID
        /// By name, each once; nil when the manifest does not say, which means any. Empty: it offers none, as with a kind that
        /// hides from the gallery.
        public let families: [Text]?
        /// The class name of the configuration intent; nil for a static configuration.
        @Bytewise public var intent: String?
        /// The intents whose stored settings ``intent`` takes over (`CustomIntentMigratedAppIntent`), by name.
        public let migratesFrom: [Text]
        /// The kind that this one is offered instead of.
        @Bytewise public var replaces: String?

        public init(
            _ kind: String, surface: Surface = .widget, families: [String]? = nil, intent: String? = nil,
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
    /// Which kind: names repeat on other surfaces.
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

        /// For people: the surface only where it is not the usual one.
        public var description: String { surface == .widget ? kind.text : "\(kind.text) (\(surface.rawValue))" }
    }
}

extension Manifest {
    /// The manifest in one spelling: equal manifests have equal bytes.
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

    /// How another manifest of the same version differs from this one, in sentences; empty when they are equal.
    public func differences(from stored: Manifest) -> [String] {
        let before = Dictionary(uniqueKeysWithValues: stored.kinds.map { ($0.id, $0) })
        let after = Dictionary(uniqueKeysWithValues: kinds.map { ($0.id, $0) })
        let gone = stored.kinds.filter { after[$0.id] == nil }.map { "\($0.id) is in the stored one only" }
        let changed = kinds.flatMap { kind in
            before[kind.id].map { kind.differences(from: $0) } ?? ["\(kind.id) is in the new one only"]
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
            json.member("intent", intent)
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
            if !before.hasBytes(of: after) { found.append("\(id): `\(field)` was \(before), and is \(after)") }
        }
        compare("families", list(stored.families), list(families))
        compare("intent", stored.intent ?? "null", intent ?? "null")
        compare("migrates_from", list(stored.migratesFrom), list(migratesFrom))
        compare("replaces", stored.replaces ?? "null", replaces ?? "null")
        return found
    }
}
