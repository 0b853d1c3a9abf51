internal import Postgres

extension Store {
    /// Makes a key. Its text is in the answer and nowhere else.
    package func addKey(app id: String, role: Key.Role) async throws(StoreError) -> Key {
        let app = try await app(id)
        let key = Key(role: role)
        _ = try await query(SQL.`KeyRegistry.add`, ByteArray(key.hash.bytes), app.id, role.rawValue)
        return key
    }

    /// - Returns: false when there is no such key, or it was revoked before.
    package func revokeKey(_ key: Key) async throws(StoreError) -> Bool {
        try await !query(SQL.`KeyRegistry.revoke`, ByteArray(key.hash.bytes)).isEmpty
    }

    /// Every key by its hash, revoked ones too.
    package func keys() async throws(StoreError) -> [KeyHash: KeyRecord] {
        do {
            var keys: [KeyHash: KeyRecord] = [:]
            for row in try await query(SQL.`KeyRegistry.all`) {
                guard let role = Key.Role(rawValue: try row.decode(String.self, at: 1)) else { continue }
                keys[KeyHash(try row.decode(ByteArray.self, at: 0).bytes)] = KeyRecord(
                    role: role,
                    isRevoked: try row.decode(Bool.self, at: 2),
                    appID: try row.decode(String.self, at: 4),
                    caps: NameCaps(
                        appNumber: try row.decode(Int32.self, at: 3),
                        kinds: try row.decode(Int.self, at: 5),
                        families: try row.decode(Int.self, at: 6)))
            }
            return keys
        } catch {
            throw StoreError(error)
        }
    }
}
