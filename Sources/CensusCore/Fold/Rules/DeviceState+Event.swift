/// R3 `event`: between reports, events add and take one; the next report overrides them.
extension DeviceState {
    /// How long after a report an event only repeats it: the app sent its list and its own difference of lists.
    static let echo: Duration = .seconds(60)

    /// - Parameter isDoubted: as in `report`: apps derive the event from the same list.
    mutating func install(_ placement: Placement, _ observation: Observation, isDoubted: Bool) {
        let surface = observation.surface
        var state = surfaces[surface] ?? SurfaceState()
        var level = state.holdings[placement] ?? .none
        if isEcho(observation) {
            // Where the list has none of them, the event can't come from the list: then it is an open question.
            guard !state.holdings.contains(where: { $0.key.mayBe(placement) && $0.value.reported > 0 }) else { return }
            level.presumed += 1
        } else if let installation, installation.isReinstall, !installation.isSettled {
            // Apps derive the event from the very list that may be stale.
            level.suspect += 1
            suspect(&state, observation, by: .reinstall)
        } else if isDoubted {
            level.presumed += 1
        } else {
            level.certain += 1
        }
        surfaces[surface] = state
        set(placement, to: level, on: surface, at: observation.at, change: Change(.installed, by: .event))
    }

    /// Takes one from what is certain, else from what is possible, else nothing.
    mutating func remove(_ placement: Placement, _ observation: Observation) {
        let held = (surfaces[observation.surface]?.holdings ?? [:]).filter { $0.value.possible > 0 }
        let exact = held.filter { $0.key.matches(placement) }
        // It may have been configured since: then any of its model. A report just before knows what is configured.
        let isFarther = exact.isEmpty && !isEcho(observation)
        let matching = (isFarther ? held.filter { $0.key.mayBe(placement) } : exact).sorted { $0.key < $1.key }
        guard
            let (held, level) = matching.first(where: { $0.value.certain > 0 })
                ?? matching.first(where: { $0.value.suspect > 0 }) ?? matching.first
        else { return }
        var rest = level
        if isEcho(observation) {
            // Where the list did not become shorter, the event can't come from the list: then it is an open question.
            guard rest.certain > 0, let lost = surfaces[observation.surface]?.lostAtReport, !lost.contains(held.model)
            else { return }
            rest.certain -= 1
            rest.presumed += 1
        } else if rest.certain > 0 {
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

    /// Whether an event comes so soon after a report that it tells what that report said.
    func isEcho(_ observation: Observation) -> Bool {
        guard observation.circumstances.platform.isWidgetKit,
            let report = surfaces[observation.surface]?.lastReport
        else { return false }
        return observation.at - report.at <= DeviceState.echo
    }
}
