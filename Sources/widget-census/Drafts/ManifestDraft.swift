internal import CensusCore

/// A manifest guessed from a project or from devices, with the origin of each value.
struct ManifestDraft {
    /// A kind as one place gives it.
    struct Entry {
        var id: Manifest.Kind.ID
        /// Nil if not known.
        var families: Set<String>?
        var intent: Manifest.Kind.Intent
        var migratesFrom: [String] = []
        /// Says where it was found, and for each value how.
        var origin: String
        var remarks: [String] = []
    }

    /// A value of the whole app with its origin.
    struct Value {
        var text: String
        var origin: String
    }

    var app: Value?
    var version: Value?
    private(set) var entries: [Entry] = []
    /// What could not be found out, one sentence each.
    private(set) var gaps: [String] = []

    mutating func lacks(_ sentence: String) { gaps.append(sentence) }

    /// Adds what one place says of a kind. Where two places differ, the manifest says what can be either.
    mutating func add(_ entry: Entry) {
        guard !entry.id.kind.text.isEmpty else { return lacks("\(entry.origin): the kind is an empty string") }
        guard let position = entries.firstIndex(where: { $0.id == entry.id }) else {
            entries.append(entry)
            return
        }
        var merged = entries[position]
        merged.origin += ", \(entry.origin)"
        merged.remarks += entry.remarks.filter { !merged.remarks.contains($0) }
        if let families = merged.families, let others = entry.families {
            merged.families = families.union(others)
        } else {
            merged.families = nil
        }
        merged.migratesFrom = Set(merged.migratesFrom + entry.migratesFrom).sorted()
        if merged.intent != entry.intent {
            let both = [merged.intent, entry.intent].map { $0.name ?? "no intent" }.joined(separator: " and ")
            lacks("\(merged.id): places differ about the intent: \(both) (\(merged.origin)); add the right one")
            merged.intent = .unstated
        }
        if merged.intent.name == nil { merged.migratesFrom = [] }
        entries[position] = merged
    }

    /// The manifest as JSON, with a line for each kind, so that a code host can point at it.
    ///
    /// - Throws: ``UsageError`` without an app id or a version.
    func json() throws -> String {
        guard let app, let version else {
            let missing = [
                app == nil ? "app id: give --app" : nil, version == nil ? "version: give --app-version" : nil,
            ]
            throw UsageError("found no " + missing.compactMap { $0 }.joined(separator: ", and no "))
        }
        let lines = entries.sorted { $0.id < $1.id }.map { "    {" + $0.members.joined(separator: ", ") + "}" }
        return """
            {
              "app": {"id": \(app.text.jsonQuoted), "version": \(version.text.jsonQuoted)},
              "kinds": [
            \(lines.joined(separator: ",\n"))
              ]
            }

            """
    }

    /// For people: each value with its origin, then what is missing.
    var explanation: [String] {
        let values = [("app", app), ("version", version)].compactMap { name, value in
            value.map { "\(name) \($0.text): \($0.origin)" }
        }
        let kinds = entries.sorted { $0.id < $1.id }.flatMap { entry in
            ["\(entry.id): \(entry.origin)"] + entry.remarks.map { "  \($0)" }
        }
        return values + kinds + gaps.map { "missing: \($0)" }
    }
}

extension ManifestDraft.Entry {
    fileprivate var members: [String] {
        func list(_ names: [String]) -> String { "[" + names.map(\.jsonQuoted).joined(separator: ", ") + "]" }
        var members = ["\"kind\": \(id.kind.text.jsonQuoted)"]
        if id.surface != .widget { members.append("\"surface\": \(id.surface.rawValue.jsonQuoted)") }
        if let families { members.append("\"families\": \(list(families.sorted()))") }
        switch intent {
        case .unstated: break
        case .static: members.append("\"intent\": null")
        case .named(let name): members.append("\"intent\": \(name.text.jsonQuoted)")
        }
        if !migratesFrom.isEmpty { members.append("\"migrates_from\": \(list(migratesFrom))") }
        return members
    }
}
