package import CensusCore
internal import Foundation
internal import GRDB

extension Spool {
    /// Deletes all that waits or is set aside of some devices, and what the files still hold of it.
    ///
    /// - Returns: how many parcels there were.
    @discardableResult
    package func erase(_ devices: [Pseudonym]) async throws(SpoolError) -> Int {
        let devices = devices.map(\.data)
        let gone = try await write { db in
            var gone = SpoolLevel(limit: 0)
            let statement = try db.cachedStatement(
                sql: "delete from parcel where device = ? returning length(payload), set_aside is not null")
            for device in devices {
                for row in try Row.fetchAll(statement, arguments: [device]) {
                    gone.bytes += Spool.bytes(payload: row[0])
                    let isSetAside: Bool = row[1]
                    if isSetAside { gone.setAside += 1 } else { gone.batches += 1 }
                }
            }
            return gone
        }
        guard gone.batches + gone.setAside > 0 else { return 0 }
        change { level in
            level.batches -= gone.batches
            level.setAside -= gone.setAside
            level.bytes -= gone.bytes
        }
        // Overwriting misses copies that pages leave behind when they are split and joined: only new pages have none.
        try await compact()
        return gone.batches + gone.setAside
    }

    /// Whose parcels are set aside.
    package func devicesSetAside() async throws(SpoolError) -> [Pseudonym] {
        try await withoutTransaction { db in
            try Data.fetchAll(db, sql: "select distinct device from parcel where set_aside is not null")
                .map(Pseudonym.init)
        }
    }
}

extension Pseudonym {
    fileprivate init(_ data: Data) {
        let words = data.withUnsafeBytes { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self.init(high: words.0, low: words.1)
    }
}
