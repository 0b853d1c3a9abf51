internal import Postgres

extension Store {
    /// Ties the database to the secret: hashed under another one, every device would count twice.
    ///
    /// - Parameter begins: whether a database that was begun with none yet is begun with this one. Whoever only reads leaves
    ///   it, and needs no database that takes writes.
    /// - Throws: ``StoreError`` with fault `request` when the database was begun with another secret.
    package func require(_ secret: Secret, begins: Bool = true) async throws(StoreError) {
        do {
            var held = try await query(SQL.`Deployment.fingerprint`).fingerprint()
            if held == nil, begins {
                held = try await query(SQL.`Deployment.begin`, ByteArray(secret.fingerprint)).fingerprint()
            }
            guard held ?? secret.fingerprint == secret.fingerprint else {
                throw StoreError(
                    .request,
                    "CENSUS_SECRET is not the one this database was begun with: with another, every device would count "
                        + "twice. Give the first one; it must be the same on every node")
            }
        } catch {
            throw StoreError(error)
        }
    }
}

extension Rows {
    fileprivate func fingerprint() throws(PostgresError) -> [UInt8]? {
        try first?.decode(ByteArray.self, at: 0).bytes
    }
}
