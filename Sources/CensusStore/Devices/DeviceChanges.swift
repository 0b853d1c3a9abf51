internal import CensusCore
internal import Postgres

/// What a step of the reconciler has to write, gathered over its devices.
struct DeviceChanges: Sendable {
    private(set) var goneDevices: [Pseudonym] = []
    private(set) var goneOrdinals: [Int32] = []
    private(set) var spans = CopyRows(columns: 23)
    private(set) var devices = DeviceColumns()
    /// The earliest day, by app, that the next night has to count anew.
    private(set) var restateFrom: [Int32: Day] = [:]

    var spansChanged: Int { goneOrdinals.count + spans.count }

    /// Devices whose history can't be folded, with their app and the reason.
    private(set) var failed: [(device: Pseudonym, appNumber: Int32, reason: String)] = []
    /// Those that could.
    private(set) var folded: [Pseudonym] = []

    mutating func add(_ history: DeviceHistory) {
        let (device, appNumber, state) = (history.device, history.appNumber, history.state)
        if let failure = history.failure {
            failed.append((device, appNumber, failure))
            return
        }
        folded.append(device)
        let window = history.fold.window
        let difference = SpanDifference(
            stored: history.spans, spans: history.fold.spans(of: state), lastOrdinal: history.before?.lastOrdinal ?? 0)
        for ordinal in difference.gone {
            goneDevices.append(device)
            goneOrdinals.append(ordinal)
        }
        for (ordinal, span) in difference.added {
            spans.append { row in span.encode(into: &row, device: device, ordinal: ordinal, appNumber: appNumber) }
        }
        if let changed = difference.changedFrom { restate(appNumber, from: changed, window) }

        // Nothing that counts was ever heard: another channel's device.
        guard let installation = state.installation, let circumstances = state.circumstances,
            let firstHeardAt = state.firstHeardAt, let lastHeardAt = state.lastHeardAt
        else { return }
        let silentAt = window.end(lastHeard: lastHeardAt)
        // A device that was heard from again counts on days on which it had been silent.
        if let earlier = history.before?.silentAt, earlier != silentAt {
            restate(appNumber, from: min(earlier, silentAt), window)
        }
        devices.id.append(device)
        devices.appNumber.append(appNumber)
        devices.installation.append(installation.id)
        devices.isSettled.append(installation.isSettled)
        devices.isCloned.append(state.isCloned)
        devices.platform.append(circumstances.platform.rawValue)
        devices.osVersion.append(circumstances.osVersion)
        devices.appVersion.append(circumstances.appVersion)
        devices.firstHeardAt.append(firstHeardAt)
        devices.lastHeardAt.append(lastHeardAt)
        devices.lastReportAt.append(state.lastReportAt)
        devices.silentAt.append(silentAt)
        devices.checkpoint.append(ByteArray(history.fold.checkpoint(of: state)))
        devices.foldedThrough.append(history.foldedThrough)
        devices.suspectSince.append(state.suspectSince)
        devices.lastOrdinal.append(difference.lastOrdinal)
    }

    private mutating func restate(_ appNumber: Int32, from time: Timestamp, _ window: ActivityWindow) {
        let day = window.zone.day(of: time)
        restateFrom[appNumber] = min(restateFrom[appNumber] ?? day, day)
    }
}

/// Devices by column, as `DeviceStore.saveDevices` takes them.
struct DeviceColumns: Sendable {
    var id = Column<Pseudonym>()
    var appNumber = Column<Int32>()
    var installation = Column<Pseudonym>()
    var isSettled = Column<Bool>()
    var isCloned = Column<Bool>()
    var platform = Column<String>()
    var osVersion = Column<String>()
    var appVersion = Column<String>()
    var firstHeardAt = Column<Timestamp>()
    var lastHeardAt = Column<Timestamp>()
    var lastReportAt = Column<Timestamp>()
    var silentAt = Column<Timestamp>()
    var checkpoint = Column<ByteArray>()
    var foldedThrough = Column<Timestamp>()
    var suspectSince = Column<Timestamp>()
    var lastOrdinal = Column<Int32>()

    var isEmpty: Bool { id.count == 0 }

    var parameters: [(any PostgresCodable)?] {
        [
            id, appNumber, installation, isSettled, isCloned, platform, osVersion, appVersion, firstHeardAt,
            lastHeardAt, lastReportAt, silentAt, checkpoint, foldedThrough, suspectSince, lastOrdinal,
        ]
    }
}

extension Connection {
    func save(_ changes: DeviceChanges) async throws {
        if !changes.goneDevices.isEmpty {
            _ = try await query(SQL.`DeviceStore.deleteSpans`, [changes.goneDevices, changes.goneOrdinals])
        }
        if !changes.spans.isEmpty { _ = try await copyIn(SQL.`DeviceStore.insertSpans`, [changes.spans]) }
        if !changes.devices.isEmpty { _ = try await query(SQL.`DeviceStore.saveDevices`, changes.devices.parameters) }
        for (appNumber, day) in changes.restateFrom.sorted(by: { $0.key < $1.key }) {
            _ = try await query(SQL.`DeviceStore.restateFrom`, [appNumber, day])
        }
        if !changes.failed.isEmpty {
            _ = try await query(
                SQL.`DeviceStore.setAside`,
                [changes.failed.map(\.device), changes.failed.map(\.appNumber), changes.failed.map(\.reason)])
        }
        if !changes.folded.isEmpty { _ = try await query(SQL.`DeviceStore.takeBack`, [changes.folded]) }
    }
}
