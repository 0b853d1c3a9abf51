package import CensusCore
internal import Crypto
internal import Postgres

/// A manifest with who added it, and when.
package struct ManifestRecord: Hashable, Sendable {
    package var manifest: Manifest
    package var addedAt: Timestamp
    package var addedBy: String
}

/// What became of a manifest that somebody tried to add.
package enum ManifestAddition: Hashable, Sendable {
    case added
    /// This version has an equal one.
    case known
    /// This version has a different one, which stays, and how the new one differs.
    case differs([String])
}

/// What each version of an app ships. Manifests are added, and never changed.
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
            throw StoreError(.away, "somebody else is adding this manifest: try again")
        }
        return stored.manifest == manifest ? .known : .differs(manifest.differences(from: stored.manifest))
    }

    /// Every manifest of an app, the oldest version first.
    package func all(app: App) async throws(StoreError) -> [ManifestRecord] {
        let records = try await records(app: app, version: nil).map { (Version($0.manifest.appVersion), $0) }
        return records.sorted { $0.0 < $1.0 }.map { $0.1 }
    }

    /// What each app's manifests declare, by the app's number; an app without a manifest is absent.
    package func declared() async throws(StoreError) -> [Int32: DeclaredKinds] {
        let rows = try await database.rows(SQL.ManifestRegistry.declared, []) { row in
            try (
                app: row["app_number"] as Int32,
                kind: Manifest.Kind(
                    row["kind"], surface: row["surface"], families: row["takes_any"] ? nil : row["families"])
            )
        }
        return Dictionary(grouping: rows, by: \.app).mapValues { DeclaredKinds($0.map(\.kind)) }
    }

    private func records(app: App, version: String?) async throws(StoreError) -> [ManifestRecord] {
        let rows = try await database.rows(SQL.ManifestRegistry.all, [app.number, version], as: ManifestRow.init)
        var versions: [Text] = []
        var byVersion: [Text: [ManifestRow]] = [:]
        for row in rows {
            if byVersion[row.version] == nil { versions.append(row.version) }
            byVersion[row.version, default: []].append(row)
        }
        return versions.compactMap { version in
            guard let rows = byVersion[version], let first = rows.first else { return nil }
            return ManifestRecord(
                manifest: Manifest(appID: app.id, appVersion: version.text, kinds: rows.compactMap(\.kind)),
                addedAt: first.addedAt, addedBy: first.addedBy)
        }
    }
}

/// A row of `ManifestRegistry.all`.
private struct ManifestRow {
    var version: Text
    var addedAt: Timestamp
    var addedBy: String
    /// Nil: the manifest has none.
    var kind: Manifest.Kind?

    init(_ row: Row) throws {
        self.version = Text(try row["app_version"])
        self.addedAt = try row["added_at"]
        self.addedBy = try row["added_by"]
        guard let kind: String = try row["kind"] else { return }
        self.kind = try Manifest.Kind(
            kind, surface: row["surface"], families: row["families"], intent: row["intent"],
            migratesFrom: row["migrates_from"], replaces: row["replaces"])
    }
}
