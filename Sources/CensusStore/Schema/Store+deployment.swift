internal import Postgres

extension Store {
    /// Ties the database to the secret: hashed under another one, every device would count twice.
    ///
    /// - Throws: ``StoreError`` with fault `request` when the database was begun with another secret.
    package func require(_ secret: Secret) async throws(StoreError) {
        do {
            let rows = try await query(SQL.`Deployment.fingerprint`, ByteArray(secret.fingerprint))
            guard let held = try rows.first?.decode(ByteArray.self, at: 0), held.bytes == secret.fingerprint else {
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
