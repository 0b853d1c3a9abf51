import PostgresTesting
import Testing

@testable import Postgres

@Suite struct `Server error` {
    private func error(_ text: String, _ parameters: [(any PostgresCodable)?] = []) async throws -> PostgresError {
        try await postgresError {
            try await TestDatabase.withConnection { connection in
                try await connection.execute(
                    script: Statement("setup", "create temp table t (id int4 constraint t_key primary key, v int2)"))
                do {
                    _ = try await connection.query(Statement("faulty", text), parameters)
                } catch {
                    // Whatever went wrong, the connection goes on.
                    #expect(try await connection.value(Int.self, "select 1") == 1)
                    throw error
                }
            }
        }
    }

    /// As Citus 13 raises them, for which it has no code.
    @Test func `a worker that was lost is the store's trouble, another internal error is not`() {
        func error(_ routine: String?, _ state: SQLState = .internalError) -> PostgresError {
            var error = PostgresError(.server(state))
            error.report = ServerMessage(message: "", state: state, routine: routine)
            return error
        }
        // Seen by SIGKILL, SIGSTOP and shutdown of workers and coordinators under load.
        for routine in [
            "CheckRemoteTransactionsHealth", "FinishConnectionIO", "MarkRemoteTransactionFailed", "ProcessWaitEvents",
            "ProcessWaitEventsForSocketClosed", "ReportResultError", "WaitForAllConnections",
        ] {
            #expect(error(routine).isStoreAway && error(routine).advice == .retry)
            #expect(!error(routine, .uniqueViolation).isStoreAway)
        }
        for routine in ["ReportCopyError", "cache_lookup", nil] {
            #expect(!error(routine).isStoreAway && error(routine).advice == .doNotRetry)
        }
    }

    /// As Citus 13 passes on what libpq said.
    @Test(arguments: [
        ("fe_sendauth: no password supplied", true),
        (#"FATAL:  password authentication failed for user "census""#, true),
        (#"FATAL:  pg_hba.conf rejects connection for host "10.0.0.1", user "census", database "c""#, true),
        (#"FATAL:  database "c" does not exist"#, true), ("Connection refused", false),
        ("FATAL:  the database system is starting up", false), ("timeout expired", false),
    ]) func `a worker that lets nobody in takes a person, one that is away does not`(said: String, takesPerson: Bool) {
        let state = SQLState(rawValue: "08006")
        var error = PostgresError(.server(state))
        error.report = ServerMessage(
            message: "connection to the remote node census@10.0.0.2:5432 failed with the following error: \(said)",
            state: state, routine: "ReportConnectionError")
        #expect(error.isStoreAway)
        #expect((error.blame == .setUp) == takesPerson)
        #expect((error.advice == .doNotRetry) == takesPerson)
        #expect(error.description.contains("pg_dist_authinfo") == takesPerson)
    }

    @Test func `23505 names the constraint, not the value`() async throws {
        let error = try await error("insert into t values (4711), (4711)")
        #expect(error.reason == .server(.uniqueViolation))
        #expect(error.constraint == "t_key")
        #expect(error.statement == "faulty")
        #expect(error.description == #"faulty: duplicate key value violates unique constraint "t_key" (23505)"#)
        #expect(error.debugDescription.contains("4711"))
        #expect(error.advice == .doNotRetry)
        #expect(!error.isDataError && !error.isStoreAway)
    }

    @Test func `22021 is a data error`() async throws {
        let error = try await error("select $1::text", ["a\u{0}b"])
        #expect(error.reason == .server(.characterNotInRepertoire))
        #expect(error.isDataError)
    }

    @Test func `22P02 keeps the value out of the description`() async throws {
        let error = try await error("select $1::text::int4", ["hunter2"])
        #expect(error.description == "faulty: invalid text representation (22P02)")
        #expect(error.debugDescription.contains("hunter2"))
        #expect(error.isDataError)
    }

    @Test func `22003 is a data error`() async throws {
        #expect(try await error("insert into t values (1, $1::int8::int2)", [70_000]).isDataError)
    }

    @Test func `22P05 is a data error`() async throws {
        let error = try await error("select $1::jsonb", [JSONText(#""\u0000""#)])
        #expect(error.reason == .server(.untranslatableCharacter))
        #expect(error.isDataError)
    }

    @Test func `42P01 names the table`() async throws {
        let error = try await error("select * from nowhere")
        #expect(error.reason == .server(.undefinedTable))
        #expect(error.description == #"faulty: relation "nowhere" does not exist (42P01)"#)
        #expect(error.advice == .doNotRetry)
        #expect(!error.isStoreAway)
    }

    @Test func `57014 by the server's own timeout says the store is away`() async throws {
        let error = try await postgresError {
            let configuration = try await TestDatabase.shared.value.configuration(settings: [
                "statement_timeout": "50ms"
            ])
            let connection = try await Connection.open(configuration, logger: .quiet)
            _ = try await connection.query(Statement("slow", "select pg_sleep(10)"))
        }
        #expect(error.reason == .server(.queryCanceled))
        #expect(error.isStoreAway)
        #expect(error.advice == .retry)
    }

    /// Raised by hand: of a session that was really ended the goodbye is not always read.
    @Test func `25P03, when we were silent for too long, says the store is away`() async throws {
        let error = try await postgresError {
            try await TestDatabase.withConnection { connection in
                let text = "do $$ begin raise exception 'silent' using errcode = '25P03'; end $$"
                _ = try await connection.query(Statement("silent", text))
            }
        }
        #expect(error.sqlState == .idleInTransactionSessionTimeout)
        #expect(error.isStoreAway)
    }

    @Test func `25006 says the store is away`() async throws {
        let error = try await postgresError {
            try await TestDatabase.withConnection { connection in
                try await connection.transaction("read", readOnly: true) { connection in
                    _ = try await connection.query(Statement("write", "create table x ()"))
                }
            }
        }
        #expect(error.reason == .server(.readOnlyTransaction))
        #expect(error.isStoreAway)
    }

    @Test func `an unknown database fails to connect, for good`() async throws {
        let error = try await postgresError {
            let database = try await TestDatabase.shared.value
            let string = database.connectionString.replacing(database.name, with: "nowhere")
            _ = try await Connection.open(ConnectionConfiguration(connectionString: string), logger: .quiet)
        }
        #expect(error.reason == .connectFailed)
        #expect(error.sqlState == .invalidCatalogName)
        #expect(error.description.contains(#"database "nowhere" does not exist"#))
        #expect(error.advice == .doNotRetry)
        #expect(error.isStoreAway)
    }

    @Test func `nobody listening fails to connect, for now`() async throws {
        let error = try await postgresError {
            let configuration = ConnectionConfiguration(connectionString: "host=127.0.0.1 port=1 dbname=x")
            _ = try await Connection.open(configuration, logger: .quiet)
        }
        #expect(error.reason == .connectFailed)
        #expect(error.advice == .retry)
        #expect(error.isStoreAway)
    }

    /// So Citus passes on what libpq said about a worker.
    @Test func `a message of several lines is told on one`() {
        var error = PostgresError(.server(.init(rawValue: "08006")), statement: "a statement")
        error.report = ServerMessage(
            message:
                "connection to the remote node 10.0.0.2:5432 failed with the following error: refused\n\tIs the server running?\n",
            state: .init(rawValue: "08006"))
        #expect(
            error.description
                == "a statement: connection to the remote node 10.0.0.2:5432 failed with the following error: refused "
                + "Is the server running? (08006)")
    }

    @Test(arguments: [("MarkRemoteTransactionFailed", true), ("ReportResultError", false)])
    func `Citus names a worker that it lost, and a worker may name data`(routine: String, isTold: Bool) {
        var error = PostgresError(.server(.internalError))
        error.report = ServerMessage(
            message: "failure on connection 10.0.0.2:5432", state: .internalError, routine: routine)
        #expect(error.isStoreAway)
        #expect(error.description.contains("10.0.0.2:5432") == isTold)
    }

    @Test func `a malformed connection string is not quoted`() async throws {
        let configuration = ConnectionConfiguration(connectionString: "host=x password hunter2")
        let error = try await postgresError { _ = try await Connection.open(configuration, logger: .quiet) }
        #expect(error.reason == .setUp)
        #expect(error.advice == .doNotRetry)
        #expect(!error.isStoreAway)
        #expect(!error.debugDescription.contains("hunter2"))
        #expect(!"\(configuration)".contains("hunter2"))
        #expect(!String(reflecting: configuration).contains("hunter2"))
    }

    /// A bare word was the name of a database on the default server, which is away for ever; so were the others.
    @Test(arguments: [
        "garbage", "localhost:5432/census", "postgresql://u:hunter2/x@host/x",
        "host=h port=hunter2", "host=h sslmode=hunter2", "host=a port=1,2",
        "hostaddr=hunter2", "service=hunter2", "host=/\(String(repeating: "x", count: 200)) dbname=x",
    ]) func `a connection string with which nothing can be tried takes a person`(string: String) async throws {
        let configuration = ConnectionConfiguration(connectionString: string)
        let error = try await postgresError { _ = try await Connection.open(configuration, logger: .quiet) }
        #expect(error.reason == .setUp, "\(error)")
        #expect(error.advice == .doNotRetry)
        #expect(!error.debugDescription.contains("hunter2"), "\(error)")
    }

    @Test func `a stale plan is prepared again`() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.execute(script: Statement("setup", "create temp table t (a int4)"))
            let select = Statement("select", "select * from t")
            #expect(try await connection.query(select).columns == ["a"])
            try await connection.execute(script: Statement("alter", "alter table t add column b text"))
            #expect(try await connection.query(select).columns == ["a", "b"])
            try await connection.execute(script: Statement("forget", "deallocate all"))
            #expect(try await connection.query(select).columns == ["a", "b"])
        }
    }

    @Test func `a stale plan inside a transaction advises to retry it`() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.execute(script: Statement("setup", "create temp table t (a int4)"))
            let select = Statement("select", "select * from t")
            _ = try await connection.query(select)
            let alter = Statement("alter", "alter table t add column b text")
            let read = { () async throws -> Int in
                try await connection.transaction("read") { try await $0.query(select).columns.count }
            }
            try await connection.execute(script: alter)
            #expect(try await postgresError { _ = try await read() }.advice == .retry)
            #expect(try await read() == 2)
        }
    }
}
