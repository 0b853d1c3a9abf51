internal import CensusCore
package import CensusStore
internal import GRDB
internal import Synchronization

/// Parcels on this machine's disk, for as long as the store is away: one SQLite file, used by one process.
///
/// Parcels are synced to the disk before ``add(_:)`` returns, kept in order of arrival, and stay until the store has them.
package final class ParcelSpool: Sendable {
    /// An estimate of what a row takes besides its payload, in the table and in the index.
    private static let rowBytes = 128
    /// Bytes that are left free on the disk: without any, SQLite can neither delete nor move anything from its log to its file.
    static let reserve = 16 << 20

    private let opened: Mutex<DatabaseQueue>
    private let isMending = Mutex(false)
    private let folder: SpoolFolder
    private let program: String
    private let state: Mutex<SpoolLevel>
    private let mendings: Mutex<[SpoolMending]>

    /// Opens the folder's spool with all that is in it, making it where there is none.
    ///
    /// What was set aside waits again, because this may be another version of the program. Damaged files are put aside, and what
    /// is intact in them waits again, too: see ``takeMendings()``.
    ///
    /// - Parameters:
    ///   - limit: bytes that may wait; the file takes a little more.
    ///   - program: this program's version, for another version that can't read what it finds.
    /// - Throws: ``SpoolError``.
    package init(folder path: String, limit: Int, program: String) throws(SpoolError) {
        folder = try SpoolFolder(path)
        let opened = try ParcelSpool.openMending(folder, limit: limit)
        self.opened = Mutex(opened.database)
        state = Mutex(opened.level)
        mendings = Mutex(opened.mendings)
        self.program = program
    }

    var database: DatabaseQueue { opened.withLock { $0 } }

    package var level: SpoolLevel { state.withLock { $0 } }

    /// What was damaged and put aside since the last call.
    package func takeMendings() -> [SpoolMending] {
        mendings.withLock { mendings in
            defer { mendings = [] }
            return mendings
        }
    }

    /// Opens the file again, as at a start, after it turned out to be damaged; until then the spool takes nothing.
    func mend(_ broken: DatabaseQueue) {
        guard broken === database, isMending.withLock({ $0.begins() }) else { return }
        defer { isMending.withLock { $0 = false } }
        try? broken.close()
        guard let opened = try? ParcelSpool.openMending(folder, limit: level.limit) else { return }
        self.opened.withLock { $0 = opened.database }
        change { level in
            let lost = level.lost
            level = opened.level
            level.lost += lost
        }
        mendings.withLock { $0 += opened.mendings }
    }

    /// How many files that were put aside are still in the folder.
    package var damagedFiles: Int { ParcelSpool.damagedFiles(in: folder.path) }

    /// The same for a folder that another process may be using. A file counts once, with its logs.
    package static func damagedFiles(in folder: String) -> Int { SpoolFolder.asideCount(in: folder) }

    /// Closes the file and gives up the folder. The spool can't be used afterwards.
    package func close() {
        try? database.close()
        folder.release()
    }

    /// Keeps the parcels that fit until the store has them.
    ///
    /// - Returns: for each parcel whether it was taken, and so is on the disk.
    /// - Throws: ``SpoolError`` when the disk took none of them.
    package func add(_ parcels: [Parcel]) async throws(SpoolError) -> [Bool] {
        var rows: [NewRow] = []
        let taken = parcels.map { parcel in
            let row = NewRow(device: parcel.device, payload: parcel.bytes)
            guard reserve(row.bytes) else { return false }
            rows.append(row)
            return true
        }
        guard !rows.isEmpty else { return taken }
        do throws(SpoolError) {
            try requireRoom(for: rows.reduce(0) { $0 + $1.bytes })
            try await write { [rows, program] db in
                let statement = try db.cachedStatement(sql: ParcelSpool.insert)
                for row in rows {
                    try statement.execute(arguments: [row.device.data, program, row.payload.data])
                }
            }
        } catch {
            state.withLock { state in
                state.bytes = max(0, state.bytes - rows.reduce(0) { $0 + $1.bytes })
                state.condition = .failing(error)
            }
            throw error
        }
        state.withLock { state in
            state.batches += rows.count
            // A parcel that was too large says nothing about the others.
            if taken.allSatisfy(\.self) { state.condition = .open }
        }
        return taken
    }

    /// - Throws: ``SpoolError/diskFull`` without room for twice as much: it goes to the log first, and from there to the file.
    func requireRoom(for bytes: Int) throws(SpoolError) {
        guard SpoolFolder.freeBytes(folder.path) >= 2 * bytes + ParcelSpool.reserve else { throw .diskFull }
    }

    private func reserve(_ bytes: Int) -> Bool {
        state.withLock { state in
            guard state.bytes + bytes <= state.limit else {
                if state.condition == .open { state.condition = .full }
                return false
            }
            state.bytes += bytes
            return true
        }
    }

    func change(_ body: (inout SpoolLevel) -> Void) { state.withLock { body(&$0) } }

    /// What a row counts as.
    static func bytes(payload: Int) -> Int { payload + rowBytes }

    private struct NewRow: Sendable {
        var device: Pseudonym
        var payload: [UInt8]

        var bytes: Int { ParcelSpool.bytes(payload: payload.count) }
    }

    private static let insert = "insert into parcel (device, program, payload) values (?, ?, ?)"
}

extension Bool {
    /// - Returns: whether it was false, which it is no longer.
    fileprivate mutating func begins() -> Bool {
        defer { self = true }
        return !self
    }
}
