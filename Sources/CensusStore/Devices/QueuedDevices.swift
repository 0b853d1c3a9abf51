internal import CensusCore
internal import Postgres

/// Devices taken from the queue, with the time since which each has new observations.
struct QueuedDevices: Sendable {
    struct Entry: Sendable {
        var appNumber: Int32
        /// Identifies it in the queue; of several entries the smallest. 0: it was not queued.
        var number: Int64 = 0
        /// The earliest corrected time of a new observation; nil: fold the device from the start.
        var earliestAt: Timestamp?
        /// Partitions before this time as sent have nothing new; nil means the same as above.
        var occurredFrom: Timestamp?
        /// Partitions after this time as sent have nothing new; nil if unknown.
        var occurredThrough: Timestamp?
        /// When it was queued first.
        var queuedAt: Timestamp?
        /// Whether to trust nothing derived from its observations, fold it from the start, and read all its stored rows again.
        var readsAll = false
    }

    var devices: [Pseudonym: Entry] = [:]
    /// Queue entries; a device can have several.
    var taken = 0
    /// The last device that was examined.
    var last: Pseudonym?
    /// Whether some of the claimed devices were left for another step.
    private(set) var isCut = false
    /// Entries of devices that other sessions work on.
    var busy: [QueueEntry] = []

    /// Makes every device be folded as if only its observations and its base could be trusted.
    mutating func readAll() {
        for (device, var entry) in devices {
            entry.earliestAt = nil
            entry.occurredFrom = nil
            entry.occurredThrough = nil
            entry.readsAll = true
            devices[device] = entry
        }
    }

    /// Keeps only some devices. The sweep continues after the last kept device before the first one left out.
    ///
    /// - Returns: the devices left out.
    mutating func keep(_ kept: some Collection<Pseudonym>) -> [Pseudonym: Entry] {
        let kept = Set(kept)
        let left = devices.filter { !kept.contains($0.key) }
        guard let first = left.keys.min() else { return [:] }
        devices = devices.filter { kept.contains($0.key) }
        isCut = true
        last = kept.filter { $0 < first }.max() ?? last
        return left
    }

    /// Where the new observations of some devices are, which were all folded up to their earliest one.
    func range(of some: [Pseudonym]) -> ObservationRange {
        let entries = some.compactMap { devices[$0] }
        var range = ObservationRange(devices: some)
        if let first = entries.compactMap(\.occurredFrom).min() { range.occurredFrom = first }
        let ends = entries.compactMap(\.occurredThrough)
        if let last = ends.max(), ends.count == entries.count { range.occurredBefore = last + .microseconds(1) }
        return range
    }
}

extension Transaction {
    /// Takes devices from the queue and locks them until the transaction ends.
    func takeQueued(_ part: QueuedPart) async throws -> QueuedDevices {
        var queued = QueuedDevices()
        let locked: [Pseudonym]
        switch part {
        case .next(let previous, let last, let limit):
            let next = try await devices(SQL.DeviceStore.next, [previous ?? .first, limit, last])
            queued.last = next.last
            locked = next.isEmpty ? [] : try await devices(SQL.DeviceStore.lockFree, [next])
            let busy = Set(next).subtracting(locked).sorted()
            if !busy.isEmpty { queued.busy = try await rows(SQL.DeviceStore.entries, [busy]) }
        case .these(let devices):
            queued.last = devices.last
            locked = try await self.devices(SQL.DeviceStore.lockFree, [devices])
        case .waitingFor(let device):
            queued.last = device
            locked = [device]
            try await lock([device])
        }
        guard !locked.isEmpty else { return queued }
        // Statements after the lock see everything that the lock's last holder wrote.
        for row in try await query(SQL.DeviceStore.take, [locked]) {
            queued.taken += try row["entries"]
            queued.devices[try row["device_id"]] = try QueuedDevices.Entry(
                appNumber: row["app_number"], number: row["pending_number"], earliestAt: row["earliest_at"],
                occurredFrom: row["occurred_from"], occurredThrough: row["occurred_through"],
                queuedAt: row["queued_at"])
        }
        return queued
    }

    /// Locks devices until the transaction ends, so that one session at a time changes what is stored about each. Waits for
    /// sessions that work on them.
    func lock(_ devices: [Pseudonym]) async throws {
        // A holder that can't be reached is ended by PostgreSQL after 60 s (Store.sessionSettings).
        try await run(SQL.DeviceStore.lock, [devices], deadline: .seconds(120))
    }

    /// The devices that a statement returns.
    func devices(_ statement: Statement, _ parameters: [(any PostgresCodable)?]) async throws -> [Pseudonym] {
        try await query(statement, parameters).map { try $0["device_id"] as Pseudonym }
    }
}
