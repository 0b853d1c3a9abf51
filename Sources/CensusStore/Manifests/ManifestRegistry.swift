package import CensusCore
internal import Crypto
internal import Postgres

/// A manifest with who added it, and when.
package struct ManifestRecord: Hashable, Sendable {
    package var manifest: Manifest
    package var addedAt: Timestamp
    package var addedBy: String
}

/// The result of an attempt to add a manifest.
package enum ManifestAddition: Hashable, Sendable {
    case added
    /// This version has an equal one.
    case known
    /// This version has a different one, which stays; lists how the new one differs.
    case differs([String])
}

/// What each version of an app ships. Manifests are only added, never changed.
package struct ManifestRegistry: Sendable {
    let database: Database

    /// - Parameters:
    ///   - source: the file that the manifest was read from.
    ///   - actor: who adds it.
    package func add(
        _ manifest: Manifest, source: [UInt8], by actor: String, app: App
    ) async throws(StoreError) -> ManifestAddition {
        let canonical = manifest.canonical
        let added = try await database.run(
            SQL.ManifestRegistry.add,
            [
                app.number, manifest.appVersion, actor, ByteArray(Array(SHA256.hash(data: canonical))),
                String(decoding: source, as: UTF8.self), JSONText(String(decoding: canonical, as: UTF8.self)),
            ])
        if added > 0 { return .added }
        guard let stored = try await records(app: app, version: manifest.appVersion).first else {
            throw StoreError(.away, "another process is adding this manifest; try again")
        }
        let differences = manifest.differences(from: stored.manifest)
        return differences.isEmpty ? .known : .differs(differences)
    }

    /// Every manifest of an app, the oldest version first.
    package func all(app: App) async throws(StoreError) -> [ManifestRecord] {
        let records = try await records(app: app, version: nil).map { (Version($0.manifest.appVersion), $0) }
        return records.sorted { $0.0 < $1.0 }.map { $0.1 }
    }

    /// What each app's manifests declare, by the app's number; an app without a manifest is absent.
    package func declared() async throws(StoreError) -> [Int32: DeclaredKinds] {
        struct Declared: Decodable { var appNumber: Int32, kind: String, surface: Surface, families: [String]? }
        let declared = try await database.rows(SQL.ManifestRegistry.declared, as: Declared.self)
        return Dictionary(grouping: declared, by: \.appNumber).mapValues { kinds in
            DeclaredKinds(kinds.map { Manifest.Kind($0.kind, surface: $0.surface, families: $0.families) })
        }
    }

    private func records(app: App, version: String?) async throws(StoreError) -> [ManifestRecord] {
        let rows = try await database.rows(SQL.ManifestRegistry.all, [app.number, version], as: ManifestRow.self)
        var versions: [Text] = []
        var byVersion: [Text: [ManifestRow]] = [:]
        for row in rows {
            if byVersion[row.appVersion] == nil { versions.append(row.appVersion) }
            byVersion[row.appVersion, default: []].append(row)
        }
        return versions.compactMap { version in
            guard let rows = byVersion[version], let first = rows.first else { return nil }
            return ManifestRecord(
                manifest: Manifest(
                    appID: app.id, appVersion: version.text, kinds: rows.compactMap { $0.declared?.kind }),
                addedAt: first.addedAt, addedBy: first.addedBy)
        }
    }
}

/// A row of `ManifestRegistry.all`.
private struct ManifestRow: Decodable {
    struct Declared: Decodable {
        private var name: String
        private var surface: Surface
        private var families: [String]?
        private var intent: String?
        private var statesIntent: Bool
        private var migratesFrom: [String]
        private var replaces: String?

        var kind: Manifest.Kind {
            Manifest.Kind(
                name, surface: surface, families: families, intent: statesIntent ? .init(intent) : .unstated,
                migratesFrom: migratesFrom, replaces: replaces)
        }
    }

    var appVersion: Text
    var addedAt: Timestamp
    var addedBy: String
    /// Nil: the manifest has none.
    var declared: Declared?
}
