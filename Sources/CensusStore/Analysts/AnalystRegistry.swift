internal import Postgres

/// The PostgreSQL roles that read the reports.
package struct AnalystRegistry: Sendable {
    let database: Database

    /// What adding an analyst did.
    package struct Addition: Hashable, Sendable {
        /// Only in this result: the server stores only a verifier. Nil if the analyst existed already.
        package var password: String?
        /// Whether the reports of this database were closed to analysts before.
        package var opened: Bool
        /// What analysts can do beyond reading, each as the SQL with which an administrator ends it.
        package var gaps: [String]
    }

    /// Opens the reports of this database to analysts, and creates one. Skips what was done before; on error does neither.
    ///
    /// - Throws: ``StoreError`` with fault `request` if our role is not allowed to create roles.
    package func add(_ name: String) async throws(StoreError) -> Addition {
        try Analyst.check(name)
        do {
            return try await database.rawTransaction("AnalystRegistry.add") { transaction in
                let wasOpen = try await transaction.value(SQL.AnalystRegistry.isOpen, as: Bool.self)
                try await transaction.execute(script: SQL.AnalystRegistry.open)
                try await transaction.execute(script: SQL.AnalystRegistry.grant)
                let password = try await transaction.add(name)
                try await transaction.execute(script: SQL.AnalystRegistry.limit)
                let gaps = try await transaction.rows(SQL.AnalystRegistry.gaps, as: String.self)
                return Addition(password: password, opened: wasOpen != true, gaps: gaps)
            }
        } catch {
            throw AnalystRegistry.forbidden(error, name: name, instead: AnalystRegistry.additions(of: name))
        }
    }

    package func all() async throws(StoreError) -> [Analyst] {
        try await database.rows(SQL.AnalystRegistry.all)
    }

    /// Revokes the analyst's login, then ends the analyst's sessions and drops the role. If the role can't be dropped, the
    /// login stays revoked.
    ///
    /// - Returns: false if the analyst does not exist.
    package func remove(_ name: String) async throws(StoreError) -> Bool {
        guard try await database.value(SQL.AnalystRegistry.isAnalyst, [name], as: Bool.self) == true else {
            return false
        }
        do {
            for statement in [SQL.AnalystRegistry.close, SQL.AnalystRegistry.remove] {
                try await database.rawTransaction(statement.name) { transaction in
                    try await transaction.run(SQL.AnalystRegistry.name, [name, ""])
                    try await transaction.execute(script: statement, deadline: .seconds(30))
                }
            }
            return true
        } catch {
            throw AnalystRegistry.forbidden(error, name: name, instead: "  drop role \(name);")
        }
    }

    private static func additions(of name: String) -> String {
        """
          create role widget_census_analyst nologin;    -- unless it exists
          create role \(name) login password '…' in role widget_census_analyst;
          alter role \(name) set default_transaction_read_only = on;
          alter role \(name) set statement_timeout = '60s';
          alter role \(name) set idle_in_transaction_session_timeout = '60s';
          alter role \(name) set search_path = report;
          alter role \(name) connection limit 20;
          alter role \(name) set temp_file_limit = '4GB';    -- needs a superuser
        and then run this command again, which lets analysts read the reports
        """
    }

    /// The error if our role is not allowed to manage roles.
    ///
    /// - Parameter instead: the statements for an administrator to run.
    private static func forbidden(_ error: any Error, name: String, instead: String) -> StoreError {
        guard let state = (error as? PostgresError)?.sqlState else { return StoreError(error) }
        switch state {
        case .insufficientPrivilege:
            return StoreError(
                .request,
                """
                this database role is not allowed to create or drop roles. As an administrator of the server, run
                \(instead)
                """)
        case .duplicateObject:
            return StoreError(.request, "there is already a role \(name) that is not an analyst; choose another name")
        case .dependentObjects:
            return StoreError(
                .request,
                "\(name) owns objects or has rights of its own; as an administrator, run "
                    + "`drop owned by \(name)` in the database that has them, and then run this command again")
        default: return StoreError(error)
        }
    }
}

extension Transaction {
    /// - Returns: the password; nil if the analyst exists already.
    fileprivate func add(_ name: String) async throws -> String? {
        if try await rows(SQL.AnalystRegistry.all, as: Analyst.self).contains(where: { $0.name == name }) { return nil }
        let password = Analyst.password()
        let verifier = try await verifier(ofPassword: password, role: name)
        try await run(SQL.AnalystRegistry.name, [name, verifier])
        try await execute(script: SQL.AnalystRegistry.add)
        return password
    }
}
