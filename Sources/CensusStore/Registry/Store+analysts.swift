internal import Postgres

extension Store {
    /// Opens the reports of this database to analysts, or finds them open.
    ///
    /// - Parameter name: the analyst for whom.
    /// - Returns: what analysts may do beyond reading, as SQL with which an administrator ends it.
    /// - Throws: ``StoreError`` with fault `request` when our role may not make the group.
    package func openReports(for name: String) async throws(StoreError) -> [String] {
        try Analyst.check(name)
        do {
            return try await pool.transaction("Analyst.open") { connection in
                try await connection.execute(script: SQL.`Analyst.open`)
                try await connection.execute(script: SQL.`Analyst.grant`)
                return try await connection.query(SQL.`Analyst.gaps`, []).map { try $0.decode(String.self, at: 0) }
            }
        } catch {
            throw Store.forbidden(error, name: name, instead: Store.additions(of: name))
        }
    }

    /// Makes an analyst. The password is in the answer and nowhere else: the server gets what it checks with.
    ///
    /// - Returns: nil when the analyst was there already.
    package func addAnalyst(_ name: String) async throws(StoreError) -> String? {
        try Analyst.check(name)
        guard try await !analysts().contains(where: { $0.name == name }) else { return nil }
        let password = Analyst.password()
        do {
            try await pool.transaction("Analyst.add") { connection in
                let verifier = try await connection.verifier(ofPassword: password, role: name)
                _ = try await connection.query(SQL.`Analyst.name`, [name, verifier])
                try await connection.execute(script: SQL.`Analyst.add`)
            }
            return password
        } catch {
            throw Store.forbidden(error, name: name, instead: Store.additions(of: name))
        }
    }

    package func analysts() async throws(StoreError) -> [Analyst] {
        do {
            return try await query(SQL.`Analyst.all`).map { row in
                Analyst(name: try row.decode(String.self, at: 0), sessions: try row.decode(Int.self, at: 1))
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// - Returns: false when there is no such analyst.
    package func removeAnalyst(_ name: String) async throws(StoreError) -> Bool {
        guard try await analysts().contains(where: { $0.name == name }) else { return false }
        do {
            try await pool.transaction("Analyst.remove") { connection in
                _ = try await connection.query(SQL.`Analyst.name`, [name, ""])
                try await connection.execute(script: SQL.`Analyst.remove`)
            }
            return true
        } catch {
            throw Store.forbidden(error, name: name, instead: "  drop role \(name);")
        }
    }

    private static func additions(of name: String) -> String {
        """
          create role widget_census_analyst nologin;    -- unless it is there
          create role \(name) login password '…' in role widget_census_analyst;
        and then this command again, which lets analysts read the reports
        """
    }

    /// What a role without rights over roles is to do.
    ///
    /// - Parameter instead: the statements that an administrator runs.
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
            return StoreError(.request, "there is a role \(name) already, which is no analyst: take another name")
        case .dependentObjects:
            return StoreError(
                .request,
                "\(name) owns something or was given rights of its own: as an administrator run "
                    + "`drop owned by \(name)` in the database where that is, and then this command again")
        default: return StoreError(error)
        }
    }
}
