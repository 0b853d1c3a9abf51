internal import CensusCore
internal import Postgres

/// The devices of one step, with what is new of them folded.
struct DeviceHistories: Sendable {
    var byDevice: [Pseudonym: DeviceHistory] = [:]
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

    private func read(
        _ devices: [Pseudonym], occurredFrom: Timestamp, into histories: inout DeviceHistories
    ) async throws {
        try await foldPages(of: devices, into: &histories) { after, limit in
            try await observationPage(devices, occurredFrom: occurredFrom, after: after, limit: limit)
        }
    }

    /// Folds observations page by page, in order of time; those that a device was folded through are skipped.
    func foldPages(
        of devices: [Pseudonym], into histories: inout DeviceHistories,
        page read: (_ after: Timestamp, _ limit: Int) async throws -> ObservationPage
    ) async throws {
        guard !devices.isEmpty else { return }
        var after = devices.compactMap { histories.byDevice[$0]?.foldedThrough ?? .distantPast }.min() ?? .distantPast
        var limit = Connection.pageSize
        while true {
            let page = try await read(after, limit)
            guard let end = page.end else { return }
            // A page that is full of one instant has to be read whole.
            guard end > after || page.isLast else {
                limit *= 2
                continue
            }
            for (device, observations) in page.byDevice {
                try Task.checkCancellation()
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
            guard let device = try StoredDevice(row) else { continue }
            stored[try row.decode(Pseudonym.self, at: 0)] = device
        }
        return stored
    }

    /// Reads the spans and phases that the new readings may change.
    func readSpans(of histories: inout DeviceHistories) async throws {
        let known = histories.all.filter { $0.before != nil }
        let stored = try await storedSpans(known.map { ($0.device, endingFrom: $0.needsEndingFrom) })
        for (device, spans) in stored.spans { histories.byDevice[device]?.spans = spans }
        for (device, phases) in stored.phases { histories.byDevice[device]?.phases = phases }
        for device in stored.unreadable {
            histories.byDevice[device]?.isUnreadable = true
            histories.byDevice[device]?.failure = "a stored span or phase can't be read"
        }
    }

    /// The stored spans, by ordinal, and phases of devices, from a time on that each has to say; nil for all.
    func storedSpans(_ wanted: [(device: Pseudonym, endingFrom: Timestamp?)]) async throws -> StoredSpans {
        var stored = StoredSpans()
        guard !wanted.isEmpty else { return stored }
        let devices = wanted.map(\.device)
        var endingFrom = Column<Timestamp>()
        for one in wanted { endingFrom.append(one.endingFrom) }
        for row in try await query(SQL.`DeviceStore.spans`, [devices, endingFrom]) {
            let device = try row.decode(Pseudonym.self, at: 0)
            let ordinal = try row.decode(Int32.self, at: 1)
            do {
                stored.spans[device, default: [:]][ordinal] = try Span(row)
            } catch {
                stored.unreadable.insert(device)
            }
        }
        for row in try await query(SQL.`DeviceStore.phases`, [devices, endingFrom]) {
            let device = try row.decode(Pseudonym.self, at: 0)
            do {
                stored.phases[device, default: []].append(try Phase(row))
            } catch {
                stored.unreadable.insert(device)
            }
        }
        return stored
    }
}

/// What is stored of some devices.
struct StoredSpans: Sendable {
    var spans: [Pseudonym: [Int32: Span]] = [:]
    var phases: [Pseudonym: [Phase]] = [:]
    /// Devices of which something can't be read: a program that knows more wrote it, or somebody by hand. They must stop
    /// nobody else.
    var unreadable: Set<Pseudonym> = []
}

extension StoredDevice {
    /// A row of `DeviceStore.newest`: only what observations led to that are no longer kept.
    init(past row: Row) throws {
        self.init(
            lastOrdinal: 0, base: try Checkpoint(row, through: 5, bytes: 6),
            lacksPast: try row.decode(Bool?.self, at: 7) ?? false)
    }

    /// A row of `DeviceStore.devices`, from column 1; nil when nothing is stored of the device.
    fileprivate init?(_ row: Row) throws {
        let base = try Checkpoint(row, through: 8, bytes: 9)
        let lacksPast = try row.decode(Bool?.self, at: 10) ?? false
        guard let silentAt = try row.decode(Timestamp?.self, at: 1) else {
            guard let base else { return nil }
            self.init(counted: nil, lastOrdinal: 0, newest: nil, base: base)
            return
        }
        let counted = try ReportingZone(row, at: 4).map { zone in
            Counted(
                silentAt: silentAt, reportingUntil: try row.decode(Timestamp?.self, at: 2),
                dueAt: try row.decode(Timestamp?.self, at: 3), zone: zone)
        }
        self.init(
            counted: counted, lastOrdinal: try row.decode(Int32.self, at: 6),
            newest: try Checkpoint(row, through: 5, bytes: 7), base: base, lacksPast: lacksPast)
    }
}

extension StoredDevice.Checkpoint {
    init?(_ row: Row, through: Int, bytes: Int) throws(PostgresError) {
        guard let foldedThrough = try row.decode(Timestamp?.self, at: through),
            let bytes = try row.decode(ByteArray?.self, at: bytes)?.bytes
        else { return nil }
        self.init(foldedThrough: foldedThrough, bytes: bytes)
    }
}

extension ReportingZone {
    /// - Returns: nil where none is stored.
    init?(_ row: Row, at column: Int) throws {
        guard let name = try row.decode(String?.self, at: column) else { return nil }
        guard let zone = ReportingZone(identifier: name) else {
            throw StoreError(.ours, "a device was counted in a zone that this program does not know")
        }
        self = zone
    }
}
