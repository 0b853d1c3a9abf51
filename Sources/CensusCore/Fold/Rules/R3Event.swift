/// R3 `event`: between reports, an event adds or removes one. The next report overrides it.
extension DeviceState {
    /// For this long after a report, an event might only repeat it, because some apps send their list and then their own diff
    /// of two lists.
    static let echo: Duration = .seconds(60)

    /// - Parameter isDoubted: as in `report`, because apps derive the event from the same list.
    mutating func install(_ placement: Placement, _ observation: Observation, isDoubted: Bool) {
        let surface = observation.surface
        var state = surfaces[surface] ?? SurfaceState()
        var level = state.holdings[placement] ?? .none
        // If the list has none of them, the event can't come from it.
        if isEcho(observation), state.lists(placement) { return }
        if let installation, installation.isReinstall, !installation.isSettled {
            // Apps derive the event from the very list that might be stale (R4).
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

    /// Removes a certain one, else a possible one, else nothing.
    mutating func remove(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        let isEcho = isEcho(observation)
        let lost = surfaces[surface]?.lostAtReport
        let isListed = surfaces[surface]?.lists(placement) == true
        // If the list has no fewer than before, the event can't come from it.
        if isEcho, isListed, lost?.contains(where: { $0.isCompatible(with: placement.model) }) == true { return }
        let compatible = (surfaces[surface]?.holdings ?? [:]).filter {
            $0.key.isCompatible(with: placement) && $0.value.possible > 0
        }
        // The event might come from a list whose predecessor is unknown, or mean a widget that an event added since. If it
        // doesn't say which of several configurations it means, it might mean one that left the list because it was edited.
        let mayBeEdited = placement.configuration == nil && compatible.keys.contains { $0.configuration != nil }
        let isOpen = isEcho && (!isListed || lost == nil || mayBeEdited)
        // Not if all are suspects: it was one of them or one placed since, and either way one more of those listed is real.
        if compatible.values.contains(where: { $0.possible > $0.suspect }) {
            surfaces[surface]?.removedSinceReport[placement.model, default: 0] += 1
        }
        guard Set(compatible.keys.map(\.model)).count <= 1 else {
            return removeOne(of: compatible, asked: Placement(kind: placement.kind), isOpen: isOpen, observation)
        }
        let exact = compatible.filter { $0.key.matches(placement) }
        // The widget might have been configured since, so any of its model matches. A report just before knows the
        // configuration.
        let matching = (exact.isEmpty && !isEcho ? compatible : exact).sorted { $0.key < $1.key }
        guard
            let (held, level) = matching.first(where: { $0.value.certain > 0 })
                ?? matching.first(where: { $0.value.suspect > 0 }) ?? matching.first
        else { return }
        var rest = level
        let certain = compatible.filter { $0.value.certain > 0 }
        if isOpen {
            guard rest.certain > 0 else { return }
            rest.certain -= 1
            rest.presumed += 1
        } else if rest.certain > 0 {
            rest.certain -= 1
            forgetUse(of: held.model, on: surface)
        } else if rest.suspect > 0 {
            rest.suspect -= 1
            // The list behind the event is true by now, and it lacks the suspect (R6).
            if installation?.isSettled == true { history.settleOne(of: .init(surface: surface, placement: held)) }
        } else {
            rest.presumed -= 1
            doubtOne(of: certain, observation)
        }
        set(held, to: rest, on: surface, at: observation.at, change: Change(.removed, by: .event))
        closeFamilies(ofKind: held.kind, observation)
    }

    /// Doubts one of these, because the removed widget was only possible and might be one of them under another name.
    private mutating func doubtOne(of certain: [Placement: Level], _ observation: Observation) {
        guard let (held, level) = certain.min(by: { $0.key < $1.key }) else { return }
        var rest = level
        rest.certain -= 1
        rest.presumed += 1
        set(held, to: rest, on: observation.surface, at: observation.at, change: Change(.configured, by: .event))
    }

    /// Whether an event follows a report so closely that it might only repeat it.
    func isEcho(_ observation: Observation) -> Bool {
        guard observation.circumstances.platform.isWidgetKit,
            let report = surfaces[observation.surface]?.lastReport
        else { return false }
        return observation.at - report.at <= DeviceState.echo
    }
}

extension DeviceState.SurfaceState {
    /// Whether the last report lists a placement that an event might mean.
    fileprivate func lists(_ placement: Placement) -> Bool {
        holdings.contains { $0.key.isCompatible(with: placement) && $0.value.reported > 0 }
    }
}
