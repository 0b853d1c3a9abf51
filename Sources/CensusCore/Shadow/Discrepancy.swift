/// Why another tool's number differs from ours.
public enum Discrepancy: String, CaseIterable, Sendable {
    case ghosts
    case silent
    case unheardToday = "unheard_today"
    case unheardThisWeek = "unheard_this_week"
    case failedReads = "failed_reads"
    case everyEvent = "every_event"

    /// By how much it raises their number over ours on a day; nil if it can't concern the measure.
    public func amount(in measure: TheirMeasure, on day: CountedDay) -> Double? {
        if let events = measure.events(on: day) {
            return self == .everyEvent ? Double(events) - measure.ours(on: day) : nil
        }
        let ours = measure.ours(on: day)
        let reported = measure == .devices ? day.devicesReported : day.widgetsReported
        // Devices that have several widgets of a kind are silent or unheard as often as others: an estimate.
        let each = measure == .devices ? 1 : day.devicesExpected > 0 ? ours / day.devicesExpected : 1
        return switch self {
        case .everyEvent: nil
        case .ghosts: Double(reported) - ours
        case .silent: Double(day.devicesSilent) * each
        case .unheardToday: Double(day.devicesDaily - day.devicesCertain) * each
        case .unheardThisWeek: Double(day.devicesWeekly - day.devicesCertain) * each
        // A failed read looks like an empty list. It fails on devices with and without the kind alike: an estimate.
        case .failedReads: -ours * day.shareOfFailedReads
        }
    }

    /// A tool counts devices heard from on the day, in the week, or ever: one of these.
    private var concernsMemory: Bool { [.silent, .unheardToday, .unheardThisWeek].contains(self) }

    static func areCompatible(_ parts: [Discrepancy]) -> Bool { parts.count(where: \.concernsMemory) < 2 }

    /// What the other tool does, for people.
    public var words: String {
        switch self {
        case .ghosts: "counts what the OS lists, also widgets that are gone or in doubt"
        case .silent: "still counts devices that have been silent for longer than the activity window"
        case .unheardToday: "counts only devices that sent something on the day"
        case .unheardThisWeek: "counts only devices that sent something in the last seven days"
        case .failedReads: "takes a failed read for an empty list"
        case .everyEvent: "counts every event, whether or not it changed something, and no change without an event"
        }
    }
}

/// Changes that we don't count as placed or removed by people, but other tools may.
public enum OtherChange: String, CaseIterable, Sendable {
    case reinstalled, configured, returned, silent
    case upgradeLoss = "upgrade_loss"

    /// How many widgets it concerned on a day; nil if it can't raise the measure.
    public func amount(in measure: TheirMeasure, on day: CountedDay) -> Int? {
        switch (self, measure) {
        case (.configured, .installed): day.addedConfigured
        case (.configured, .removed): day.removedConfigured
        case (.reinstalled, .installed), (.reinstalled, .removed): day.removedReinstalled
        case (.returned, .installed): day.addedReturned
        case (.silent, .removed): day.removedSilent
        case (.upgradeLoss, .removed): day.removedUpgradeLoss
        default: nil
        }
    }

    /// For people.
    public var words: String {
        switch self {
        case .reinstalled:
            "certain widgets on devices that reinstalled the app; those in doubt before are not in this number"
        case .configured: "widgets whose settings were changed"
        case .returned: "widgets on devices that were silent and returned"
        case .silent: "widgets on devices that fell silent"
        case .upgradeLoss: "widgets that an update took away"
        }
    }
}

extension CountedDay {
    fileprivate var shareOfFailedReads: Double {
        devicesActive > 0 ? min(1, Double(readsFailed) / Double(devicesActive)) : 0
    }
}
