internal import CensusCore

extension AppSettings {
    /// What is wrong with a value, in a sentence; nil when all are within bounds.
    var fault: String? {
        if let zone, ReportingZone(acceptable: zone) == nil {
            return "there is no time zone \(zone): give UTC or an IANA name such as Europe/Prague, no abbreviation"
        }
        return fault("the window", windowDays, 1...400, "days")
            ?? fault("the limit", limitDevices, 0...1_000_000_000, "devices")
            ?? fault("ready days", readyDays, 1...400, "days")
            ?? fault("the number of kinds", maximumKinds, 0...100_000, "names")
            ?? fault("the number of families", maximumFamilies, 0...100_000, "names")
            ?? fault("the share of the limit", limitShare)
            ?? fault("coverage", minimumCoverage)
            ?? fault(ofAlarms: falseAlarms)
            ?? fault(ofBuilds: doubtedBuilds ?? [])
    }

    private func fault(_ name: String, _ value: Int?, _ bounds: ClosedRange<Int>, _ unit: String) -> String? {
        guard let value, !bounds.contains(value) else { return nil }
        return "\(name) is \(value); it is a number of \(unit) from \(bounds.lowerBound) to \(bounds.upperBound)"
    }

    private func fault(_ name: String, _ value: Double?) -> String? {
        guard let value, !(0...1).contains(value) else { return nil }
        return "\(name) is \(value); it is a share from 0 to 1"
    }

    private func fault(ofAlarms perYear: Double?) -> String? {
        guard let perYear, !(0.000_001...10).contains(perYear) else { return nil }
        return "the budget of false alarms is \(perYear); it is a number a year from 0.000001 to 10"
    }

    private func fault(ofBuilds builds: [String]) -> String? {
        guard builds.contains(where: { $0.isEmpty || $0.unicodeScalars.count > 200 || $0.holdsNull }) else {
            return nil
        }
        return "a build has 1 to 200 characters, such as 18A5301v"
    }
}
