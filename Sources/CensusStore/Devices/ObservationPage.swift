package import CensusCore
internal import Postgres

/// Some observations of some devices, device by device, each device's in fold order.
struct ObservationPage: Sendable {
    private(set) var byDevice: [Pseudonym: [Observation]] = [:]
    /// Devices with unreadable observations, and the reasons.
    private(set) var failures: [Pseudonym: String] = [:]
    /// Bytes of texts.
    let bytes: Int
    /// Where the next page begins; nil when nothing follows.
    private(set) var next: Place?
    /// Whether it can end within an instant, if it has observations of only that one.
    private(set) var endsWithinInstant = false

    /// The place of an observation among all of them.
    struct Place: Sendable {
        var device = Pseudonym.first
        var at = Timestamp.distantPast
        var isReport = false
        var id = ""
        var occurredAt = Timestamp.distantPast
    }

    /// - Parameter bytes: of texts.
    init(_ rows: Rows, bytes: Int, limits: ReadLimits) throws {
        self.bytes = bytes
        var reader = ObservationReader()
        for row in rows {
            let device = try row.decode(.deviceId, as: Pseudonym.self)
            do {
                byDevice[device, default: []].append(try reader.read(row))
            } catch {
                failures[device] = ObservationPage.reason(error)
            }
        }
        guard let last = rows.last, rows.count == limits.rows || bytes >= limits.bytes else { return }
        next = Place(
            device: try last.decode(.deviceId, as: Pseudonym.self),
            at: try last.decode(.correctedAt, as: Timestamp.self),
            isReport: try last.decode(.type, as: String.self) == EventType.widgetsReported.rawValue,
            id: try last.decode(.eventId, as: String.self),
            occurredAt: try last.decode(.occurredAt, as: Timestamp.self))
        endBeforeInstant()
    }

    /// Leaves the last instant to the next page, because the observations of one instant are folded together.
    private mutating func endBeforeInstant() {
        guard let last = next, let own = byDevice[last.device] else { return }
        let whole = own.prefix { $0.at < last.at }
        guard !whole.isEmpty || byDevice.count > 1 else { return endsWithinInstant = true }
        byDevice[last.device] = whole.isEmpty ? nil : Array(whole)
        // Sorts before all ids of the instant, because no id is empty.
        next = Place(device: last.device, at: last.at)
    }

    /// Joins this page, which has the whole instant within which another one ended, with that other page.
    ///
    /// - Parameter following: where the next page begins, unless the instant continues there.
    mutating func replace(_ other: ObservationPage, following: Place) {
        failures.merge(other.failures) { own, _ in own }
        next = next ?? following
    }

    /// Sums up the bytes of rows in PostgreSQL, so that no more are sent. That takes a third longer.
    fileprivate static let weighed = Statement(
        "DeviceStore.weighed",
        "with next as (\n\(SQL.DeviceStore.observations.text)\n),\n\(SQL.DeviceStore.weighed.text)")

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as StoredContentError:
            "the content of an observation of type \(error.type.rawValue) can't be read"
        case is UnknownObservation: "an observation has a type, surface or platform that this program does not know"
        default: "an observation can't be read"
        }
    }
}

/// Which observations to read.
struct ObservationRange: Sendable {
    /// In order.
    var devices: [Pseudonym]
    /// The earliest time as sent; partitions are chosen by it and by ``occurredBefore``.
    var occurredFrom = Timestamp.distantPast
    var occurredBefore = Timestamp.distantFuture
    /// Only corrected times after this.
    var after = Timestamp.distantPast
    /// Only corrected times before this.
    var before = Timestamp.distantFuture
}

extension Querying {
    /// - Parameter limits: is exceeded for an instant that does not fit, up to ``ReadLimits/mostOfInstant``.
    func observationPage(
        _ range: ObservationRange, from place: ObservationPage.Place = .init(), limits: ReadLimits,
        deadline: Duration? = nil
    ) async throws -> ObservationPage {
        func page(_ range: ObservationRange, _ limits: ReadLimits) async throws -> ObservationPage {
            func rows(_ statement: Statement, _ limits: ReadLimits, _ others: Int...) async throws -> Rows {
                let parameters: [(any PostgresCodable)?] =
                    [range.devices, range.occurredFrom, range.after, limits.rows] + place.parameters
                    + [range.occurredBefore, range.before] + others
                let rows = try await query(statement, parameters, deadline: deadline)
                try ObservationColumn.check(rows)
                return rows
            }
            if let narrow = limits.ofNarrow {
                let rows = try await rows(SQL.DeviceStore.observations, narrow.limits, narrow.width)
                let column = ObservationColumn.said.rawValue
                let widths = rows.map { $0.byteCount(at: column) }
                if !widths.contains(nil) {
                    return try ObservationPage(rows, bytes: widths.reduce(0) { $0 + ($1 ?? 0) }, limits: narrow.limits)
                }
            }
            let rows = try await rows(ObservationPage.weighed, limits, .max, limits.bytes)
            let bytes = try rows.last?.decode(.bytesThrough, as: Int.self) ?? 0
            return try ObservationPage(rows, bytes: bytes, limits: limits)
        }
        let read = try await page(range, limits)
        guard read.endsWithinInstant, let last = read.next else { return read }
        let following = last.at + .microseconds(1)
        var instant = range
        instant.devices = [last.device]
        instant.before = min(range.before, following)
        var whole = try await page(instant, ReadLimits(rows: .max, bytes: ReadLimits.mostOfInstant))
        whole.replace(read, following: ObservationPage.Place(device: last.device, at: following))
        return whole
    }
}

extension ObservationPage.Place {
    fileprivate var parameters: [(any PostgresCodable)?] { [device, at, isReport, id, occurredAt] }
}

/// A device's state from observations that are no longer kept.
package struct DeviceBase: Sendable {
    package var state: DeviceState
    /// Only later observations are folded onto it.
    package var foldedThrough: Timestamp
}

extension DeviceStore {
    /// The state from a device's observations that are no longer kept; nil when all are kept.
    ///
    /// - Throws: ``StoreError`` with fault `data` when it can't be read.
    package func base(of device: Pseudonym, fold: DeviceFold) async throws(StoreError) -> DeviceBase? {
        return try await StoreError.wrapping {
            let stored = try await database.storedDevices([device]).stored[device]
            do throws(UnreadablePast) {
                let past = try fold.past(of: stored)
                return stored?.base.map { DeviceBase(state: past, foldedThrough: $0.foldedThrough) }
            } catch {
                throw StoreError(.data, error.description)
            }
        }
    }

    /// Reads the stored observations of one device, reconciled or not; empty if the device is unknown.
    ///
    /// - Throws: ``StoreError`` with fault `data` when one of them can't be read.
    package func observations(of device: Pseudonym) async throws(StoreError) -> [Observation] {
        return try await StoreError.wrapping {
            let page = try await database.observationPage(
                ObservationRange(devices: [device]), limits: ReadLimits(rows: .max, bytes: .max))
            if let failure = page.failures[device] { throw StoreError(.data, failure) }
            return page.byDevice[device] ?? []
        }
    }
}

extension Timestamp {
    /// Earlier than any time we store, and within PostgreSQL's own limit of 4713 BC.
    static let distantPast = Timestamp(seconds: -200_000_000_000)
    /// Later than the year 9999, which is the last that can be sent.
    static let distantFuture = Timestamp(seconds: 300_000_000_000)
}

/// How much is read at once. The limits bound the memory for reconciling, no matter how long histories and lists are.
struct ReadLimits: Hashable, Sendable {
    /// Observations per page.
    var rows = 10_000
    /// Bytes of texts per page, which ends with the observation that reaches them. In memory, a list of the smallest widgets
    /// takes about ten times its bytes.
    var bytes = 2 << 20
    /// An instant with more bytes is folded in parts. No phone sends one.
    static let mostOfInstant = 16 << 20
    /// Bytes of stored states, and of new texts, that a step reads: a share of 8 MiB for each of those that run at once. With the
    /// smallest widgets, their spans, entries and rows take about thirty times as much memory.
    var stepBytes = (8 << 20) / DeviceStore.stepsAtOnce
    var plausibility = Plausibility()

    /// What nearly all observations say takes fewer bytes. So many rows of this width fit into a page, whatever they say.
    private static let narrow = 2_048

    /// The limits for a page whose rows are all narrow, and their width in bytes; nil if such a page would have no row, or if rows
    /// are not limited, as for an instant that should be read as a whole.
    var ofNarrow: (limits: ReadLimits, width: Int)? {
        guard bytes < .max else { return (self, .max) }
        guard rows < .max else { return nil }
        var limits = self
        limits.rows = min(rows, bytes / ReadLimits.narrow)
        return limits.rows > 0 ? (limits, ReadLimits.narrow) : nil
    }
}
