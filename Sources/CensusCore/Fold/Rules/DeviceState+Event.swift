/// R3 `event`: between reports, events add and take one; the next report overrides them.
extension DeviceState {
    /// How long after a report an event only repeats it: the app sent its list and its own difference of lists.
    static let echo: Duration = .seconds(60)

    mutating func install(_ placement: Placement, _ observation: Observation) {
        guard !isEcho(observation) else { return }
        let surface = observation.surface
        var state = surfaces[surface] ?? SurfaceState()
        var level = state.holdings[placement] ?? .none
        if let installation, installation.isReinstall, !installation.isSettled {
            // Apps derive the event from the very list that may be stale.
            level.suspect += 1
            suspect(&state, observation, by: .reinstall)
        } else {
            level.certain += 1
        }
        surfaces[surface] = state
        set(placement, to: level, on: surface, at: observation.at, change: Change(.installed, by: .event))
    }

    /// Takes one from what is certain, else from what is possible, else nothing.
    mutating func remove(_ placement: Placement, _ observation: Observation) {
        guard !isEcho(observation) else { return }
        let matching = (surfaces[observation.surface]?.holdings ?? [:])
            .filter { $0.key.matches(placement) }
            .sorted { $0.key < $1.key }
        guard
            let (held, level) = matching.first(where: { $0.value.certain > 0 })
                ?? matching.first(where: { $0.value.suspect > 0 })
                ?? matching.first(where: { $0.value.presumed > 0 })
        else { return }
        var rest = level
        if rest.certain > 0 {
            rest.certain -= 1
            // It may have been the one that was used (R7); then no suspect was.
            surfaces[observation.surface]?.usedSuspects[held.model] = nil
        } else if rest.suspect > 0 {
            rest.suspect -= 1
        } else {
            rest.presumed -= 1
        }
        set(held, to: rest, on: observation.surface, at: observation.at, change: Change(.removed, by: .event))
    }

    private func isEcho(_ observation: Observation) -> Bool {
        guard observation.circumstances.platform.isWidgetKit,
            let report = surfaces[observation.surface]?.lastReport
        else { return false }
        return observation.at - report.at <= DeviceState.echo
    }
}
