internal import CensusCore
internal import Postgres

/// The keys that open the door, as hashes.
package struct KeyRegistry: Sendable {
    let database: Database
    let apps: AppRegistry

    /// Makes a key. Its text is in the answer and nowhere else.
    ///
    /// - Parameter channel: the channel of everything sent with it, whatever the batch says; not the one that counts.
    package func add(
        app id: String, role: Key.Role, channel: String? = nil
    ) async throws(StoreError) -> Key {
        let app = try await apps.app(id)
        let key = Key(role: role)
        try await database.run(SQL.KeyRegistry.add, [ByteArray(key.hash.bytes), app.id, role.rawValue, channel])
        return key
    }

    /// - Returns: false when there is no such key, or it is revoked already.
    package func revoke(_ key: Key) async throws(StoreError) -> Bool {
        try await database.run(SQL.KeyRegistry.revoke, [ByteArray(key.hash.bytes)]) > 0
    }

    /// - Parameter name: the first digits of its hash, as ``ListedKey`` has them.
    /// - Returns: false when the app has no such valid key.
    package func revoke(named name: String, app id: String) async throws(StoreError) -> Bool {
        try await database.run(SQL.KeyRegistry.revokeNamed, [id, name]) > 0
    }

    /// The keys of one app, or of all; valid ones and newer ones first.
    package func listed(app: String?) async throws(StoreError) -> [ListedKey] {
        try await database.rows(SQL.KeyRegistry.listed, [app]) { row in
            guard let role = Key.Role(rawValue: try row.decode("role", as: String.self)) else {
                throw StoreError(.ours, "a key has a role that this program does not know")
            }
            return ListedKey(
                appID: try row.decode("app_id", as: String.self), role: role,
                channel: try row.decode("channel", as: String?.self),
                name: try row.decode("name", as: String.self),
                madeAt: try row.decode("created_at", as: Timestamp.self),
                revokedAt: try row.decode("revoked_at", as: Timestamp?.self))
        }
    }

    /// Every key by its hash, including revoked ones.
    package func all() async throws(StoreError) -> [KeyHash: KeyRecord] {
        return try await StoreError.wrapping {
            var keys: [KeyHash: KeyRecord] = [:]
            for row in try await database.query(SQL.KeyRegistry.all) {
                guard let role = Key.Role(rawValue: try row.decode("role", as: String.self)) else { continue }
                keys[KeyHash(try row.decode("key_hash", as: ByteArray.self).bytes)] = KeyRecord(
                    role: role,
                    channel: try row.decode("channel", as: String?.self),
                    isRevoked: try row.decode("is_revoked", as: Bool.self),
                    appID: try row.decode("app_id", as: String.self),
                    caps: NameCaps(
                        appNumber: try row.decode("app_number", as: Int32.self),
                        kinds: try row.decode("maximum_kinds", as: Int.self),
                        families: try row.decode("maximum_families", as: Int.self)))
            }
            return keys
        }
    }
}
