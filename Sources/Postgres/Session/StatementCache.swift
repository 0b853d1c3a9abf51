/// The statements prepared on one connection. The least recently used one is dropped first.
///
/// The key is the statement's text and the types of its parameters. A NULL has no type and matches any; otherwise each pattern
/// of NULLs would be prepared separately.
struct StatementCache {
    private struct Entry {
        var name: String
        var types: [PostgresType?]
        var lastUse: Int
    }

    private let capacity: Int
    private var entries: [String: [Entry]] = [:]
    private(set) var count = 0
    private var uses = 0
    private var names = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    /// - Parameter types: one for each parameter, nil for NULL.
    /// - Returns: the name on the server.
    mutating func find(_ text: String, _ types: [PostgresType?]) -> String? {
        guard
            let index = entries[text]?.firstIndex(where: { entry in
                entry.types.count == types.count && zip(types, entry.types).allSatisfy { $0 == nil || $0 == $1 }
            })
        else { return nil }
        uses += 1
        entries[text]?[index].lastUse = uses
        return entries[text]?[index].name
    }

    /// A name not used before on this connection.
    mutating func nextName() -> String {
        names += 1
        return "s\(names)"
    }

    mutating func insert(_ text: String, _ types: [PostgresType?], name: String) {
        uses += 1
        entries[text, default: []].append(Entry(name: name, types: types, lastUse: uses))
        count += 1
    }

    mutating func remove(_ name: String, of text: String) {
        guard let index = entries[text]?.firstIndex(where: { $0.name == name }) else { return }
        entries[text]?.remove(at: index)
        if entries[text]?.isEmpty == true { entries[text] = nil }
        count -= 1
    }

    /// Removes the least recently used statement if the cache is full.
    ///
    /// - Returns: its name, to be deallocated on the server.
    mutating func makeRoom() -> String? {
        guard count >= capacity else { return nil }
        let all = entries.lazy.flatMap { text, entries in entries.lazy.map { (text, $0.name, $0.lastUse) } }
        guard let (text, name, _) = all.min(by: { $0.2 < $1.2 }) else { return nil }
        remove(name, of: text)
        return name
    }
}
