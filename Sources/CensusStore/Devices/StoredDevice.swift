internal import CensusCore
internal import Postgres

/// What is stored about a device.
struct StoredDevice: Sendable {
    /// How it was counted; nil if it was not counted yet.
    struct Counted: Sendable {
        var silentAt: Timestamp
        var reportingUntil: Timestamp?
        var dueAt: Timestamp?
        var zone: ReportingZone
        var firstHeard: DeviceReading.FirstHeard
    }

    struct Checkpoint: Sendable {
        var foldedThrough: Timestamp
        var bytes: [UInt8]
    }

    var counted: Counted?
    var lastOrdinal: Int32
    var newest: Checkpoint?
    /// The state from observations that are no longer kept.
    var base: Checkpoint?
    /// Whether the base is missing although the device's first observation is no longer kept.
    var lacksPast = false
}

/// What is stored for one device besides the device itself, or the newer part of it.
struct StoredRows: Sendable {
    /// By ordinal.
    var spans: [Int32: Span] = [:]
    /// By time.
    var phases: [Phase] = []
    var months: Set<DeviceUses.Month> = []
    /// All of them.
    var cohorts = Cohorts()

    var uses: DeviceUses { DeviceUses(months) }
}

extension StoredDevice {
    /// A row of `DeviceStore.devices`; nil when nothing is stored about the device.
    fileprivate init?(_ row: Row) throws {
        let base = try Checkpoint(row, through: "base_through", bytes: "base_state")
        guard (try row["silent_at"] as Timestamp?) != nil else {
            guard let base else { return nil }
            self.init(counted: nil, lastOrdinal: 0, newest: nil, base: base)
            return
        }
        let counted = try Counted(row)
        try self.init(
            counted: counted, lastOrdinal: row["last_ordinal"],
            newest: Checkpoint(row, through: "folded_through", bytes: "checkpoint"), base: base)
    }
}

extension StoredDevice.Checkpoint {
    /// - Parameters:
    ///   - through: the column with the time through which observations were folded.
    ///   - bytes: the column that holds the state.
    init?(_ row: Row, through: String, bytes: String) throws(PostgresError) {
        guard let foldedThrough = try row.decode(through, as: Timestamp?.self),
            let bytes = try row.decode(bytes, as: ByteArray?.self)?.bytes
        else { return nil }
        self.init(foldedThrough: foldedThrough, bytes: bytes)
    }
}

extension StoredDevice.Counted {
    /// The columns of `census.device` that say how the device was counted.
    ///
    /// - Returns: nil when no zone is stored: the device was not counted yet.
    init?(_ row: Row) throws {
        guard let name: String = try row["zone"] else { return nil }
        guard let zone = ReportingZone(identifier: name) else {
            throw StoreError(.ours, "a device was counted in a zone that this program does not know")
        }
        try self.init(
            silentAt: row["silent_at"], reportingUntil: row["reporting_until"], dueAt: row["due_at"], zone: zone,
            firstHeard: DeviceReading.FirstHeard(at: row["first_heard_at"], platform: row["platform"]))
    }
}

/// The state from a device's observations that are no longer kept is unreadable.
struct UnreadablePast: Error, CustomStringConvertible {
    let description: String
}

extension DeviceFold {
    /// The state from observations that are no longer kept; empty when all are kept.
    func past(of stored: StoredDevice?) throws(UnreadablePast) -> DeviceState {
        if stored?.lacksPast == true {
            throw UnreadablePast(
                description:
                    "its first observations are no longer kept, and what they led to (census.device_base) is missing")
        }
        guard let base = stored?.base else { return DeviceState() }
        do throws(UnreadableState) {
            return try state(base: base.bytes)
        } catch {
            throw UnreadablePast(
                description:
                    "what its older observations led to (census.device_base) can't be read: \(error)")
        }
    }
}

extension Querying {
    /// - Returns: what is stored, and which of the devices are implausible.
    func storedDevices(
        _ devices: [Pseudonym], deadline: Duration? = nil
    ) async throws -> (stored: [Pseudonym: StoredDevice], implausible: Set<Pseudonym>) {
        var stored: [Pseudonym: StoredDevice] = [:]
        var implausible: Set<Pseudonym> = []
        var doubtful: [Pseudonym] = []
        for row in try await query(SQL.DeviceStore.devices, [devices], deadline: deadline) {
            let device: Pseudonym = try row["device_id"]
            if try row["is_implausible"] { implausible.insert(device) }
            if (try row["may_lack_past"] as Bool?) == true { doubtful.append(device) }
            stored[device] = try StoredDevice(row)
        }
        for device in try await lackingPast(doubtful, deadline: deadline) { stored[device]?.lacksPast = true }
        return (stored, implausible)
    }

    /// Which of some devices without a base have lost their first observation. This is a separate statement because it reads
    /// all partitions, and hardly any device needs it.
    func lackingPast(_ devices: [Pseudonym], deadline: Duration? = nil) async throws -> [Pseudonym] {
        guard !devices.isEmpty else { return [] }
        return try await query(SQL.DeviceStore.lackingPast, [devices], deadline: deadline).map {
            try $0["device_id"] as Pseudonym
        }
    }
}
