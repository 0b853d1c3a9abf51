/// What decides whether an update takes a placement away. Placements with equal cells fare alike.
public struct HeldCell: Hashable, Sendable, Decodable {
    public var kind: Manifest.Kind.ID
    /// Nil if the app doesn't send it.
    @Bytewise public var family: String?
    /// Nil for a static configuration, or if the app doesn't send it.
    @Bytewise public var intent: String?
    public var platform: Platform
    /// The version on the device now.
    @Bytewise public var appVersion: String

    /// Android's widgets, and those on Today, have neither families nor intents.
    fileprivate var canHaveFamily: Bool { platform.isWidgetKit && kind.surface != .today }

    /// The family; nil if unknown, such as one past the app's cap of families.
    fileprivate var namedFamily: String? { family.flatMap { $0.hasBytes(of: Batch.other) ? nil : $0 } }

    public init(
        kind: Manifest.Kind.ID, family: String? = nil, intent: String? = nil, platform: Platform = .ios,
        appVersion: String
    ) {
        self.kind = kind
        self.family = family
        self.intent = intent
        self.platform = platform
        self.appVersion = appVersion
    }
}

/// Compares an upcoming version with what devices hold: what changes, and which cells each change takes away.
///
/// docs/guides/preflight.md lists every rule with its source.
public struct Preflight: Hashable, Sendable {
    /// A cell that a change takes away, or might take away.
    public struct Exposure: Hashable, Sendable {
        public var cell: HeldCell
        /// A position in ``changes``.
        public var change: Int
        public var certainty: Certainty
        public var isCertain: Bool { certainty == .certain }
    }

    /// How certain it is that a device loses a cell by a change.
    public enum Certainty: Hashable, Sendable {
        case certain
        /// One of the cell's changes certainly takes it, but which one isn't known: all families that its version offers are
        /// dropped.
        case oneOf
        /// The cell's family or intent is unknown.
        case open
    }

    /// Each change once, ordered by kind.
    public private(set) var changes: [PreflightChange] = []
    public private(set) var exposures: [Exposure] = []

    private let manifest: Manifest
    private let shipped: [Manifest.Kind.ID: Manifest.Kind]
    /// The kinds that each version's manifest declares.
    private let declared: [Text: [Manifest.Kind.ID: Manifest.Kind]]
    /// Those that a version or a device states.
    private let intents: [Manifest.Kind.ID: Set<Manifest.Kind.Intent>]
    private let families: [Manifest.Kind.ID: Set<Text>]
    /// Kinds that devices had or versions declared, and that the version lacks.
    private let formerly: Set<Manifest.Kind.ID>

    /// - Parameters:
    ///   - manifest: of the upcoming version.
    ///   - alive: the known manifests of versions that devices run.
    ///   - cells: everything that devices hold.
    ///   - formerly: the kinds that devices might have without having listed them lately.
    public init(
        _ manifest: Manifest, alive: [Manifest], cells: some Sequence<HeldCell>,
        formerly: Set<Manifest.Kind.ID> = []
    ) {
        self.manifest = manifest
        self.formerly = formerly.subtracting(manifest.kinds.map(\.id))
        self.shipped = manifest.kindsByID
        self.declared = Dictionary(alive.map { (Text($0.appVersion), $0.kindsByID) }) { first, _ in first }
        let cells = Set(cells)
        var intents: [Manifest.Kind.ID: Set<Manifest.Kind.Intent>] = [:]
        var families: [Manifest.Kind.ID: Set<Text>] = [:]
        for kind in alive.flatMap(\.kinds) {
            if kind.intent != .unstated { intents[kind.id, default: []].insert(kind.intent) }
            families[kind.id, default: []].formUnion(kind.families ?? [])
        }
        for cell in cells {
            if let intent = cell.intent { intents[cell.kind, default: []].insert(.init(intent)) }
            if let family = cell.namedFamily { families[cell.kind, default: []].insert(Text(family)) }
        }
        self.intents = intents
        self.families = families

        var found: [PreflightChange: [(cell: HeldCell, certainty: Certainty)]] = [:]
        for cell in cells {
            for (change, certainty) in self.losses(of: cell) { found[change, default: []].append((cell, certainty)) }
        }
        // Changes of kinds that earlier manifests declare but no device holds are listed without a loss.
        let platforms = Set(cells.map(\.platform))
        for cell in alive.flatMap({ Preflight.cells(of: $0, on: platforms) }) {
            for (change, _) in self.losses(of: cell) where found[change] == nil { found[change] = [] }
        }
        for change in unprefixed { found[change] = [] }
        let changes = found.keys.sorted()
        self.changes = changes
        self.exposures = changes.enumerated().flatMap { position, change in
            (found[change] ?? []).map { Exposure(cell: $0.cell, change: position, certainty: $0.certainty) }
        }
    }

    /// A version that drops a kind, or one of its families, and changes nothing else.
    ///
    /// - Parameters:
    ///   - kind: on every surface.
    ///   - family: nil: all of them.
    /// - Throws: ``UnknownFamily``, because of a misspelled family nobody would lose anything.
    public init(
        dropping kind: String, family: String?, of app: String, alive: [Manifest], cells: some Sequence<HeldCell>,
        formerly: Set<Manifest.Kind.ID> = []
    ) throws(UnknownFamily) {
        self.init(Manifest(appID: app, appVersion: "", kinds: []), alive: alive, cells: [])
        // Only widgets have families.
        func isMeant(_ id: Manifest.Kind.ID) -> Bool {
            id.kind.text.hasBytes(of: kind) && (family == nil ? id.surface != .liveActivity : id.surface == .widget)
        }
        let all = Set(cells).filter { isMeant($0.kind) }
        let held = all.filter { family == nil || $0.canHaveFamily }
        let ids = Set(held.map(\.kind) + (alive.flatMap(\.kinds).map(\.id) + formerly).filter(isMeant))
        changes = (ids.isEmpty ? [.init(surface: .widget, kind: Text(kind))] : ids.sorted()).map { id in
            family.map { PreflightChange(.familyDropped, id, old: $0) } ?? PreflightChange(.kindDropped, id)
        }
        exposures = held.compactMap { cell in
            guard let change = changes.firstIndex(where: { $0.kind == cell.kind }) else { return nil }
            guard let family else { return Exposure(cell: cell, change: change, certainty: .certain) }
            guard let its = cell.namedFamily else {
                // Its version's manifest can exclude the family, or leave no other.
                let offered = declared[Text(cell.appVersion)]?[cell.kind]?.families
                guard let offered else { return Exposure(cell: cell, change: change, certainty: .open) }
                guard offered.contains(Text(family)) else { return nil }
                return Exposure(cell: cell, change: change, certainty: offered.count == 1 ? .certain : .open)
            }
            return its.hasBytes(of: family) ? Exposure(cell: cell, change: change, certainty: .certain) : nil
        }
        // A device whose family isn't known could have any, and so doesn't tell that there is such a family.
        guard let family, exposures.allSatisfy({ $0.certainty == .open }) else { return }
        var known = Set(alive.flatMap(\.kinds).filter { isMeant($0.id) }.flatMap { $0.families ?? [] })
        known.formUnion(held.compactMap(\.namedFamily).map { Text($0) })
        guard !known.contains(Text(family)) else { return }
        // Before the first night nothing is known.
        let isNothingKnown = all.isEmpty && known.isEmpty
        if isNothingKnown || !exposures.isEmpty, WidgetKitFamily.names.contains(family) { return }
        throw UnknownFamily(kind: kind, family: family, known: known.sorted().map(\.text))
    }

    /// Neither a manifest nor a device has the kind in the family.
    public struct UnknownFamily: Error, Hashable, Sendable, CustomStringConvertible {
        public var kind: String
        public var family: String
        /// The kind's families; sorted.
        public var known: [String]

        public var description: String {
            let others = WidgetKitFamily.names.contains(family) ? [] : known + WidgetKitFamily.names.sorted()
            let meant = family.nearest(among: others).map { "; did you mean \($0)?" }
            let own =
                known.isEmpty
                ? "No device and no manifest names a family of it" : "It has \(known.joined(separator: ", "))"
            return "\(kind) has no family \(family)\(meant ?? ".") \(own)"
        }
    }

    /// The changes that take the cell away, and how certain each is.
    private func losses(of cell: HeldCell) -> [(PreflightChange, Certainty)] {
        // A Live Activity ends by itself within hours, so an update can't take away anything lasting.
        guard cell.kind.surface != .liveActivity else { return [] }
        guard let kind = shipped[cell.kind] else { return [(goneKind(cell), .certain)] }
        guard cell.canHaveFamily else { return [] }
        let before = declared[Text(cell.appVersion)]?[cell.kind]?.families
        if kind.families?.isEmpty == true, before?.isEmpty != true {
            return [(PreflightChange(.allFamiliesDropped, cell.kind), .certain)]
        }
        return familyLosses(of: cell, kind) + intentLosses(of: cell, kind)
    }

    private func goneKind(_ cell: HeldCell) -> PreflightChange {
        let others = manifest.kinds.filter { $0.surface == cell.kind.surface }
        let simpleName = cell.kind.kind.simpleName
        if cell.platform == .android,
            let moved = others.first(where: { $0.id.kind.simpleName.hasBytes(of: simpleName) })
        {
            return PreflightChange(.providerMoved, cell.kind, new: moved.name)
        }
        if let replacement = others.first(where: { $0.replaces.hasBytes(of: cell.kind.kind.text) }) {
            return PreflightChange(.kindRenamed, cell.kind, new: replacement.name)
        }
        return PreflightChange(.kindDropped, cell.kind)
    }

    private func familyLosses(of cell: HeldCell, _ kind: Manifest.Kind) -> [(PreflightChange, Certainty)] {
        // An empty list gets here only if it was empty before.
        guard let offered = kind.families, !offered.isEmpty else { return [] }
        if let family = cell.namedFamily {
            guard !offered.contains(Text(family)) else { return [] }
            return [(PreflightChange(.familyDropped, cell.kind, old: family), .certain)]
        }
        // The cell can be of any family that its version offers.
        let its = declared[Text(cell.appVersion)]?[cell.kind]?.families.map(Set.init)
        let may = its ?? families[cell.kind] ?? []
        guard !may.isEmpty else { return [(PreflightChange(.familyUnknown, cell.kind), .open)] }
        let gone = may.subtracting(offered).sorted()
        let certainty: Certainty = its == nil || gone.count < may.count ? .open : gone.count == 1 ? .certain : .oneOf
        return gone.map { (PreflightChange(.familyDropped, cell.kind, old: $0.text), certainty) }
    }

    private func intentLosses(of cell: HeldCell, _ kind: Manifest.Kind) -> [(PreflightChange, Certainty)] {
        guard kind.intent != .unstated else { return [] }
        let declared = declared[Text(cell.appVersion)]?[cell.kind]?.intent ?? .unstated
        let its = cell.intent.map { Manifest.Kind.Intent($0) } ?? declared
        guard its == .unstated else { return intentChange(from: its, kind).map { [($0, .certain)] } ?? [] }
        // Neither the device nor its version's manifest says, so assume the intents of other versions.
        guard let likely = intents[cell.kind] else {
            guard let intent = kind.intent.name else { return [] }
            return [(PreflightChange(.intentUnknown, cell.kind, new: intent), .open)]
        }
        return likely.compactMap { intentChange(from: $0, kind).map { ($0, .open) } }
    }

    private func intentChange(from held: Manifest.Kind.Intent, _ kind: Manifest.Kind) -> PreflightChange? {
        switch (held, kind.intent) {
        case (.unstated, _), (_, .unstated), (.static, .static): nil
        case (.static, .named(let new)): PreflightChange(.intentAdded, kind.id, new: new.text)
        case (.named(let old), .static): PreflightChange(.intentDropped, kind.id, old: old.text)
        case (.named(let old), .named(let new)):
            old == new || kind.migratesFrom.contains(old)
                ? nil : PreflightChange(.intentChanged, kind.id, old: old.text, new: new.text)
        }
    }

    /// New intents with a single word as a name. Intents that have shipped are exempt: renaming one would lose every widget.
    private var unprefixed: [PreflightChange] {
        manifest.kinds.compactMap { kind in
            guard let intent = kind.intent.name, intent.isSingleWord, intents[kind.id]?.contains(kind.intent) != true
            else { return nil }
            return PreflightChange(.unprefixedIntent, kind.id, new: intent)
        }
    }

    /// The cells that a device with the manifest's version can hold.
    private static func cells(of manifest: Manifest, on platforms: Set<Platform>) -> [HeldCell] {
        (platforms.isEmpty ? [.ios] : platforms).flatMap { platform in
            manifest.kinds.flatMap { kind -> [HeldCell] in
                let families: [String?] = kind.families.map { $0.map(\.text) } ?? [nil]
                return families.map { family in
                    HeldCell(
                        kind: kind.id, family: family, intent: kind.intent.name, platform: platform,
                        appVersion: manifest.appVersion)
                }
            }
        }
    }
}

extension Preflight {
    /// The surfaces from which changes might take something away, and whose placements are known by a list.
    public var surfacesToKnow: [Surface] {
        [.widget, .control].filter { surface in
            changes.contains { $0.rule.isLossy && $0.kind.surface == surface } || former(on: surface) != nil
        }
    }

    /// A kind that the version lacks and no change names, because no device is known to have it. Devices that send no list might.
    func former(on surface: Surface) -> Manifest.Kind.ID? {
        formerly.filter { id in id.surface == surface && !changes.contains { $0.kind == id } }.min()
    }
}

extension Manifest {
    fileprivate var kindsByID: [Kind.ID: Kind] { Dictionary(uniqueKeysWithValues: kinds.map { ($0.id, $0) }) }
}

/// One difference between what devices hold and what an upcoming version ships.
public struct PreflightChange: Hashable, Comparable, Sendable {
    public var rule: PreflightRule
    public var kind: Manifest.Kind.ID
    @Bytewise public var old: String?
    @Bytewise public var new: String?

    public init(_ rule: PreflightRule, _ kind: Manifest.Kind.ID, old: String? = nil, new: String? = nil) {
        self.rule = rule
        self.kind = kind
        self.old = old
        self.new = new
    }

    public static func < (left: PreflightChange, right: PreflightChange) -> Bool {
        if left.kind != right.kind { return left.kind < right.kind }
        if left.rule != right.rule { return left.rule.position < right.rule.position }
        if !left.old.hasBytes(of: right.old) { return left.old.precedesByBytes(right.old) }
        return left.new.precedesByBytes(right.new)
    }

    /// The input of a finding's fingerprint: the change itself, without its wording or its numbers.
    public func identity(app: String) -> [UInt8] {
        var json = JSONBuilder()
        json.array([rule.rawValue, app, kind.surface.rawValue, kind.kind.text, old, new]) { $0.value($1) }
        return json.bytes
    }
}

/// The rules of docs/guides/preflight.md, in the order of a kind's findings.
public enum PreflightRule: String, Hashable, Sendable, CaseIterable {
    case kindDropped = "kind_dropped"
    case kindRenamed = "kind_renamed"
    case providerMoved = "provider_moved"
    case allFamiliesDropped = "all_families_dropped"
    case familyDropped = "family_dropped"
    /// The family that devices hold isn't known.
    case familyUnknown = "family_unknown"
    case intentChanged = "intent_changed"
    case intentDropped = "intent_dropped"
    case intentAdded = "intent_added"
    /// The intent that devices hold isn't known.
    case intentUnknown = "intent_unknown"
    case unprefixedIntent = "unprefixed_intent"

    fileprivate var position: Int { PreflightRule.allCases.prefix { $0 != self }.count }
}

extension Text {
    /// The name of a class without its package and its enclosing class.
    fileprivate var simpleName: String {
        text.lastIndex { $0 == "." || $0 == "$" }.map { String(text[text.index(after: $0)...]) } ?? text
    }
}

extension String {
    /// Whether it is one capitalized word, such as City.
    fileprivate var isSingleWord: Bool {
        guard let first = unicodeScalars.first, first.properties.isUppercase else { return false }
        return unicodeScalars.dropFirst().allSatisfy { $0.properties.isLowercase }
    }
}
