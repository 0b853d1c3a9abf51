import CensusCore
import CensusStore
import PostgresTesting
import Testing

@testable import IngestServer
@testable import Spool

/// Spooled batches reach the store in order and once, despite any other failure.
@Suite(.serialized, .server) struct `Spool drains` {
    private let folder = TestFolder()

    private func spool(limit: Int = 64 << 20) throws -> BatchSpool {
        try BatchSpool(folder: folder.path, limit: limit, program: "1.2.3")
    }

    @Test func `the next process delivers a killed process's batches, in order`() async throws {
        let server = try server()
        let killed = try spool()
        var sample = Sample()
        for number in 0..<40 {
            // The store keeps the first of equal events, so the table shows the order.
            sample.events = [Sample.opened("kind-\(number)"), Sample.opened(id: "event-\(number)")]
            #expect(try await killed.add([server.rows(sample)]) == [true])
        }
        killed.close()
        let next = try spool()
        await server.drainer(of: next).drain()
        #expect(next.level == SpoolLevel(limit: 64 << 20))
        #expect(try await server.rows(of: sample) == 41)
        let first = "select content::text from census.observation where event_id = 'event' and device_id = "
        #expect(try await server.sql(first + "'\(server.device(sample))'").contains("kind-0\""))
        #expect(server.logs.text.contains("the spool has batches from an earlier run [\"batches\": 40]"))
    }

    @Test func `a batch that was committed but not removed is delivered again, and changes nothing`() async throws {
        let server = try server()
        let spool = try spool()
        let sample = Sample(Sample.opened(), Sample.reported("weather"), "17")
        let rows = try await server.rows(sample)
        _ = try await server.store.log.append([rows], within: .seconds(60))
        _ = try await spool.add([rows, rows])
        await server.drainer(of: spool).drain()
        #expect(try await server.rows(of: sample) == 2)
        #expect(try await server.refusals(of: sample).count == 1)
        #expect(spool.level.batches == 0)
    }

    @Test func `a batch that the store rejects is set aside, and the others are stored`() async throws {
        let server = try server()
        let spool = try spool()
        let samples = (0..<9).map { Sample(Sample.opened(id: "poison-\($0)")) }
        for (number, sample) in samples.enumerated() {
            var bytes = Array(try await server.rows(sample).bytes.dropLast(8))
            if number == 4, let start = bytes.firstRange(of: Array("poison-4".utf8))?.lowerBound { bytes[start] = 0 }
            _ = try await spool.add([try BatchRows(bytes: BatchRows.sealed(bytes))])
        }
        let drainer = server.drainer(of: spool)
        await drainer.drain()
        for (number, sample) in samples.enumerated() {
            #expect(try await server.rows(of: sample) == (number == 4 ? 0 : 1))
        }
        #expect(spool.level.setAside == 1)
        #expect(spool.level.batches == 0)
        #expect(spool.level.bytes > 0)
        #expect(server.logs.text.contains("error a batch in the spool was set aside"))
        #expect(!server.logs.text.contains("oison-4"))

        // Another node or a command erases the device.
        _ = try await server.store.forgetting.forget(
            server.device(samples[4]), of: server.store.apps.app(IngestTestServer.app))
        await server.drainer(of: spool).drain()
        #expect(spool.level == SpoolLevel(limit: 64 << 20))
        #expect(try !SpoolFiles.hold(server.device(samples[4]), in: folder.path))
    }

    /// After a restore from a backup older than the app, the batch once blocked later ones, or counted for another app.
    @Test(arguments: [false, true], [false, true])
    func `a batch of a missing app is set aside, and the others are stored`(
        hasNewNames: Bool, isNumberTaken: Bool
    ) async throws {
        let server = try server()
        let spool = try spool()
        let samples = (0..<3).map { Sample(Sample.opened(id: "app-\($0)")) }
        var names = KnownNames()
        if hasNewNames { names.kinds = ["new"] }
        _ = try await server.store.apps.add("com.example.later")
        let stranger = isNumberTaken ? try await server.store.apps.app("com.example.later").number : 9_999
        for (number, sample) in samples.enumerated() {
            let rows = try await server.rows(sample, names: names, appNumber: number == 1 ? stranger : nil)
            _ = try await spool.add([rows])
        }
        await server.drainer(of: spool).drain()
        for (number, sample) in samples.enumerated() {
            #expect(try await server.rows(of: sample) == (number == 1 ? 0 : 1))
        }
        #expect(spool.level.setAside == 1)
        #expect(spool.level.batches == 0)
        #expect(server.logs.text.contains("its app is not in this database"))
    }

    @Test func `damaged batches and batches of an unknown format are set aside, logged and kept`() async throws {
        let server = try server()
        let newer = try spool()
        let sample = Sample(Sample.opened())
        for payload in [[99, 1, 2, 3], Array(try await server.rows(sample).bytes.dropLast())] {
            try await newer.append(payload: payload, program: "9.9.9")
        }
        _ = try await newer.add([server.rows(sample)])
        newer.close()
        let spool = try spool()
        await server.drainer(of: spool).drain()
        #expect(try await server.rows(of: sample) == 1)
        #expect(spool.level.setAside == 2)
        #expect(server.logs.text.contains("its format is 99, which this version does not know; run version 9.9.9"))
        #expect(server.logs.text.contains("its bytes are damaged"))
        spool.close()
        #expect(try self.spool().level.batches == 2)
    }

    @Test func `a device erased meanwhile is neither in the database nor in the files`() async throws {
        let server = try server()
        let spool = try spool()
        let (sample, other) = (Sample(Sample.opened(), "17"), Sample(Sample.opened()))
        _ = try await spool.add([server.rows(sample), server.rows(other), server.rows(sample)])
        #expect(try SpoolFiles.hold(server.device(sample), in: folder.path))
        #expect(try !SpoolFiles.hold(Array(sample.device.utf8), in: folder.path), "raw ids are stored nowhere")
        _ = try await server.store.forgetting.forget(
            server.device(sample), of: server.store.apps.app(IngestTestServer.app))
        await server.drainer(of: spool).drain()
        #expect(spool.level.batches == 0)
        #expect(try await server.rows(of: sample) == 0)
        #expect(try await server.refusals(of: sample) == [])
        #expect(try await server.rows(of: other) == 1)
        for device in [server.device(sample), server.device(other)] {
            #expect(try !SpoolFiles.hold(device, in: folder.path))
        }
    }

    @Test func `with a wrong schema the spool waits, logs it once, and drains once the schema is right`() async throws {
        let server = try server()
        let spool = try spool()
        let sample = Sample(Sample.opened())
        _ = try await spool.add([server.rows(sample)])
        let drainer = server.drainer(of: spool)
        _ = try await server.sql("alter table census.pending_device rename to hidden")
        for _ in 0..<3 { await drainer.drain() }
        #expect(spool.level.batches == 1)
        #expect(server.logs.text.ranges(of: "the store rejects spooled batches").count == 1)
        _ = try await server.sql("alter table census.hidden rename to pending_device")
        await drainer.drain()
        #expect(spool.level.batches == 0)
        #expect(try await server.rows(of: sample) == 1)
    }

    @Test func `an unreadable spool does not keep the failover on`() async throws {
        let server = try server()
        let spool = try spool()
        _ = try await spool.add([server.rows(Sample(Sample.opened()))])
        let failover = Failover(spool: spool, metrics: IngestMetrics(), logger: server.logs.logger)
        try await spool.execute("alter table batch rename to hidden")
        failover.begin(StoreError(.away, "away for a moment"))
        await Drainer(store: server.store, failover: failover, logger: server.logs.logger).drain()
        #expect(!failover.isOn)
        try await spool.execute("alter table hidden rename to batch")
    }

    @Test func `batches reach the store even if the disk rejects deletes`() async throws {
        let server = try server()
        let spool = try spool()
        let samples = (0..<5).map { _ in Sample(Sample.opened()) }
        for sample in samples { _ = try await spool.add([server.rows(sample)]) }
        // This batch stays. Without it the drainer would remove the file instead of deleting rows.
        try await spool.append(payload: [99], program: "9.9.9")
        try await spool.execute(
            "create temp trigger full_disk before delete on batch begin select raise(abort, 'disk full'); end")
        let failover = Failover(spool: spool, metrics: IngestMetrics(), logger: server.logs.logger)
        let drainer = Drainer(store: server.store, failover: failover, logger: server.logs.logger)
        for _ in 0..<2 { await drainer.drain() }
        for sample in samples { #expect(try await server.rows(of: sample) == 1) }
        #expect(spool.level.batches == 5)
        #expect(server.logs.text.ranges(of: "refuses to delete").count == 1)
        // After another outage the failover once stayed on forever, although the store was back.
        failover.begin(StoreError(.away, "away for a moment"))
        await drainer.drain()
        #expect(!failover.isOn)
        try await spool.execute("drop trigger full_disk")
        await drainer.drain()
        #expect(spool.level.batches == 0)
    }
}
