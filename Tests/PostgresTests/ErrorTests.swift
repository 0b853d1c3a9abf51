import PostgresTesting
import Testing

@testable import Postgres

@Suite struct `Server errors` {
    private func error(_ text: String, _ parameters: [(any PostgresCodable)?] = []) async throws -> PostgresError {
        try await postgresError {
            try await TestDatabase.withConnection { connection in
                try await connection.execute(
                    script: Statement("setup", "create temp table t (id int4 constraint t_key primary key, v int2)"))
                do {
                    _ = try await connection.query(Statement("faulty", text), parameters)
                } catch {
                    // The connection stays usable after any error.
                    #expect(try await connection.value(Int.self, "select 1") == 1)
                    throw error
                }
            }
        }
    }

    /// Citus 13 raises these without a code of their own.
    @Test func `a lost Citus worker means that the store is away, but another internal error doesn't`() {
        func error(_ routine: String?, _ state: SQLState = .internalError) -> PostgresError {
            var error = PostgresError(.server(state))
            error.report = ServerMessage(message: "", state: state, routine: routine)
            return error
        }
        // Seen after SIGKILL, SIGSTOP and shutdown of workers and coordinators under load.
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

    /// Citus 13 passes on libpq's message like this.
    @Test(arguments: [
        ("fe_sendauth: no password supplied", true),
        (#"FATAL:  password authentication failed for user "census""#, true),
        (#"FATAL:  pg_hba.conf rejects connection for host "10.0.0.1", user "census", database "c""#, true),
        (#"FATAL:  database "c" does not exist"#, true), ("Connection refused", false),
        ("FATAL:  the database system is starting up", false), ("timeout expired", false),
    ]) func `a worker that rejects us needs an operator, but an absent one doesn't`(said: String, takesPerson: Bool) {
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

    @Test func `57014 from the server's own timeout means that the store is away`() async throws {
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

    /// Raised by hand, because the client doesn't always read the last message of a session that the server ended.
    @Test func `25P03, for a transaction idle for too long, means that the store is away`() async throws {
        let error = try await postgresError {
            try await TestDatabase.withConnection { connection in
                let text = "do $$ begin raise exception 'silent' using errcode = '25P03'; end $$"
                _ = try await connection.query(Statement("silent", text))
            }
        }
        #expect(error.sqlState == .idleInTransactionSessionTimeout)
        #expect(error.isStoreAway)
    }

    @Test func `25006 means that the store is away`() async throws {
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

    @Test func `connecting to an unknown database fails, and a retry doesn't help`() async throws {
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

    @Test func `connecting to a closed port fails, and a retry can help`() async throws {
        let error = try await postgresError {
            let configuration = ConnectionConfiguration(connectionString: "host=127.0.0.1 port=1 dbname=x")
            _ = try await Connection.open(configuration, logger: .quiet)
        }
        #expect(error.reason == .connectFailed)
        #expect(error.advice == .retry)
        #expect(error.isStoreAway)
    }

    /// Citus passes on libpq's message about a worker like this.
    @Test func `a description joins the lines of a message`() {
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
    func `a description quotes Citus about a lost worker, but not a worker's error`(routine: String, isTold: Bool) {
        var error = PostgresError(.server(.internalError))
        error.report = ServerMessage(
            message: "failure on connection 10.0.0.2:5432", state: .internalError, routine: routine)
        #expect(error.isStoreAway)
        #expect(error.description.contains("10.0.0.2:5432") == isTold)
    }

    @Test func `an error doesn't quote a malformed connection string`() async throws {
        let configuration = ConnectionConfiguration(connectionString: "host=x password hunter2")
        let error = try await postgresError { _ = try await Connection.open(configuration, logger: .quiet) }
        #expect(error.reason == .setUp)
        #expect(error.advice == .doNotRetry)
        #expect(!error.isStoreAway)
        #expect(!error.debugDescription.contains("hunter2"))
        #expect(!"\(configuration)".contains("hunter2"))
        #expect(!String(reflecting: configuration).contains("hunter2"))
    }

    /// A bare word was once taken for a database on the default server, which seemed to be away forever; so were the
    /// others.
    @Test(arguments: [
        "garbage", "localhost:5432/census", "postgresql://u:hunter2/x@host/x",
        "host=h port=hunter2", "host=h sslmode=hunter2", "host=a port=1,2",
        "hostaddr=hunter2", "service=hunter2", "host=/\(String(repeating: "x", count: 200)) dbname=x",
    ]) func `an unusable connection string needs an operator`(string: String) async throws {
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

    @Test func `a stale plan inside a transaction advises a retry`() async throws {
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
