internal import CensusCore
internal import Postgres

/// A row of `census.device`: what is stored about a device besides its spans, phases, uses and cohorts.
struct DeviceRow: Sendable {
    var device: Pseudonym
    var appNumber: Int32
    var fold: DeviceFold
    var state: DeviceState
    var installation: DeviceState.Installation
    var circumstances: Observation.Circumstances
    var firstHeardAt: Timestamp
    var lastHeardAt: Timestamp
    var silentAt: Timestamp
    /// When a time-based change is due.
    var dueAt: Timestamp?
    var foldedThrough: Timestamp?
    /// Of its spans.
    var lastOrdinal: Int32

    /// - Returns: nil if it never sent a counted event: it is another channel's device, or the past of a forgotten one.
    init?(_ history: DeviceHistory) {
        let state = history.state
        guard let installation = state.installation, let circumstances = state.circumstances,
            let firstHeardAt = state.firstHeardAt, let lastHeardAt = state.lastHeardAt,
            let silentAt = history.fold.silentAt(of: state)
        else { return nil }
        device = history.device
        appNumber = history.appNumber
        fold = history.fold
        self.state = state
        self.installation = installation
        self.circumstances = circumstances
        self.firstHeardAt = firstHeardAt
        self.lastHeardAt = lastHeardAt
        self.silentAt = silentAt
        foldedThrough = history.foldedThrough
        lastOrdinal = history.before?.lastOrdinal ?? 0
    }

    private static let key = RowColumn<DeviceRow>("device_id") { $0.device }

    /// What a heartbeat changes. For most devices no indexed column changes, so new row versions stay on their pages.
    private static let times: [RowColumn<DeviceRow>] = [
        RowColumn("last_heard_at") { $0.lastHeardAt },
        RowColumn("last_report_at") { $0.state.lastReportAt },
        RowColumn("silent_at") { $0.silentAt },
        RowColumn("reporting_until") { $0.fold.reportingUntil(of: $0.state) },
        RowColumn("due_at") { $0.dueAt },
        RowColumn("checkpoint") { ByteArray($0.fold.checkpoint(of: $0.state)) },
        RowColumn("folded_through") { $0.foldedThrough },
        RowColumn("widgets_until") { $0.fold.listedUntil(of: $0.state, on: .widget) },
        RowColumn("controls_until") { $0.fold.listedUntil(of: $0.state, on: .control) },
        RowColumn("activities_until") { $0.fold.listedUntil(of: $0.state, on: .liveActivity) },
    ]

    /// What else changes.
    private static let traits: [RowColumn<DeviceRow>] = [
        RowColumn("installation_id") { $0.installation.id },
        RowColumn("is_settled") { $0.installation.isSettled },
        RowColumn("is_cloned") { $0.state.isCloned },
        RowColumn("platform") { $0.circumstances.platform },
        RowColumn("os_version") { $0.circumstances.osVersion },
        RowColumn("app_version") { $0.circumstances.appVersion },
        RowColumn("first_heard_at") { $0.firstHeardAt },
        RowColumn("zone") { $0.fold.window.zone.identifier },
        RowColumn("last_ordinal") { $0.lastOrdinal },
    ]

    static let columns = [key, RowColumn("app_number") { $0.appNumber }] + traits + times
    static let columnsOfHeartbeat = [key] + times

    /// The zone whose days it is counted by.
    static let columnsOfRecount: [RowColumn<OwnedRow<DeviceReading>>] = [
        RowColumn("device_id") { $0.device }, RowColumn("zone") { $0.value.zone.identifier },
    ]

    /// When its next time-based change is due.
    static let columnsOfDue: [RowColumn<OwnedRow<DeviceReading>>] = [
        RowColumn("device_id") { $0.device }, RowColumn("due_at") { $0.value.dueAt },
    ]

    /// Saves each device as of its last reconciled observation.
    static let save = Statement(
        "DeviceRow.save",
        """
        insert into census.device (\(columns.map(\.name).listed))
        select \(columns.map(\.name).listed)
        from \(columns.unnested(as: "reconciled"))
        on conflict (device_id) do update set
            \((traits + times).map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ",\n    "))
        """)

    /// Saves when devices without news were last heard from.
    static let saveHeartbeats = Statement("DeviceRow.saveHeartbeats", columnsOfHeartbeat.update("device"))

    /// Saves how devices are now counted.
    static let saveRecounted = Statement("DeviceRow.saveRecounted", columnsOfRecount.update("device"))

    /// Saves when the next time-based changes of devices are due.
    static let saveDue = Statement("DeviceRow.saveDue", columnsOfDue.update("device"))
}
