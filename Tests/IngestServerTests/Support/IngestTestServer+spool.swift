import CensusCore
import CensusStore
import Foundation
import GRDB
import PostgresTesting
import Testing

@testable import IngestServer
@testable import Spool

extension IngestTestServer {
    /// A sample's rows as the server would pass them to the store or the spool.
    ///
    /// - Parameter appNumber: By default the number of the sample's app.
    func rows(
        _ sample: Sample, names: KnownNames = KnownNames(), appNumber: Int32? = nil
    ) async throws -> BatchRows {
        let batch = try BatchDecoder(limits: limits).decode(Array(sample.json.utf8), received: clock.now)
        let number = if let appNumber { appNumber } else { try await store.apps.app(sample.app).number }
        return BatchRows(batch, names: names, appNumber: number, secret: secret, received: clock.now)
    }

    func device(_ sample: Sample) -> Pseudonym { secret.device(sample.device, app: sample.app) }

    /// A drainer of a spool that isn't the server's. It drains only when the test calls it.
    func drainer(of spool: BatchSpool) -> Drainer {
        Drainer(
            store: store, failover: Failover(spool: spool, metrics: IngestMetrics(), logger: logs.logger),
            logger: logs.logger)
    }

    /// Waits until the server's spool is empty.
    func isDrainedSoon(within limit: Duration = .seconds(60)) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if spool?.level.batches == 0 { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }
}

extension BatchSpool {
    /// Adds a payload that another version of the program might have written.
    func append(payload: [UInt8], program: String) throws {
        try append([NewRow(device: Data(count: 16), program: program, payload: Data(payload))])
    }

    /// Runs SQL on the segment that gets new batches.
    func execute(_ sql: String) throws {
        try use(segments.count - 1) { try $0.writeWithoutTransaction { try $0.execute(sql: sql) } }
    }
}

/// The files of a spool as bytes.
enum SpoolFiles {
    /// Whether any file in the folder contains these bytes.
    static func hold(_ bytes: [UInt8], in folder: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
            try Data(contentsOf: URL(filePath: "\(folder)/\(name)")).range(of: Data(bytes)) != nil
        }
    }

    static func hold(_ device: Pseudonym, in folder: String) throws -> Bool {
        try hold(device.bytes, in: folder)
    }

    /// Overwrites one page, counted from 1.
    static func spoil(_ file: String, page: Int) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.seek(toOffset: UInt64(page - 1) * 4_096)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
        try handle.close()
    }
}
