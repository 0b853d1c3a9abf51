/// The days on which a device was active, and the scopes in which it counts.
struct ActiveDays {
    /// A run of days with the same numbers, counted under `platform`.
    private struct Stretch {
        var days: Days
        var platform: Platform
        var amounts: ActiveAmounts
    }

    private let stretches: [Stretch]
    private let scopes: [ActiveScope: [Days]]

    /// - Parameter before: the uses counted so far, with the same spans and phases. Only the differences are counted.
    init(
        _ reading: DeviceReading, _ spans: [HeldDays], _ phases: [PhaseDays], insteadOf before: DeviceUses? = nil
    ) {
        let counted = Days(from: reading.changedFrom, to: .last)
        let heard = Set(reading.uses.heard)
        let heardBefore = before.map { Set($0.heard) }
        stretches = phases.flatMap { phase in
            ActiveDays.stretches(
                of: phase.days.intersection(counted), heard, insteadOf: heardBefore, on: phase.phase.traits.platform)
        }
        var scopes: [ActiveScope: [Days]] = [.everyone: [counted]]
        for held in spans where held.span.level.certain > 0 {
            let days = held.days.intersection(counted)
            guard !days.isEmpty else { continue }
            for kind in [Text(held.span.placement.kind), nil] {
                for family in Set([held.span.placement.family.map { Text($0) }, nil]) {
                    scopes[ActiveScope(surface: held.span.surface, kind: kind, family: family), default: []]
                        .append(days)
                }
            }
        }
        self.scopes = scopes.mapValues(\.merged)
    }

    private static func stretches(
        of phase: Days, _ heard: Set<Day>, insteadOf before: Set<Day>?, on platform: Platform
    ) -> [Stretch] {
        guard !phase.isEmpty else { return [] }
        let turns = heard.union(before ?? []).lazy.flatMap { [$0, $0 + 1, $0 + 7] }
        let starts = Set(turns.filter(phase.contains)).union([phase.from]).sorted()
        var stretches: [Stretch] = []
        for (start, end) in zip(starts, starts.dropFirst() + [phase.to]) {
            var amounts = ActiveAmounts(on: start, heard)
            if let before { amounts.add(ActiveAmounts(on: start, before), times: -1) }
            if stretches.last?.amounts == amounts {
                stretches[stretches.count - 1].days.to = end
            } else {
                stretches.append(
                    Stretch(days: Days(from: start, to: end), platform: platform, amounts: amounts))
            }
        }
        return stretches.filter { $0.amounts != ActiveAmounts() }
    }

    func add(to net: inout NetAmounts<ActiveCell, ActiveAmounts>, times: Int) {
        let days = stretches.map(\.days)
        for (scope, held) in scopes {
            held.forEachIntersection(with: days) { _, position, both in
                let stretch = stretches[position]
                net.add(stretch.amounts, during: both, times: times) {
                    ActiveCell(day: $0, scope: scope, platform: stretch.platform)
                }
            }
        }
    }
}

extension ActiveAmounts {
    /// Only for a day within a phase, because the device is active then.
    fileprivate init(on day: Day, _ heard: Set<Day>) {
        inWindow = 1
        daily = heard.contains(day) ? 1 : 0
        weekly = (0..<7).contains { heard.contains(day - $0) } ? 1 : 0
    }
}
