internal import CensusCore

extension ManifestDraft {
    /// Adds the kinds of the widget configurations in Swift files.
    ///
    /// - Returns: whether there is any.
    mutating func readSwift(_ files: [ProjectFolder.File]) -> Bool {
        let sources = files.map { file in
            let bytes = file.bytes
            if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil {
                lacks("\(file.path): it is not in UTF-8, so a kind in it can be missing; add that by hand")
            }
            return SwiftSource(path: file.path, bytes: bytes)
        }
        add(sources)
        return sources.contains { $0.configurations.contains(where: \.isCall) }
    }

    mutating func add(_ sources: [SwiftSource]) {
        let values = SwiftValues(sources)
        for source in sources {
            for configuration in source.configurations where configuration.isCall {
                add(configuration, of: source, values)
            }
        }
    }

    private mutating func add(
        _ configuration: SwiftSource.Configuration, of source: SwiftSource, _ values: SwiftValues
    ) {
        let origin = "\(source.path):\(configuration.line)"
        let place = SwiftValues.Place(types: configuration.types, path: source.path)
        guard let kind = configuration.kind(place, values) else {
            let value = configuration["kind"].map { "\($0.source) is not a constant that could be followed" }
            return lacks(
                "\(origin): the kind of this \(configuration.name): \(value ?? "it has none"); add the kind by hand")
        }
        let id = Manifest.Kind.ID(surface: configuration.surface, kind: Text(kind))
        var entry = Entry(id: id, families: nil, intent: .unstated, origin: origin)
        if configuration.surface == .widget { addFamilies(to: &entry, configuration, source, place, values) }
        if configuration.surface != .liveActivity { addIntent(to: &entry, configuration, values) }
        add(entry)
    }

    private mutating func addFamilies(
        to entry: inout Entry, _ configuration: SwiftSource.Configuration, _ source: SwiftSource,
        _ place: SwiftValues.Place, _ values: SwiftValues
    ) {
        // A modifier can be applied to what a function of the same widget returns.
        let loose = configuration.types.last.flatMap { source.looseFamilies[$0] } ?? []
        let expressions = configuration.families.isEmpty ? loose : configuration.families
        guard !expressions.isEmpty else {
            entry.remarks.append("families: not stated, because there is no supportedFamilies")
            return
        }
        let families = SwiftFamilies(expressions, place, values)
        if families.isPartial {
            let source = expressions.map(\.source).joined(separator: " and ")
            lacks("\(entry.origin): families of \(entry.id), in \(source); add them by hand")
        }
        if !families.names.isEmpty { entry.families = families.names }
        let union = families.isUnion ? ", all that any branch of the code names" : ""
        let names = families.names.isEmpty ? "not stated" : families.names.sorted().joined(separator: ", ") + union
        entry.remarks.append("families: \(names)")
    }

    private mutating func addIntent(
        to entry: inout Entry, _ configuration: SwiftSource.Configuration, _ values: SwiftValues
    ) {
        guard configuration.isConfigurable else {
            entry.intent = .static
            entry.remarks.append("intent: null, because it is a \(configuration.name)")
            return
        }
        guard let intent = configuration.intent(values) else {
            entry.remarks.append("intent: not stated")
            return lacks(
                "\(entry.origin): the intent of \(entry.id) (\(configuration.name)); add `\"intent\": \"…\"` by hand")
        }
        entry.intent = .init(intent)
        var remark = "intent: \(intent)"
        if let former = values.text("intentClassName", of: intent), former != intent {
            entry.migratesFrom = [former]
            remark += ", which migrates from \(former)"
        }
        entry.remarks.append(remark)
    }
}

extension SwiftSource.Configuration {
    /// Whether it is a call with arguments, not a mention of the type.
    fileprivate var isCall: Bool { !arguments.isEmpty }

    fileprivate var surface: Surface {
        switch name {
        case "ActivityConfiguration": .liveActivity
        case "StaticControlConfiguration", "AppIntentControlConfiguration": .control
        default: .widget
        }
    }

    fileprivate var isConfigurable: Bool { name != "StaticConfiguration" && name != "StaticControlConfiguration" }

    fileprivate func kind(_ place: SwiftValues.Place, _ values: SwiftValues) -> String? {
        // A Live Activity has no kind; apps call it by the type of its attributes.
        if surface == .liveActivity { return self["for"].flatMap(\.typeBeforeSelf) }
        return self["kind"].flatMap { values.text($0, place) }
    }

    /// The intent's class: an argument, or what the provider declares.
    fileprivate func intent(_ values: SwiftValues) -> String? {
        if let intent = self["intent"]?.typeBeforeSelf { return intent }
        guard let provider = self["provider"]?.first?.word else { return nil }
        return values.alias(["Intent", "Configuration", "configuration"], of: provider)
    }
}

extension [SwiftToken] {
    /// The type's name in `X.self` or `Module.X.self`.
    fileprivate var typeBeforeSelf: String? {
        guard count > 2, last?.word == "self" else { return nil }
        return self[count - 3].word
    }

    /// Like the source, for messages.
    fileprivate var source: String {
        let text = map { token in
            switch token.content {
            case .word(let word): word
            case .sign(let byte): String(UnicodeScalar(byte))
            case .text: "\"…\""
            }
        }
        let whole = text.joined()
        return whole.count > 60 ? whole.prefix(60) + "…" : whole
    }
}
