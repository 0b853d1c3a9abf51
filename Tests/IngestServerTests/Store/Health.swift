import EmbeddedPostgres
import PostgresTesting
import Testing

@Suite(.serialized) struct `Health` {
    @Test func `a healthy server is live and ready`() async throws {
        try await IngestTestServer.open { server in
            for path in ["/livez", "/healthz", "/readyz"] {
                let response = try await server.get(path)
                #expect(response.status == 200)
                #expect(response.text == #"{"status":"ok"}"#)
            }
        }
    }

    @Test func `without the schema the server is live but not ready, and says what to do`() async throws {
        try await IngestTestServer.open(isMigrated: false) { server in
            #expect(try await server.get("/livez").status == 200)
            let response = try await server.get("/readyz")
            #expect(response.status == 503)
            #expect(response.headers["retry-after"] != nil)
            let answer = try response.answer
            #expect(answer.code == "wrong_schema")
            #expect(answer.message?.contains("widget-census migrate") == true)
        }
    }

    @Test func `without the schema batches get 503, because clients' data must survive a bad deployment`() async throws
    {
        try await IngestTestServer.open(isMigrated: false) { server in
            let response = try await server.post(Sample(Sample.opened()))
            #expect(response.status == 503)
            #expect(response.headers["retry-after"] != nil)
        }
    }

    @Test func `batches get 503 while a table is missing, and 202 once it is back`() async throws {
        try await IngestTestServer.open { server in
            _ = try await server.sql("alter table census.pending_device rename to hidden")
            let sample = Sample(Sample.opened())
            #expect(try await server.post(sample).status == 503)
            _ = try await server.sql("alter table census.hidden rename to pending_device")
            #expect(try await server.isAcceptedSoon(sample))
            #expect(try await server.rows(of: sample) == 1)
        }
    }

    @Test func `with a newer schema the server is not ready`() async throws {
        try await IngestTestServer.open { server in
            _ = try await server.sql(
                "insert into census_schema.version (version, name, digest) values (999, 'future', '')")
            let response = try await server.get("/readyz")
            #expect(response.status == 503)
            #expect(try response.answer.message?.contains("newer") == true)
        }
    }

    /// The server once stayed ready while every batch got 503.
    @Test func `the server is not ready while the store is read-only, and ready again afterwards`() async throws {
        try await IngestTestServer.open { server in
            try await server.setReadOnly("on")
            // On a busy machine a new session might take longer than /readyz waits, so it says that first.
            let isSaid = try await eventually { () async throws -> Bool in
                let status = try await server.get("/readyz").status
                #expect(status == 503)
                return server.logs.text.contains("default_transaction_read_only")
            }
            #expect(isSaid)
            #expect(try await server.post(Sample(Sample.opened())).status == 503)
            try await server.setReadOnly("off")
            #expect(try await server.isAcceptedSoon(Sample(Sample.opened())))
            #expect(try await server.get("/readyz").status == 200)
        }
    }

    @Test func `the server is not ready after a failed commit until one succeeds`() async throws {
        try await IngestTestServer.open { server in
            // Privileges don't show this failure.
            _ = try await server.sql(
                """
                create function refuse() returns trigger language plpgsql as 'begin raise exception using errcode = ''42501''; end';
                create trigger refuse before insert on census.pending_device execute function refuse()
                """)
            #expect(try await server.get("/readyz").status == 200)
            #expect(try await server.post(Sample(Sample.opened())).status == 503)
            let response = try await server.get("/readyz")
            #expect(response.status == 503)
            #expect(try response.answer.code == "store_unfit")
            _ = try await server.sql("drop trigger refuse on census.pending_device")
            #expect(try await server.isAcceptedSoon(Sample(Sample.opened())))
            #expect(try await server.get("/readyz").status == 200)
        }
    }
}

extension IngestTestServer {
    fileprivate func setReadOnly(_ value: String) async throws {
        _ = try await TestServer.shared().query(
            "alter database \(database.name) set default_transaction_read_only = \(value)", database: "postgres")
        // Wait until they are gone, because a request on an ending session gets 503 for another reason.
        _ = try await TestServer.shared().query(
            "select count(pg_terminate_backend(pid, 10000)) from pg_stat_activity where datname = '\(database.name)'",
            database: "postgres")
    }
}
