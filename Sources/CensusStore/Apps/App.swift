package import CensusCore

/// One application and how it is counted.
package struct App: Hashable, Sendable {
    package var id: String
    package var zone: String
    package var windowDays: Int
    package var caps: NameCaps
    package var readiness: ReadinessLimits
    /// OS builds whose lists are not trusted.
    package var doubtedBuilds: Set<String> = []
    /// How many false incidents of mass loss are accepted in a year.
    package var falseAlarms = AlarmBudget().perYear

    /// Stands for the id in the large tables.
    package var number: Int32 { caps.appNumber }

    /// The window of R8.
    package var window: ActivityWindow { ActivityWindow(days: windowDays, zoneNamed: zone) }

    /// How the app's devices are folded.
    package var fold: DeviceFold { DeviceFold(window: window, doubtedBuilds: doubtedBuilds) }
}

/// Settings of an app to change; nil leaves one unchanged.
package struct AppSettings: Hashable, Sendable {
    package var zone: String?
    package var windowDays: Int?
    package var maximumKinds: Int?
    package var maximumFamilies: Int?
    package var limitDevices: Int?
    package var limitShare: Double?
    package var readyDays: Int?
    package var minimumCoverage: Double?
    package var doubtedBuilds: [String]?
    package var falseAlarms: Double?

    package init() {}
}

extension ActivityWindow {
    /// In UTC when this machine does not know the zone.
    init(days: Int, zoneNamed identifier: String) {
        self.init(days: days, zone: ReportingZone(identifier: identifier) ?? .utc)
    }
}
