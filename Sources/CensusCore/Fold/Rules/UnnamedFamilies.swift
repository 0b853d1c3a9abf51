/// Removals without a family leave open which family lost a widget (R3 and R10).
extension DeviceState {
    /// Removes one widget from several families that the event doesn't tell apart. Each family has one less for certain, and
    /// the kind has one less in all. The rest of the kind is counted on the placement without a family.
    ///
    /// If none of them is certain, nothing changes, because the next report will show which suspect it was.
    ///
    /// - Parameter isOpen: whether it is also uncertain that a widget was removed at all.
    mutating func removeOne(
        of held: [Placement: Level], asked: Placement, isOpen: Bool, _ observation: Observation
    ) {
        let surface = observation.surface
        let ofFamilies = Dictionary(grouping: held.filter { $0.value.certain > 0 }.keys, by: \.model)
        guard !ofFamilies.isEmpty else { return }
        var levels = surfaces[surface]?.holdings ?? [:]
        let taken = ofFamilies.values.compactMap { $0.min() }.sorted()
        for placement in taken {
            levels[placement]?.certain -= 1
            levels[placement]?.either += 1
        }
        levels[asked, default: .none].certain += taken.count - 1
        levels[asked, default: .none].presumed += isOpen ? 1 : 0
        // The rest of the kind makes up for what the placement without a family loses itself.
        let removed = taken.first { $0 != asked } ?? asked
        for placement in Set(taken + [asked]).sorted() {
            set(
                placement, to: levels[placement] ?? .none, on: surface, at: observation.at,
                change: Change(placement == removed ? .removed : .configured, by: .event))
        }
        forgetUse(of: asked.model, on: surface)
    }

    /// Empties all families of a kind, if nothing is left of the kind.
    mutating func closeFamilies(ofKind kind: String, _ observation: Observation) {
        let surface = observation.surface
        let ofKind = (surfaces[surface]?.holdings ?? [:]).filter { $0.key.kind.hasBytes(of: kind) }
        guard ofKind.values.allSatisfy({ $0.possible == 0 }) else { return }
        for (placement, level) in ofKind.sorted(by: { $0.key < $1.key }) {
            set(
                placement, to: Level(reported: level.reported), on: surface, at: observation.at,
                change: Change(.removed, by: .event))
        }
    }
}
