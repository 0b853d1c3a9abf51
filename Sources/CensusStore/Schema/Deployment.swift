package import CensusCore
internal import Postgres

/// The database as a whole: which secret it was set up with, and whether it accepts and keeps writes.
package struct Deployment: Sendable {
    let database: Database

    /// Ties the database to the secret, because every device would count twice if it was hashed with another one.
    ///
    /// - Parameter begins: whether to store this secret in a database that has none yet. Readers don't, so they can use a
    ///   database that takes no writes.
    /// - Throws: ``StoreError`` with fault `request` if the database was first used with another secret.
    package func require(_ secret: Secret, begins: Bool = true) async throws(StoreError) {
        try await StoreError.wrapping {
            let fingerprint = ByteArray(secret.fingerprint)
            var held = try await database.value(SQL.Deployment.fingerprint, as: ByteArray.self)
            if held == nil, begins {
                held = try await database.value(SQL.Deployment.begin, [fingerprint], as: ByteArray.self)
            }
            guard held ?? fingerprint == fingerprint else {
                throw StoreError(
                    .request,
                    "CENSUS_SECRET is not the secret that this database was first used with; with another one, every device "
                        + "would count twice. Set the original secret, which must be the same on every node")
            }
        }
    }

    /// Whether the database has a secret.
    package func hasSecret() async throws(StoreError) -> Bool {
        try await database.value(SQL.Deployment.fingerprint, as: ByteArray.self) != nil
    }

    /// Makes sure that no pooler switches our sessions: settings, temporary tables and locks need a session of their own.
    package func requireOwnSessions() async throws(StoreError) {
        try await StoreError.wrapping {
            try await database.pool.requireOwnSessions()
        }
    }

    /// A setting that is off, so a crash can lose acknowledged events.
    package struct UnsafeSetting: Hashable, Sendable, Decodable, CustomStringConvertible {
        package var name: String
        /// Host and port of the worker whose setting it is; nil: of the server that we are connected to.
        package var worker: String?

        package var description: String { worker.map { "\(name) of the worker \($0)" } ?? name }
    }

    /// Settings of the server and, on a cluster, of those workers that answer; no session can change them.
    package func unsafeSettings() async throws(StoreError) -> [UnsafeSetting] {
        let own = try await database.rows(SQL.Deployment.unsafeSettings, as: String.self)
        return try await own.map { UnsafeSetting(name: $0) } + (isDistributed() ? unsafeSettingsOfWorkers() : [])
    }

    /// A collation that sorts differently than when its indexes were built, so they can miss rows. Our own indexes sort by
    /// bytes and are not affected.
    package struct StaleCollation: Hashable, Sendable, Decodable {
        package var database: String
        /// As SQL writes it; nil: the database's own.
        package var name: String?
        package var locale: String
        package var then: String
        package var now: String

        /// Rebuilds such indexes, then stores the collation's new version.
        package var remedy: ShellCommand {
            let database = database.asSQLName
            let refresh =
                name.map { "alter collation \($0) refresh version" }
                ?? "alter database \(database) refresh collation version"
            let reindex = "reindex database concurrently \(database)"
            return ShellCommand("psql -d \(self.database) -c \(reindex) -c \(refresh)")
        }
    }

    /// - Returns: none before PostgreSQL 15, which keeps no version.
    package func staleCollations() async throws(StoreError) -> [StaleCollation] {
        guard try await database.value(SQL.Deployment.knowsCollations, as: Bool.self) == true else { return [] }
        return try await database.rows(SQL.Deployment.staleCollations)
    }

    /// Makes sure that events can be stored now: the server takes writes, and our role may write.
    ///
    /// - Throws: ``StoreError`` with the reason; its fault is `away` if the server takes no writes.
    package func requireWritable() async throws(StoreError) {
        return try await StoreError.wrapping {
            let obstacles = try await database.rows(SQL.Deployment.writable, as: Obstacles.self)
            guard let obstacles = obstacles.first else { return }
            if obstacles.isStandby {
                throw StoreError(
                    .away, "PostgreSQL is a standby and takes no writes; connect to the primary, or promote it")
            }
            if obstacles.isReadOnly {
                throw StoreError(
                    .away,
                    "PostgreSQL takes no writes because default_transaction_read_only is on for this role, its database or "
                        + "the server; some systems set it when a disk is nearly full")
            }
            let missing = obstacles.missingRights
            guard missing.isEmpty else {
                throw StoreError(
                    .setUp,
                    "the role lacks rights: \(missing.joined(separator: ", ")). Grant them, or connect as the owner")
            }
        }
    }
}

/// Reasons why events can't be stored.
private struct Obstacles: Decodable {
    var isStandby: Bool
    var isReadOnly: Bool
    var missingRights: [String]
}

extension String {
    /// In quotes, as SQL writes any name.
    var asSQLName: String { quoted(by: "\"", escape: "\"\"") }
}
