internal import Postgres

/// The PostgreSQL roles that read the reports.
package struct AnalystRegistry: Sendable {
    let database: Database

    /// What adding an analyst did.
    package struct Addition: Hashable, Sendable {
        /// In the answer and nowhere else: the server gets only its verifier. Nil when the analyst was there already.
        package var password: String?
        /// Whether the reports of this database were closed to analysts before.
        package var opened: Bool
        /// What analysts may do beyond reading, as SQL that an administrator runs to end it.
        package var gaps: [String]
    }

    /// Opens the reports of this database to analysts, and creates one; does what is left to do of both, or neither.
    ///
    /// - Throws: ``StoreError`` with fault `request` when our role may not create roles.
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

    /// Takes the analyst's login, then ends the analyst's sessions and drops the role. Where the role can't be dropped, the login
    /// stays taken.
    ///
    /// - Returns: false when there is no such analyst.
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
          create role widget_census_analyst nologin;    -- unless it is there
          create role \(name) login password '…' in role widget_census_analyst;
          alter role \(name) set default_transaction_read_only = on;
          alter role \(name) set statement_timeout = '60s';
          alter role \(name) set idle_in_transaction_session_timeout = '60s';
          alter role \(name) set search_path = report;
          alter role \(name) connection limit 20;
          alter role \(name) set temp_file_limit = '4GB';    -- takes a superuser
        and then this command again, which lets analysts read the reports
        """
    }

    /// The error when our role may not manage roles.
    ///
    /// - Parameter instead: the statements for an administrator to run.
    private static func forbidden(_ error: any Error, name: String, instead: String) -> StoreError {
        guard let state = (error as? PostgresError)?.sqlState else { return StoreError(error) }
        switch state {
        case .insufficientPrivilege:
            return StoreError(
                .request,
                """
                this database role may not make or drop roles. As an administrator of the server run
                \(instead)
                """)
        case .duplicateObject:
            return StoreError(.request, "there is already a role \(name), which is not an analyst: choose another name")
        case .dependentObjects:
            return StoreError(
                .request,
                "\(name) owns something or was given rights of its own: as an administrator run "
                    + "`drop owned by \(name)` in the database where that is, and then this command again")
        default: return StoreError(error)
        }
    }
}

extension Transaction {
    /// - Returns: the password; nil when there is such an analyst.
    fileprivate func add(_ name: String) async throws -> String? {
        if try await rows(SQL.AnalystRegistry.all, as: Analyst.self).contains(where: { $0.name == name }) { return nil }
        let password = Analyst.password()
        let verifier = try await verifier(ofPassword: password, role: name)
        try await run(SQL.AnalystRegistry.name, [name, verifier])
        try await execute(script: SQL.AnalystRegistry.add)
        return password
    }
}
