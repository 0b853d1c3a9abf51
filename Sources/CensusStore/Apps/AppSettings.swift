package import CensusCore

extension AppSettings {
    package static let days = 1...400
    package static let devices = 0...1_000_000_000
    package static let names = 0...100_000
    package static let shares = 0.0...1
    /// False alarms a year.
    package static let alarms = 0.000_001...10

    /// An app's limits for when a kind is ready, with those that are set here.
    package func limits(from limits: ReadinessLimits) -> ReadinessLimits {
        limits.with(devices: limitDevices, share: limitShare, days: readyDays, coverage: minimumCoverage)
    }

    /// What is wrong with a value, in a sentence; nil when all are within bounds.
    package var fault: String? {
        if let zone, ReportingZone(acceptable: zone) == nil {
            return "there is no time zone \(zone); use UTC or an IANA name such as Europe/Prague, not an abbreviation"
        }
        return fault("the window", windowDays, AppSettings.days, "days")
            ?? fault("the limit", limitDevices, AppSettings.devices, "devices")
            ?? fault("the number of ready days", readyDays, AppSettings.days, "days")
            ?? fault("the number of kinds", maximumKinds, AppSettings.names, "names")
            ?? fault("the number of families", maximumFamilies, AppSettings.names, "names")
            ?? fault("the limit's share", limitShare)
            ?? fault("coverage", minimumCoverage)
            ?? fault(ofAlarms: falseAlarms)
            ?? fault(ofBuilds: doubtedBuilds ?? [])
    }

    private func fault(_ name: String, _ value: Int?, _ bounds: ClosedRange<Int>, _ unit: String) -> String? {
        guard let value, !bounds.contains(value) else { return nil }
        return "\(name) is \(value), but must be a number of \(unit) from \(bounds.lowerBound) to \(bounds.upperBound)"
    }

    private func fault(_ name: String, _ value: Double?) -> String? {
        guard let value, !AppSettings.shares.contains(value) else { return nil }
        return "\(name) is \(value), but must be a share from 0 to 1"
    }

    private func fault(ofAlarms perYear: Double?) -> String? {
        guard let perYear, !AppSettings.alarms.contains(perYear) else { return nil }
        return "the number of false alarms a year is \(perYear), but must be from 0.000001 to 10"
    }

    private func fault(ofBuilds builds: [String]) -> String? {
        guard builds.contains(where: { $0.isEmpty || $0.unicodeScalars.count > 200 || $0.holdsNull }) else {
            return nil
        }
        return "an OS build, such as 18A5301v, must have 1 to 200 characters"
    }
}
