/// R7 `sign_of_life`: somebody uses a widget, so one is there.
///
/// A suspect was it, or one that was placed since the last report: until the next report both are possible.
extension DeviceState {
    mutating func use(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        let held = (surfaces[surface]?.holdings ?? [:]).filter { $0.key.mayBe(placement) && $0.value.possible > 0 }
        guard held.values.allSatisfy({ $0.certain == 0 }) else { return }
        if held.isEmpty {
            // Placed since the last report.
            var level = surfaces[surface]?.holdings[placement] ?? .none
            level.certain += 1
            return set(
                placement, to: level, on: surface, at: observation.at, change: Change(.installed, by: .signOfLife))
        }
        // The very placement where the event names it, else any of its model.
        let ranked = held.keys.sorted { ($0.matches(placement) ? 0 : 1, $0) < ($1.matches(placement) ? 0 : 1, $1) }
        guard
            let used = ranked.first(where: { held[$0]?.presumed ?? 0 > 0 })
                ?? ranked.first(where: { held[$0]?.suspect ?? 0 > 0 }),
            var level = held[used]
        else { return }
        level.certain += 1
        let cause: Cause
        if level.presumed > 0 {
            level.presumed -= 1
            cause = .returned
        } else {
            surfaces[surface]?.usedSuspects[used.model] = used
            cause = surfaces[surface]?.claim?.causeOfProof ?? .reinstalled
        }
        set(used, to: level, on: surface, at: observation.at, change: Change(cause, by: .signOfLife))
    }

    /// The suspects less those that turned out to be the ones used: one of each model.
    static func without(
        _ used: [Placement.Model: Placement], _ suspects: [Placement: Int]
    ) -> [Placement: Int] {
        guard !used.isEmpty else { return suspects }
        var rest = suspects
        for (model, placement) in used {
            let proved =
                rest[placement] != nil ? placement : rest.keys.filter { $0.model == model }.min()
            guard let proved, let count = rest[proved] else { continue }
            rest[proved] = count > 1 ? count - 1 : nil
        }
        return rest
    }
}
