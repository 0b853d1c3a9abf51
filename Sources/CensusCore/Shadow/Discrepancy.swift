/// Why another tool's number differs from ours.
public enum Discrepancy: String, CaseIterable, Sendable {
    case ghosts
    case silent
    case unheardToday = "unheard_today"
    case unheardThisWeek = "unheard_this_week"
    case failedReads = "failed_reads"
    case reinstalled
    case configured
    case returned
    case upgradeLoss = "upgrade_loss"

    /// By how much it raises their number over ours on a day; nil if it can't concern the measure.
    public func amount(in measure: TheirMeasure, on day: CountedDay) -> Double? {
        switch (self, measure) {
        case (.ghosts, .devices): Double(day.devicesReported) - day.devicesExpected
        case (.ghosts, .widgets): Double(day.widgetsReported - day.widgetsCertain)
        case (.silent, .devices): Double(day.devicesSilent)
        case (.unheardToday, .devices): Double(day.devicesDaily - day.devicesCertain)
        case (.unheardThisWeek, .devices): Double(day.devicesWeekly - day.devicesCertain)
        // A failed read looks like an empty list, which hides or removes all that the device has; the next list adds it again.
        case (.failedReads, .devices): -share(of: day.devicesExpected, day)
        case (.failedReads, .widgets): -share(of: Double(day.widgetsCertain), day)
        case (.failedReads, _): share(of: Double(day.widgetsCertain), day)
        case (.configured, .installed): Double(day.addedConfigured)
        case (.configured, .removed): Double(day.removedConfigured)
        case (.reinstalled, .installed), (.reinstalled, .removed): Double(day.removedReinstalled)
        case (.returned, .installed): Double(day.addedReturned)
        case (.silent, .removed): Double(day.removedSilent)
        case (.upgradeLoss, .removed): Double(day.removedUpgradeLoss)
        default: nil
        }
    }

    /// How much of a count the day's failed reads concern, if they fail on devices with and without the kind alike.
    private func share(of count: Double, _ day: CountedDay) -> Double {
        day.devicesActive > 0 ? count * min(1, Double(day.readsFailed) / Double(day.devicesActive)) : 0
    }

    /// A tool counts devices heard from on the day, in the week, or ever: one of these.
    private var concernsMemory: Bool { [.silent, .unheardToday, .unheardThisWeek].contains(self) }

    static func areCompatible(_ parts: [Discrepancy]) -> Bool { parts.count(where: \.concernsMemory) < 2 }

    /// What the other tool does, for people.
    public func words(in measure: TheirMeasure) -> String {
        switch (self, measure) {
        case (.ghosts, _): "counts widgets that the OS lists although they are gone, or that are in doubt"
        case (.silent, .removed): "counts widgets of devices that fell silent as removed"
        case (.silent, _): "still counts devices that have been silent for longer than the activity window"
        case (.unheardToday, _): "counts only devices that sent something on the day"
        case (.unheardThisWeek, _): "counts only devices that sent something in the last seven days"
        case (.failedReads, .devices), (.failedReads, .widgets): "takes a failed read for an empty list"
        case (.failedReads, _): "takes a failed read for an empty list, and adds all widgets again with the next one"
        case (.reinstalled, .installed): "counts widgets that the OS lists after a reinstall as new"
        case (.reinstalled, _): "counts widgets on devices that reinstalled the app as removed"
        case (.configured, _): "counts a change of a widget's settings as a removal and an installation"
        case (.returned, _): "counts widgets of devices that were silent and returned as new"
        case (.upgradeLoss, _): "counts widgets that an update took away as removed by people"
        }
    }
}
