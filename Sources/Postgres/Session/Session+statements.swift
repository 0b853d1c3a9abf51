internal import CLibPQ

extension Session {
    /// Runs a prepared statement, preparing it first if necessary. Results are in binary format.
    func query(
        _ statement: Statement, _ values: [(any PostgresCodable)?], _ watch: Watch
    ) throws(PostgresError) -> Rows {
        let parameters = Parameters(values)
        do throws(PostgresError) {
            return try runPrepared(statement, parameters, watch)
        } catch {
            // The schema has changed since the statement was prepared. Nothing was done, but an open transaction has failed.
            guard error.report?.isStalePlan == true, transactionStatus == .none else { throw error }
            return try runPrepared(statement, parameters, watch)
        }
    }

    private func runPrepared(
        _ statement: Statement, _ parameters: Parameters, _ watch: Watch
    ) throws(PostgresError) -> Rows {
        let name = try prepare(statement, parameters, watch)
        do throws(PostgresError) {
            let results = try collect(statement, watch) { connection in
                parameters.withPointers { PQsendQueryPrepared(connection, name, $0, $1, $2, $3, 1) }
            }
            return try rows(of: statement, results)
        } catch {
            if error.report?.isStalePlan == true { prepared.remove(name, of: statement.text) }
            throw error
        }
    }

    private func prepare(
        _ statement: Statement, _ parameters: Parameters, _ watch: Watch
    ) throws(PostgresError) -> String {
        if let name = prepared.find(statement.text, parameters.types) { return name }
        if let old = prepared.makeRoom() { try command("deallocate \(old)", statement.name, watch) }
        let name = prepared.nextName()
        let send = { (connection: OpaquePointer) in
            PQsendPrepare(connection, name, statement.text, Int32(parameters.types.count), parameters.oids)
        }
        try exchange(statement, watch, mayCommit: false, send: send) { _ in }
        prepared.insert(statement.text, parameters.types, name: name)
        return name
    }

    /// Runs a statement without preparing it. Results are in text format.
    func queryText(
        _ statement: Statement, _ values: [(any PostgresCodable)?], _ watch: Watch
    ) throws(PostgresError) -> TextRows {
        let parameters = Parameters(values)
        let results = try collect(statement, watch) { connection in
            parameters.withPointers { count, values, lengths, formats in
                PQsendQueryParams(connection, statement.text, count, parameters.oids, values, lengths, formats, 0)
            }
        }
        return TextRows(try rows(of: statement, results).result)
    }

    /// Runs several statements in one round trip, with the rows for a COPY among them.
    ///
    /// - Parameter receive: called with each statement's result, in order.
    func script(
        _ statement: Statement, copy: [CopyRows]?, _ watch: Watch, receive: (ResultHandle) -> Void
    ) throws(PostgresError) {
        let wasOpen = transactionStatus != .none
        defer {
            // If the script began a transaction and failed in it, or didn't end it, the next statement must not run in it.
            if !wasOpen { rollBackIfOpen(statement.name) }
        }
        let send = { (connection: OpaquePointer) in PQsendQuery(connection, statement.text) }
        try exchange(statement, watch, mayCommit: !wasOpen, copy: copy, send: send, receive: receive)
        guard wasOpen || transactionStatus == .none else {
            throw PostgresError(
                .wrongUse, statement: statement.name, explanation: "the script leaves a transaction open")
        }
    }

    /// Runs one command without parameters or rows, like BEGIN.
    ///
    /// - Returns: the server's tag.
    @discardableResult
    func command(
        _ text: String, _ name: String, _ watch: Watch, mayCommit: Bool = false
    ) throws(PostgresError) -> String {
        var tag = ""
        let send = { (connection: OpaquePointer) in PQsendQuery(connection, text) }
        try exchange(Statement(name, text), watch, mayCommit: mayCommit, send: send) { tag = $0.tag }
        return tag
    }

    /// Rolls back an open transaction, if any. If that fails, the connection is abandoned.
    func rollBackIfOpen(_ name: String) {
        guard fate == .sound, transactionStatus != .none else { return }
        do throws(PostgresError) {
            try command("rollback", name, Watch(.seconds(5), nil))
        } catch {
            if fate == .sound { fate = .lost }
        }
    }

    private func collect(
        _ statement: Statement, _ watch: Watch, send: (OpaquePointer) -> Int32
    ) throws(PostgresError) -> ResultHandle? {
        var last: ResultHandle?
        try exchange(statement, watch, mayCommit: transactionStatus == .none, send: send) { last = $0 }
        return last
    }

    private func rows(of statement: Statement, _ result: ResultHandle?) throws(PostgresError) -> Rows {
        guard let result else {
            throw PostgresError(.wrongUse, statement: statement.name, explanation: "the statement has no result")
        }
        return Rows(result, statement: statement.name)
    }
}
