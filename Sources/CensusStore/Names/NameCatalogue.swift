package import CensusCore
internal import Postgres

/// The names that an app has used, which the caps count. Compared by bytes, because two normal forms of one name are two rows
/// everywhere else.
package struct KnownNames: Hashable, Sendable {
    package var kinds: Set<Text> = []
    package var families: Set<Text> = []
    package var appVersions: Set<Text> = []
    /// Major and minor version.
    package var osReleases: Set<Text> = []

    package init() {}

    package var isEmpty: Bool { self == KnownNames() }

    /// Each set, with its dimension's name in the table.
    fileprivate static var dimensions: [(name: String, names: WritableKeyPath<KnownNames, Set<Text>>)] {
        [("kind", \.kinds), ("family", \.families), ("app_version", \.appVersions), ("os_version", \.osReleases)]
    }
}

/// The names that apps have used.
package struct NameCatalogue: Sendable {
    let database: Database

    /// - Returns: the names that the app has used, and those that its manifests declare, which count against no cap.
    package func all(appNumber: Int32) async throws(StoreError) -> (used: KnownNames, declared: KnownNames) {
        struct KnownName: Decodable { var dimension: String, name: Text, isDeclared: Bool }
        var (names, declared) = (KnownNames(), KnownNames())
        for row in try await database.rows(SQL.NameCatalogue.all, [appNumber], as: KnownName.self) {
            for known in KnownNames.dimensions where known.name == row.dimension {
                if row.isDeclared {
                    declared[keyPath: known.names].insert(row.name)
                } else {
                    names[keyPath: known.names].insert(row.name)
                }
            }
        }
        return (names, declared)
    }

    package func add(_ names: KnownNames, appNumber: Int32) async throws(StoreError) {
        guard !names.isEmpty else { return }
        try await database.run(SQL.NameCatalogue.add, NameCatalogue.parameters(names, appNumber: appNumber))
    }

    /// The parameters of the statement that adds names.
    static func parameters(_ names: KnownNames, appNumber: Int32) -> [(any PostgresCodable)?] {
        var rows = (dimensions: [String](), names: [String]())
        for known in KnownNames.dimensions {
            for name in names[keyPath: known.names] {
                rows.dimensions.append(known.name)
                rows.names.append(name.text)
            }
        }
        return [appNumber, rows.dimensions, rows.names]
    }
}
