internal import CensusCore
package import CensusStore
internal import GRDB
internal import Synchronization

/// Parcels on this machine's disk, for as long as the store is away: one SQLite file, used by one process.
///
/// What it was given is synced when it says so, in the order of coming, and stays until it is told that the store has it.
package final class Spool: Sendable {
    /// What a row takes beside its payload, in the table and in the index, by estimate.
    private static let rowBytes = 128
    /// Bytes of the disk that are left free: with none SQLite can move nothing from its log to its file, nor delete.
    private static let reserve = 16 << 20

    let database: DatabaseQueue
    private let folder: String
    private let program: String
    private let state: Mutex<SpoolLevel>

    /// Opens the folder's spool with all that is in it, making it where there is none.
    ///
    /// What was set aside waits again: this program may be another one.
    ///
    /// - Parameters:
    ///   - limit: bytes that may wait; the file takes a little more.
    ///   - program: this program's version, told to whoever finds what he cannot read.
    /// - Throws: ``SpoolError``.
    package init(folder path: String, limit: Int, program: String) throws(SpoolError) {
        let folder = try SpoolFolder(path)
        do {
            database = try Spool.open(folder.file)
            state = Mutex(try database.write { db in try Spool.begin(db, limit: limit) })
        } catch let error as OtherLayout {
            throw .otherLayout(folder: path, number: error.number)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw .inUse(folder: path)
        } catch {
            throw SpoolError(error)
        }
        self.folder = path
        self.program = program
    }

    package var level: SpoolLevel { state.withLock { $0 } }

    /// Keeps parcels, those that fit, until the store has them.
    ///
    /// - Returns: for each parcel whether it was taken; then it is on the disk. Another one may be tried again later.
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
                let statement = try db.cachedStatement(sql: Spool.insert)
                for row in rows {
                    try statement.execute(arguments: [row.device.data, program, row.payload.data])
                }
            }
        } catch {
            state.withLock { state in
                state.bytes -= rows.reduce(0) { $0 + $1.bytes }
                state.condition = .failing(error)
            }
            throw error
        }
        state.withLock { state in
            state.batches += rows.count
            // One that was too large says nothing of the others.
            if taken.allSatisfy(\.self) { state.condition = .open }
        }
        return taken
    }

    /// - Throws: ``SpoolError/diskFull``: what is written goes to the log first, and from there to the file.
    func requireRoom(for bytes: Int) throws(SpoolError) {
        guard SpoolFolder.freeBytes(folder) >= 2 * bytes + Spool.reserve else { throw .diskFull }
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

        var bytes: Int { Spool.bytes(payload: payload.count) }
    }

    private static let insert = "insert into parcel (device, program, payload) values (?, ?, ?)"
}
