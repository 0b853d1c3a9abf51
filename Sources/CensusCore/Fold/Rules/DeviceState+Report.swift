/// R1 `report`: a successful report is the whole truth for its surface at its time, less suspects.
extension DeviceState {
    mutating func report(_ claimed: [Placement: Int], _ observation: Observation) {
        let surface = observation.surface
        let settles = installation?.isSettled == true
        if settles { settle(surface, claimed: claimed) }
        var state = surfaces[surface] ?? SurfaceState()
        let before = state.holdings

        let suspects: [Placement: Int]
        if settles {
            suspects = [:]
        } else if state.lastReport == nil, installation?.isReinstall == true {
            // R4: whatever the first report of the surface claims before a reboot is suspect, however late it comes.
            suspects = claimed
            // Events may have told of suspects before; a list of nothing claims nothing.
            if !claimed.isEmpty {
                state.suspectSince = state.suspectSince ?? observation.at
                state.claim = state.claim ?? Claim(observation.circumstances)
            }
        } else {
            suspects = state.reportedSuspects
        }
        let after = DeviceState.apportion(claimed, suspects: suspects)
        state.kindsAliveSinceReport = []
        state.lastReport = ReportReference(id: observation.id, at: observation.at)
        state.reportedSuspects = after.compactMapValues { $0.suspect > 0 ? $0.suspect : nil }
        surfaces[surface] = state

        let causes = ReportCauses(before: before, after: after)
        for placement in Set(before.keys).union(after.keys).sorted() {
            let (old, new) = (before[placement] ?? .none, after[placement] ?? .none)
            let change =
                settles && old.suspect > 0
                ? Change(.reinstalled, by: .reboot) : Change(causes.cause(of: placement), by: .report)
            set(placement, to: new, on: surface, at: observation.at, change: change)
        }
    }

    /// Splits what is claimed into certain and suspect.
    ///
    /// A suspect whose intent or configuration changed is looked for among its model: it could be the same widget, so
    /// certainty would be more than the evidence forces. There are never more suspects than claimed.
    static func apportion(_ claimed: [Placement: Int], suspects: [Placement: Int]) -> [Placement: Level] {
        var moved: [Placement.Model: Int] = [:]
        for (placement, count) in suspects {
            moved[placement.model, default: 0] += max(0, count - (claimed[placement] ?? 0))
        }
        var levels: [Placement: Level] = [:]
        for placement in claimed.keys.sorted() {
            let count = claimed[placement] ?? 0
            var suspect = min(suspects[placement] ?? 0, count)
            let more = min(count - suspect, moved[placement.model] ?? 0)
            moved[placement.model, default: 0] -= more
            suspect += more
            levels[placement] = Level(certain: count - suspect, suspect: suspect, reported: count)
        }
        return levels
    }
}

/// What a report's differences are called.
private struct ReportCauses {
    let before: [Placement: Level]
    let after: [Placement: Level]
    private var growth: [Placement.Model: Int] = [:]
    private var certainGrowth: [Placement.Model: Int] = [:]

    init(before: [Placement: Level], after: [Placement: Level]) {
        self.before = before
        self.after = after
        for (levels, sign) in [(after, 1), (before, -1)] {
            for (placement, level) in levels {
                growth[placement.model, default: 0] += sign * level.possible
                certainGrowth[placement.model, default: 0] += sign * level.certain
            }
        }
    }

    /// Where (kind, family) keeps its count and only intent or configuration differ, nothing was added or removed.
    func cause(of placement: Placement) -> Cause {
        let (old, new) = (before[placement] ?? .none, after[placement] ?? .none)
        let isMerelyConfirmed = (new.certain, new.possible) == (old.certain, old.possible)
        let keepsItsCount = growth[placement.model] == 0 && certainGrowth[placement.model] == 0
        if keepsItsCount, !isMerelyConfirmed { return .configured }
        // By what is certain first: that is what `changes` counts.
        let isGrowth = (new.certain, new.possible, new.reported) >= (old.certain, old.possible, old.reported)
        return isGrowth ? .installed : .removed
    }
}

extension Claim {
    init(_ circumstances: Observation.Circumstances) {
        self.init(platform: circumstances.platform, osVersion: circumstances.osVersion)
    }
}
