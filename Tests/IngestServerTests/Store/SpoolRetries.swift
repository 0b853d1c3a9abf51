import CensusCore
import CensusStore
import PostgresTesting
import Testing

@testable import IngestServer
@testable import Spool

/// The drainer retries a batch that is set aside, because the store might accept it later.
@Suite(.serialized, .server) struct `Spool retries` {
    private let folder = TestFolder()

    private func spool() throws -> BatchSpool {
        try BatchSpool(folder: folder.path, limit: 64 << 20, program: "1.2.3")
    }

    private func drainer(_ server: IngestTestServer, _ spool: BatchSpool, firstRest: Duration) -> Drainer {
        Drainer(
            store: server.store, failover: Failover(spool: spool, metrics: IngestMetrics(), logger: server.logs.logger),
            logger: server.logs.logger, firstRest: firstRest)
    }

    /// Tests compare two counts, because the suite's tests share one log.
    private func timesTold(_ server: IngestTestServer) -> Int {
        server.logs.text.ranges(of: "a batch in the spool was set aside").count
    }

    /// A node drained into a half-finished restore, and its acknowledged batches stayed set aside until its next start.
    @Test func `a batch of a missing app is stored as soon as the app exists`() async throws {
        let server = try server()
        let spool = try spool()
        var sample = Sample(Sample.opened())
        sample.app = "com.example.restored"
        _ = try await spool.add([server.rows(sample, appNumber: 4_711)])
        let drainer = drainer(server, spool, firstRest: .seconds(3_600))
        let told = timesTold(server)
        for _ in 0..<3 { await drainer.drain() }
        #expect(spool.level.setAside == 1)
        #expect(timesTold(server) == told + 1)

        _ = try await server.sql(
            """
            insert into census.app (app_number, app_id) overriding system value values (4711, 'com.example.restored')
            """)
        for _ in 0..<2 { await drainer.drain() }
        #expect(spool.level == SpoolLevel(limit: 64 << 20))
        #expect(try await server.rows(of: sample) == 1)
        _ = try await server.sql("delete from census.app where app_number = 4711")
    }

    @Test func `a batch that PostgreSQL rejected is retried after a pause, and logged once`() async throws {
        let server = try server()
        let spool = try spool()
        let (sample, other) = (Sample(Sample.opened(id: "poison")), Sample(Sample.opened(id: "fine")))
        for sample in [sample, other] { _ = try await spool.add([server.rows(sample)]) }
        let device = server.device(sample)
        _ = try await server.sql(
            "alter table census.observation add constraint for_now check (device_id <> '\(device)') not valid")
        let drainer = drainer(server, spool, firstRest: .zero)
        let told = timesTold(server)
        for _ in 0..<5 { await drainer.drain() }
        #expect(spool.level.setAside == 1)
        #expect(try await server.rows(of: other) == 1)
        #expect(timesTold(server) == told + 1)
        _ = try await server.sql("alter table census.observation drop constraint for_now")
        for _ in 0..<2 { await drainer.drain() }
        #expect(spool.level.setAside == 0)
        #expect(try await server.rows(of: sample) == 1)
    }

    @Test func `while a batch is set aside the log does not claim that the store has every batch`() async throws {
        let server = try server()
        let spool = try spool()
        var sample = Sample(Sample.opened())
        _ = try await spool.add([server.rows(sample)])
        sample.app = "com.example.stranger"
        _ = try await spool.add([server.rows(sample, appNumber: 4_712)])
        await server.drainer(of: spool).drain()
        #expect(!server.logs.text.contains("the store has every batch"))
        #expect(server.logs.text.contains("the spool has drained, except for batches that are set aside or lost"))
    }

    @Test func `damaged batches are logged and counted, and the others reach the store`() async throws {
        let server = try server()
        let first = try spool()
        let samples = (0..<40).map { Sample(Sample.opened(id: "event \($0)")) }
        for sample in samples { _ = try await first.add([server.rows(sample)]) }
        first.close()
        try SpoolFiles.spoil(folder.path + "/00000001.sqlite", page: 4)
        let next = try spool()
        let metrics = IngestMetrics()
        let failover = Failover(spool: next, metrics: metrics, logger: server.logs.logger)
        await Drainer(store: server.store, failover: failover, logger: server.logs.logger).drain()
        #expect(next.level.batches == 0)
        var stored = 0
        for sample in samples { stored += try await server.rows(of: sample) }
        #expect(stored > 0 && stored < 40)
        #expect(server.logs.text.contains("error the spool's file was damaged"))
        var exposition = Exposition()
        metrics.write(next, to: &exposition)
        #expect(exposition.text.contains("widget_census_spool_lost_batches_total \(40 - stored)"), "\(exposition.text)")
        #expect(exposition.text.contains("widget_census_spool_damaged_files 1"))
    }
}
