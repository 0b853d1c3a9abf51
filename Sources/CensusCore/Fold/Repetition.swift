/// A phone that sends one report many times, as when it is opened again and again.
extension DeviceFold {
    /// The end of the time in which repetitions of a report only move times forward. Then the last of them has the same effect
    /// as all.
    ///
    /// - Parameter state: the result of the report.
    /// - Returns: nil if a repetition might change more.
    func endOfRepetitions(of report: Observation, in state: DeviceState) -> Timestamp? {
        let said = report.circumstances
        guard said.isCounted, said.platform.isWidgetKit, report.surface != .today, !isDoubted(report),
            // A boot after the report would prove something only for the later ones.
            said.rebooted != nil || said.bootedAt.map({ $0 <= report.at }) ?? true,
            state.installation?.id == report.installation, let silentAt = silentAt(of: state),
            let place = state.surfaces.index(forKey: report.surface),
            // The first repetition after this time forms a pair.
            let pairedAt = state.surfaces.values[place].pairedAt,
            let claimed = report.event.withoutInstances.list,
            state.surfaces.values[place].holdsForCertain(claimed)
        else { return nil }
        return min(pairedAt + DeviceState.pairingInterval, silentAt)
    }
}

extension Observation {
    /// Whether both say the same, at any time.
    func repeats(_ other: Observation) -> Bool {
        installation == other.installation && surface == other.surface && event == other.event
            && circumstances == other.circumstances
    }
}
