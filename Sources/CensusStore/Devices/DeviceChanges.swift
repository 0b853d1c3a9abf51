internal import CensusCore
internal import Postgres

/// What a step of the reconciler has to write, gathered over its devices.
struct DeviceChanges: Sendable {
    private(set) var goneDevices: [Pseudonym] = []
    private(set) var goneOrdinals: [Int32] = []
    private(set) var spans = CopyRows(columns: 21)
    private(set) var devices = DeviceColumns()
    /// The earliest day, by app, that the next night has to count anew.
    private(set) var restateFrom: [Int32: Day] = [:]

    var spansChanged: Int { goneOrdinals.count + spans.count }

    mutating func add(
        _ device: Pseudonym, appNumber: Int32, state: DeviceState, window: ActivityWindow, before: StoredDevice
    ) {
        let difference = SpanDifference(stored: before.spans, spans: state.spans)
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
        if let earlier = before.silentAt, earlier != silentAt {
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

    var isEmpty: Bool { id.count == 0 }

    var parameters: [(any PostgresCodable)?] {
        [
            id, appNumber, installation, isSettled, isCloned, platform, osVersion, appVersion, firstHeardAt,
            lastHeardAt, lastReportAt, silentAt,
        ]
    }
}
