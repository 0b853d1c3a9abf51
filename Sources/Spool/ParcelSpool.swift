internal import CensusCore
package import CensusStore
internal import GRDB
internal import Synchronization

/// Parcels on this machine's disk, for as long as the store is away: one SQLite file, used by one process.
///
/// What it was given is synced when it says so, in the order of coming, and stays until it is told that the store has it.
package final class ParcelSpool: Sendable {
    /// What a row takes beside its payload, in the table and in the index, by estimate.
    private static let rowBytes = 128
    /// Bytes of the disk that are left free: with none SQLite can move nothing from its log to its file, nor delete.
    static let reserve = 16 << 20

    private let opened: Mutex<DatabaseQueue>
    private let isMending = Mutex(false)
    private let folder: SpoolFolder
    private let program: String
    private let state: Mutex<SpoolLevel>
    private let mendings: Mutex<[SpoolMending]>

    /// Opens the folder's spool with all that is in it, making it where there is none.
    ///
    /// What was set aside waits again: this program may be another one. Files that are damaged are put aside, and what is whole
    /// in them waits again, too: ``takeMendings()`` tells.
    ///
    /// - Parameters:
    ///   - limit: bytes that may wait; the file takes a little more.
    ///   - program: this program's version, told to whoever finds what he cannot read.
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

    /// What was damaged and put aside since somebody last asked.
    package func takeMendings() -> [SpoolMending] {
        mendings.withLock { mendings in
            defer { mendings = [] }
            return mendings
        }
    }

    /// Opens the file once more, as at a start, when it turned out to be damaged; meanwhile the spool takes nothing.
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

    /// Files that were put aside and still lie in the folder.
    package var damagedFiles: Int { folder.damagedCount }

    /// Ends the use of the folder; nothing may be asked of the spool afterwards.
    package func close() {
        try? database.close()
        folder.release()
    }

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
            // One that was too large says nothing of the others.
            if taken.allSatisfy(\.self) { state.condition = .open }
        }
        return taken
    }

    /// - Throws: ``SpoolError/diskFull``: what is written goes to the log first, and from there to the file.
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
