/// R1 `report`: a successful report is the whole truth for its surface at its time, except for suspects.
extension DeviceState {
    /// - Parameter isDoubted: whether this OS build is known to list widgets that are gone. Then nothing is certain.
    mutating func report(_ claimed: [Placement: Int], _ observation: Observation, isDoubted: Bool) {
        let surface = observation.surface
        // Changed by index: an optional would be copied out and in.
        if !isDoubted, let place = surfaces.index(forKey: surface),
            surfaces.values[place].confirm(claimed, observation)
        {
            return
        }
        let isSettled = installation?.isSettled == true
        if isSettled { settle(surface, claimed: claimed, at: observation.at) }
        var state = surfaces[surface] ?? SurfaceState()
        let before = state.holdings
        let suspectsBefore = state.reportedSuspects
        let used = isSettled ? [:] : state.usedSuspects.filter { !state.claimsMore(of: $0.key, claimed) }

        let suspects: [Placement: Int]
        var proved: Set<Placement> = []
        if isSettled {
            suspects = [:]
        } else if let rule = ruleOfSuspicion(of: observation) {
            suspects = claimed
            // Events might have added suspects already. An empty list claims nothing.
            if !claimed.isEmpty { suspect(&state, observation, by: rule) }
        } else {
            suspects = DeviceState.without(used, state.reportedSuspects)
            proved = Set(state.reportedSuspects.filter { $0.value > suspects[$0.key] ?? 0 }.keys)
            // The use didn't name the placement that it turned out to mean, so nothing of that placement was certain.
            for placement in proved.sorted() {
                guard let level = before[placement], level.certain == 0, level.suspect == 1 else { continue }
                history.settleOne(of: .init(surface: surface, placement: placement))
            }
        }
        var after = DeviceState.apportion(claimed, suspects: suspects, before: before)
        state.reportedSuspects = after.compactMapValues { $0.suspect > 0 ? $0.suspect : nil }
        if isDoubted { after = after.mapValues(\.doubted) }
        let causes = ReportCauses(
            before: before, after: after, isUpdate: state.isUpdate(observation),
            proof: isSettled ? .reboot : .signOfLife, proved: proved,
            causeOfProof: state.claim?.causeOfProof ?? .reinstalled)
        if state.lastReport != nil { state.lostAtReport = DeviceState.lost(before, claimed) }
        if isSettled {
            state.suspectSince = nil
            state.claim = nil
        }
        state.begin(observation)
        let reportedSuspects = state.reportedSuspects
        surfaces[surface] = state

        for placement in Set(before.keys).union(after.keys).sorted() {
            set(
                placement, to: after[placement] ?? .none, on: surface, at: observation.at,
                change: causes.change(of: placement), returned: causes.returned(of: placement))
        }
        if !isSettled {
            credit(suspectsBefore, to: reportedSuspects, used: used, on: surface, observation)
        }
    }

    private static func lost(_ before: [Placement: Level], _ claimed: [Placement: Int]) -> Set<Placement.Model> {
        var growth: [Placement.Model: Int] = [:]
        for (placement, count) in claimed { growth[placement.model, default: 0] += count }
        for (placement, level) in before { growth[placement.model, default: 0] -= level.reported }
        return Set(growth.filter { $0.value < 0 }.keys)
    }
}

extension DeviceState.SurfaceState {
    /// Applies a report that only repeats what is certain already, as most do. Only the last report itself changes.
    ///
    /// - Returns: whether it is such a report.
    fileprivate mutating func confirm(_ claimed: [Placement: Int], _ observation: Observation) -> Bool {
        guard holdsForCertain(claimed) else { return false }
        lostAtReport = []
        begin(observation)
        return true
    }

    /// Whether it was reported before, and holds just this list.
    func holdsForCertain(_ claimed: [Placement: Int]) -> Bool {
        lastReport != nil && suspectSince == nil && holdings.count == claimed.count
            && claimed.allSatisfy { holdings[$0.key] == Level(certain: $0.value, reported: $0.value) }
    }

    /// Begins the period between this report and the next.
    mutating func begin(_ observation: Observation) {
        rememberVersion(of: observation)
        lastReport = ReportReference(observation)
        usedSuspects = [:]
        removedSinceReport = [:]
    }
}

extension ReportReference {
    init(_ observation: Observation) {
        self.init(id: observation.id, at: observation.at, appVersion: observation.circumstances.appVersion)
    }
}

extension Level {
    /// The level if the list behind it isn't trusted.
    fileprivate var doubted: Level {
        Level(presumed: presumed + certain, suspect: suspect, reported: reported)
    }
}
