internal import Postgres

/// The kinds and families that an app was seen to use: what the caps count.
package struct KnownNames: Hashable, Sendable {
    package var kinds: Set<String> = []
    package var families: Set<String> = []

    package init() {}

    package var isEmpty: Bool { kinds.isEmpty && families.isEmpty }
}

extension Store {
    package func knownNames(appNumber: Int32) async throws(StoreError) -> KnownNames {
        do {
            var names = KnownNames()
            for row in try await query(SQL.`NameCatalogue.all`, appNumber) {
                let name = try row.decode(String.self, at: 1)
                if try row.decode(String.self, at: 0) == "kind" {
                    names.kinds.insert(name)
                } else {
                    names.families.insert(name)
                }
            }
            return names
        } catch {
            throw StoreError(error)
        }
    }

    package func addNames(_ names: KnownNames, appNumber: Int32) async throws(StoreError) {
        guard !names.isEmpty else { return }
        let dimensions = names.kinds.map { _ in "kind" } + names.families.map { _ in "family" }
        _ = try await query(
            SQL.`NameCatalogue.add`, appNumber, dimensions, Array(names.kinds) + Array(names.families))
    }
}
