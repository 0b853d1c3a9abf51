internal import CensusCore
internal import Postgres

/// The keys that the server accepts, as hashes.
package struct KeyRegistry: Sendable {
    let database: Database
    let apps: AppRegistry

    /// Makes a key. Its text is in the answer and nowhere else.
    ///
    /// - Parameters:
    ///   - channel: the channel of everything sent with it, whatever the batch says; not the one that counts.
    ///   - holder: the person who gets it, for signing acts.
    package func add(
        app id: String, role: Key.Role, channel: String? = nil, holder: String? = nil
    ) async throws(StoreError) -> Key {
        let app = try await apps.app(id)
        let key = Key(role: role)
        try await database.run(
            SQL.KeyRegistry.add, [ByteArray(key.hash.bytes), app.id, role.rawValue, channel, holder])
        return key
    }

    /// - Returns: false when there is no such key, or it is revoked already.
    package func revoke(_ key: Key) async throws(StoreError) -> Bool {
        try await database.run(SQL.KeyRegistry.revoke, [ByteArray(key.hash.bytes)]) > 0
    }

    /// - Parameter name: the first digits of its hash, as ``ListedKey`` has them.
    /// - Returns: false if the app has no valid key with that name.
    package func revoke(named name: String, app id: String) async throws(StoreError) -> Bool {
        try await database.run(SQL.KeyRegistry.revokeNamed, [id, name]) > 0
    }

    /// The keys of one app, or of all; valid ones and newer ones first.
    package func listed(app: String?) async throws(StoreError) -> [ListedKey] {
        try await database.rows(SQL.KeyRegistry.listed, [app])
    }

    /// Every key by its hash, including revoked ones.
    package func all() async throws(StoreError) -> [KeyHash: KeyRecord] {
        return try await StoreError.wrapping {
            var keys: [KeyHash: KeyRecord] = [:]
            for row in try await database.query(SQL.KeyRegistry.all) {
                guard let role = Key.Role(rawValue: try row["role"]) else { continue }
                keys[KeyHash((try row["key_hash"] as ByteArray).bytes)] = try KeyRecord(
                    role: role, channel: row["channel"], holder: row["holder"], isRevoked: row["is_revoked"],
                    appID: row["app_id"],
                    caps: NameCaps(
                        appNumber: row["app_number"], kinds: row["maximum_kinds"], families: row["maximum_families"]))
            }
            return keys
        }
    }
}
