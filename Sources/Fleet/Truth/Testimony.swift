import CensusCore

/// What a delivered note says about what is really placed on its surface.
enum Testimony: Sendable {
    case nothing
    /// Everything that is really there, with a successful report.
    case holds([Placement: Int])
    case placed(Placement)
    case removed(Placement)
    case replaced(Placement, by: Placement)
    /// There is a widget that matches the fields in the note, whenever it was placed.
    case alive(Placement)
    /// The new instance for each old one.
    case renamed([String: String])
}

extension [Placement: Int] {
    /// The placements after this testimony.
    ///
    /// - Parameter naming: if the note has only a kind, an unknown placement means any one of the kind.
    func after(_ testimony: Testimony, naming: Naming = .full) -> [Placement: Int] {
        var held = self
        switch testimony {
        case .nothing: break
        case .holds(let all): return all
        case .placed(let one): held[one, default: 0] += 1
        case .removed(let one): held.take(known(one) ?? anyOfKind(of: one, naming))
        case .replaced(let old, let new):
            guard known(old) != nil || anyOfKind(of: old, naming) == nil else { break }
            held.take(known(old))
            held[new, default: 0] += 1
        case .alive(let one):
            if known(one) == nil, anyOfKind(of: one, naming) == nil { held[one] = 1 }
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

    /// The placement, or the same one with the last known configuration.
    private func known(_ placement: Placement) -> Placement? {
        self[placement] != nil
            ? placement
            : keys.filter { $0.model == placement.model && $0.instance == placement.instance }.min()
    }

    /// Nil if the note has more than the kind.
    private func anyOfKind(of placement: Placement, _ naming: Naming) -> Placement? {
        naming == .sparse ? keys.filter { $0.kind == placement.kind }.min() : nil
    }

    private mutating func take(_ placement: Placement?) {
        guard let placement, let count = self[placement] else { return }
        self[placement] = count > 1 ? count - 1 : nil
    }
}
