import CensusCore

/// What a note, once delivered, tells of what is really placed on its surface.
enum Testimony: Sendable {
    case nothing
    /// Beside a successful report: all that is really there.
    case holds([Placement: Int])
    case placed(Placement)
    case removed(Placement)
    case replaced(Placement, by: Placement)
    /// One of its model, with its instance where it has one, is there, since whenever.
    case alive(Placement)
    /// Old instance to new.
    case renamed([String: String])
}

extension [Placement: Int] {
    /// The placements once this was told.
    func after(_ testimony: Testimony) -> [Placement: Int] {
        var held = self
        switch testimony {
        case .nothing: break
        case .holds(let all): return all
        case .placed(let one): held[one, default: 0] += 1
        case .removed(let one): held.take(one)
        case .replaced(let old, let new):
            held.take(old)
            held[new, default: 0] += 1
        case .alive(let one):
            if !keys.contains(where: { $0.model == one.model && $0.instance == one.instance }) { held[one] = 1 }
        case .renamed(let instances):
            held = [:]
            for (placement, count) in self {
                var renamed = placement
                renamed.instance = placement.instance.map { instances[$0] ?? $0 }
                held[renamed, default: 0] += count
            }
        }
        return held
    }

    /// Takes one away; where it was last told of under another configuration, that one.
    private mutating func take(_ placement: Placement) {
        let held =
            self[placement] != nil
            ? placement
            : keys.filter { $0.model == placement.model && $0.instance == placement.instance }.min()
        guard let held, let count = self[held] else { return }
        self[held] = count > 1 ? count - 1 : nil
    }
}
