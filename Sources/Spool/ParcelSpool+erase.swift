package import CensusCore
internal import Foundation
internal import GRDB

extension ParcelSpool {
    /// A file up to this size is rebuilt while the caller waits: it takes a fraction of a second.
    private static let smallBytes = 16 << 20

    /// Deletes all parcels of some devices, waiting or set aside, and their traces in the files: at once where those are small,
    /// otherwise when they have drained.
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
                    gone.bytes += ParcelSpool.bytes(payload: row[0])
                    let isSetAside: Bool = row[1]
                    if isSetAside { gone.setAside += 1 } else { gone.batches += 1 }
                }
            }
            return gone
        }
        change { level in
            level.batches -= gone.batches
            level.setAside -= gone.setAside
            level.bytes -= gone.bytes
            guard gone.bytes > 0 else { return }
            level.isDirty = true
            if level.condition == .full { level.condition = .open }
        }
        // Overwriting misses copies left behind when pages are split and joined: only new pages have none. They may be
        // of a device that was deleted before.
        if level.isDirty, level.bytes <= ParcelSpool.smallBytes { try await compact() }
        return gone.batches + gone.setAside
    }

    /// The devices with parcels that are set aside.
    package func devicesSetAside() async throws(SpoolError) -> [Pseudonym] {
        try await withoutTransaction { db in
            try Data.fetchAll(db, sql: "select distinct device from parcel where set_aside is not null")
                .compactMap { Pseudonym(bytes: Array($0)) }
        }
    }
}
