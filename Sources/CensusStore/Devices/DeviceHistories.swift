internal import CensusCore
internal import Postgres

/// The devices of one step, with what is new of them folded.
struct DeviceHistories: Sendable {
    fileprivate(set) var byDevice: [Pseudonym: DeviceHistory] = [:]
    fileprivate(set) var observations = 0

    var refolded: Int { byDevice.values.count(where: \.isRefolded) }

    /// In the order of their ids.
    var all: [DeviceHistory] { byDevice.values.sorted { $0.device < $1.device } }
}

extension Connection {
    /// Observations read at a time: what bounds the memory of a step, however long a history is.
    private static let pageSize = 50_000

    /// Reads and folds what is new of the claimed devices.
    func histories(
        of claims: DeviceClaims, fold: @Sendable (Int32) -> DeviceFold
    ) async throws -> DeviceHistories {
        let stored = try await storedDevices(claims.devices.keys.sorted())
        var histories = DeviceHistories()
        for (device, claim) in claims.devices {
            histories.byDevice[device] = DeviceHistory(
                device, claim, before: stored[device], fold: fold(claim.appNumber))
        }
        let whole = histories.byDevice.values.filter(\.isRefolded).map(\.device)
        try await read(whole.sorted(), occurredFrom: .distantPast, into: &histories)
        let rest = histories.byDevice.values.filter { !$0.isRefolded }.map(\.device)
        let from = rest.compactMap { claims.devices[$0]?.occurredFrom }.min()
        try await read(rest.sorted(), occurredFrom: from ?? .distantPast, into: &histories)
        return histories
    }

    /// Folds observations page by page, in order of time.
    private func read(
        _ devices: [Pseudonym], occurredFrom: Timestamp, into histories: inout DeviceHistories
    ) async throws {
        guard !devices.isEmpty else { return }
        var after = devices.compactMap { histories.byDevice[$0]?.foldedThrough ?? .distantPast }.min() ?? .distantPast
        var limit = Connection.pageSize
        while true {
            let page = try await observationPage(devices, occurredFrom: occurredFrom, after: after, limit: limit)
            guard let end = page.end else { return }
            // A page that is full of one instant has to be read whole.
            guard end > after || page.isLast else {
                limit *= 2
                continue
            }
            for (device, observations) in page.byDevice {
                let through = histories.byDevice[device]?.foldedThrough ?? .distantPast
                let fresh = observations.filter { $0.at > through && $0.at <= end }
                guard !fresh.isEmpty else { continue }
                histories.byDevice[device]?.add(fresh)
                histories.observations += fresh.count
            }
            for (device, failure) in page.failures { histories.byDevice[device]?.failure = failure }
            if page.isLast { return }
            after = end
        }
    }

    private func storedDevices(_ devices: [Pseudonym]) async throws -> [Pseudonym: StoredDevice] {
        var stored: [Pseudonym: StoredDevice] = [:]
        for row in try await query(SQL.`DeviceStore.devices`, [devices]) {
            stored[try row.decode(Pseudonym.self, at: 0)] = try StoredDevice(row)
        }
        return stored
    }

    /// Reads the spans that the new readings may change.
    func readSpans(of histories: inout DeviceHistories) async throws {
        var wanted = (devices: [Pseudonym](), endingFrom: Column<Timestamp>(), suspectSince: Column<Timestamp>())
        for history in histories.all where history.before != nil {
            wanted.devices.append(history.device)
            wanted.endingFrom.append(history.isRefolded ? nil : history.before?.lastHeardAt)
            wanted.suspectSince.append(history.before?.suspectSince)
        }
        guard !wanted.devices.isEmpty else { return }
        let rows = try await query(
            SQL.`DeviceStore.spans`, [wanted.devices, wanted.endingFrom, wanted.suspectSince])
        for row in rows {
            let device = try row.decode(Pseudonym.self, at: 0)
            histories.byDevice[device]?.spans[try row.decode(Int32.self, at: 1)] = try Span(row)
        }
    }
}

extension StoredDevice {
    /// A row of `DeviceStore.devices`, from column 1.
    init(_ row: Row) throws(PostgresError) {
        self.init(
            silentAt: try row.decode(Timestamp.self, at: 1),
            lastHeardAt: try row.decode(Timestamp.self, at: 2),
            suspectSince: try row.decode(Timestamp?.self, at: 3),
            foldedThrough: try row.decode(Timestamp?.self, at: 4),
            lastOrdinal: try row.decode(Int32.self, at: 5),
            checkpoint: try row.decode(ByteArray?.self, at: 6)?.bytes)
    }
}
