internal import CensusCore

/// Which of the names in a mapping occur in an export.
package struct MappingUse: Sendable {
    /// Where records are expected to have the same properties.
    enum Scope: Hashable, Sendable {
        /// The tool's own fields.
        case record
        /// All records with the event's name.
        case event(String)
        /// Those that one of the event's meanings applies to.
        case meaning(String, Int)
    }

    /// A property that the mapping names, and as what.
    struct Expected: Hashable, Sendable {
        var path: RecordPath
        var field: String
    }

    private struct Seen {
        var found: Set<RecordPath> = []
        /// Of properties, for suggestions.
        var names: Set<String> = []
        /// How many records gave their names.
        var described = 0
    }

    /// More names are not kept, because a record can have any number.
    private static let mostNames = 300
    /// Of these records the names are read, in each part of an export.
    private static let mostDescribed = 20

    private var seen: [Scope: Seen] = [:]
    /// The app's names for widgets that the mapping translates.
    private var translated: Set<String> = []
    /// Its other names.
    private var others: Set<String> = []

    package init() {}

    /// Adds what another part of the export has.
    package mutating func add(_ other: MappingUse) {
        for (scope, more) in other.seen {
            seen[scope, default: Seen()].found.formUnion(more.found)
            seen[scope]?.names.take(more.names, upTo: Self.mostNames)
        }
        translated.formUnion(other.translated)
        others.take(other.others, upTo: Self.mostNames)
    }

    /// - Parameter columns: of the record's table; none for JSON. An empty field of a table looks like a missing one.
    mutating func note(
        _ scope: Scope, _ record: RecordValue, columns: () -> [String], expecting expected: [Expected]
    ) {
        guard !expected.isEmpty else { return }
        var seen = self.seen[scope] ?? Seen()
        let missing = expected.filter { expected in
            guard !seen.found.contains(expected.path) else { return false }
            guard record.has(expected.path) || columns().contains(expected.path.description) else { return true }
            seen.found.insert(expected.path)
            return false
        }
        if !missing.isEmpty, seen.described < Self.mostDescribed {
            seen.described += 1
            seen.names.take(Set(record.paths()), upTo: Self.mostNames)
            seen.names.take(Set(columns()), upTo: Self.mostNames)
        }
        self.seen[scope] = seen
    }

    mutating func note(names: Set<String>, translating known: [String: HistoryMapping.Named]) {
        for name in names {
            if known[name] != nil {
                translated.insert(name)
            } else if others.count < Self.mostNames {
                others.insert(name)
            }
        }
    }

    /// - Returns: a sentence for each name that the mapping has and the export lacks.
    package func remarks(on translator: HistoryTranslator) -> [String] {
        var remarks: [String] = []
        for (scope, expected) in translator.expected {
            guard let seen = seen[scope] else { continue }
            let used = Set(expected.map(\.path.description))
            for missing in expected where !seen.found.contains(missing.path) {
                let place =
                    switch scope {
                    case .record: "fields"
                    case .event(let name), .meaning(let name, _): String(name.prefix(60))
                    }
                let name = missing.path.description
                remarks.append(
                    "\(place): no record has `\(name)` (\(missing.field))"
                        + name.suggestion(among: seen.names.subtracting(used)))
            }
        }
        guard !translated.isEmpty || !others.isEmpty else { return remarks.sorted() }
        for name in translator.translatedNames.subtracting(translated) {
            remarks.append("kinds: no record names `\(name)`" + name.suggestion(among: others))
        }
        return Set(remarks).sorted()
    }
}

extension Set {
    /// Adds elements while there are fewer than the limit.
    fileprivate mutating func take(_ more: Set, upTo limit: Int) {
        for element in more where count < limit { insert(element) }
    }
}

extension String {
    fileprivate func suggestion(among names: Set<String>) -> String {
        // Sorted, so that two runs say the same.
        nearest(among: names.sorted()).map { "; did you mean `\($0)`?" } ?? ""
    }
}

extension HistoryMapping.Event {
    /// The properties that all its records are expected to have, at least once in an export.
    var expected: [MappingUse.Expected] {
        var named: [(String, RecordPath?)] = [("error", error)]
        switch meaning {
        case .opened: break
        case .change(_, let widget):
            named += [
                ("kind", widget.kind.path), ("family", widget.family?.path), ("intent", widget.intent?.path),
                ("configuration", widget.configuration?.path), ("instance", widget.instance?.path),
            ]
        case .list(let path, _, _): named.append(("list", path))
        case .counts(let path, _): named.append(("counts", path))
        case .flags(let flags): named += flags.values.map { ("flags", $0.path) }
        }
        return named.compactMap { field, path in path.map { .init(path: $0, field: field) } }
    }
}

extension HistoryMapping.Source {
    fileprivate var path: RecordPath? {
        guard case .property(let path) = self else { return nil }
        return path
    }
}
